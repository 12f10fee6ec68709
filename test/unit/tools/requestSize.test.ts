import assert from 'node:assert/strict';
import { SessionState } from '../../../src/engine/session/sessionState.ts';
import { systemPrompt } from '../../../src/engine/turn/systemPrompt.ts';
import { FileTracker, noOpenDocuments, PathRules, SessionFiles, WorkspacePaths } from '../../../src/files/index.ts';
import { CommandRunner, Reaper } from '../../../src/processes/index.ts';
import { BashTool, SessionProcesses } from '../../../src/tools/bash/index.ts';
import { createFileTools } from '../../../src/tools/fileTools.ts';
import { Ripgrep } from '../../../src/tools/ripgrep.ts';

describe('What every request carries', () => {
	it('is under 12 KiB: the base prompt and all tool definitions together', () => {
		const paths = new WorkspacePaths(new PathRules({ home: '/home/user' }), '/home/user');
		const files = new SessionFiles({ paths, tracker: new FileTracker(), documents: noOpenDocuments });
		using reaper = new Reaper();
		const processes = new SessionProcesses(new CommandRunner({ reaper, spoolDirectory: '/tmp' }));
		const bash = new BashTool({ processes, paths, home: '/home/user', environment: {} });
		const tools = [...createFileTools(files, new Ripgrep(undefined)), bash].map(({ definition }) => ({
			type: 'function',
			function: definition,
		}));
		const state = new SessionState({ providerId: 'p', model: 'm', trustMode: 'safe' });
		const place = { cwd: '/home/user/project', roots: ['/home/user/project'], isTrusted: () => true };
		const bytes = Buffer.byteLength(systemPrompt({ state, place }) + JSON.stringify(tools));
		assert.equal(tools.length, 10);
		assert.ok(bytes < 12 * 1024, `${bytes} bytes`);
	});
});
