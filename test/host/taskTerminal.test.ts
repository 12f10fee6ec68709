import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { TaskTerminals } from '../../src/host/terminals/taskTerminals.ts';
import { CommandRunner, Reaper } from '../../src/processes/index.ts';

describe('The task terminal', () => {
	it('is made with the first command, not shown unasked, one for a session, and gone with it', async () => {
		using reaper = new Reaper();
		await using runner = new CommandRunner({ reaper, spoolDirectory: mkdtempSync(join(tmpdir(), 'spool-')) });
		using terminals = new TaskTerminals();
		const before = vscode.window.terminals.length;
		const active = vscode.window.activeTerminal;
		for (const itemId of ['a', 'b']) {
			const command = `echo ${itemId}`;
			const running = await runner.start({ command, cwd: tmpdir(), env: { PATH: process.env['PATH'] ?? '' } });
			terminals.showCommand(
				{ sessionId: 's', itemId, command, cwd: tmpdir(), protection: 'none', background: false },
				running,
			);
			await running.finished;
		}
		assert.equal(vscode.window.terminals.length, before + 1);
		assert.equal(vscode.window.activeTerminal, active);
		assert.equal(terminals.reveal('s', 'a'), true);
		assert.equal(terminals.reveal('other'), false);
		const closed = new Promise((resolve) => vscode.window.onDidCloseTerminal(resolve));
		terminals.forget('s');
		await closed;
		assert.equal(vscode.window.terminals.length, before);
	});
});
