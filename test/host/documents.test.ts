import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { FileTracker, PathRules, SessionFiles, WorkspacePaths } from '../../src/files/index.ts';
import { vscodeDocuments } from '../../src/host/files/vscodeDocuments.ts';
import { EditTool } from '../../src/tools/edit.ts';
import { outputCaps } from '../../src/engine/turn/outputCaps.ts';

const folder = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

function editTool(): EditTool {
	const paths = new WorkspacePaths(new PathRules({ home: '/nowhere' }), '/nowhere');
	return new EditTool(new SessionFiles({ paths, tracker: new FileTracker(), documents: vscodeDocuments }));
}

async function edit(file: string, old_str: string, new_str: string) {
	const context = {
		sessionId: 's',
		turnId: 't',
		itemId: 'i',
		cwd: folder(),
		roots: [folder()],
		trustMode: 'safe' as const,
		caps: outputCaps(100_000),
	};
	const prepared = await editTool().prepare({ file_path: file, replacements: [{ old_str, new_str }] }, context);
	assert.ok(!('invalid' in prepared), 'invalid' in prepared ? prepared.invalid : '');
	return await prepared.run({
		signal: new AbortController().signal,
		output: () => undefined,
		ask: () => Promise.resolve(null),
		todos: () => [],
		setTodos: () => undefined,
		processStarted: () => undefined,
		processEnded: () => undefined,
	});
}

async function open(name: string, text: string): Promise<{ file: string; document: vscode.TextDocument }> {
	const file = path.join(folder(), name);
	await writeFile(file, text);
	return { file, document: await vscode.workspace.openTextDocument(file) };
}

describe('An edit of a file that an editor has open', () => {
	it('goes through the editor, is saved, and can be undone there', async () => {
		const { file, document } = await open('clean.txt', 'one\r\ntwo\r\nthree\r\n');
		await vscode.window.showTextDocument(document);
		assert.equal((await edit(file, 'two', 'zwei')).ok, true);
		assert.equal(document.getText(), 'one\r\nzwei\r\nthree\r\n');
		assert.equal(await readFile(file, 'utf8'), 'one\r\nzwei\r\nthree\r\n');
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), 'one\r\ntwo\r\nthree\r\n');
	});

	it('keeps what the user typed and did not save, and does not save it for them', async () => {
		const { file, document } = await open('dirty.txt', 'alpha\nbeta\n');
		const editor = await vscode.window.showTextDocument(document);
		await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'typed by the user\n'));
		assert.equal(document.isDirty, true);
		const result = await edit(file, 'beta', 'BETA');
		assert.equal(document.getText(), 'typed by the user\nalpha\nBETA\n');
		assert.equal(document.isDirty, true);
		assert.equal(await readFile(file, 'utf8'), 'alpha\nbeta\n');
		assert.match(result.output, /unsaved/i);
	});

	it('does not take the focus from where the user types', async () => {
		const typing = await open('typing.txt', '');
		const other = await open('other.txt', 'before\n');
		await vscode.window.showTextDocument(typing.document);
		await edit(other.file, 'before', 'after');
		await vscode.commands.executeCommand('type', { text: 'still here' });
		assert.equal(typing.document.getText(), 'still here');
		assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, typing.file);
	});
});
