import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { SessionPlace } from '../engine/index.ts';

/** @returns where sessions work: the workspace's folders, or the home folder where none is open. */
export function workspacePlace(): SessionPlace {
	const folders = (vscode.workspace.workspaceFolders ?? [])
		.filter(({ uri }) => uri.scheme === 'file')
		.map(({ uri }) => realPath(uri.fsPath));
	const cwd = folders[0] ?? realPath(homedir());
	// With no folder open nothing is "inside": every change asks.
	return { cwd, roots: folders, isTrusted: () => vscode.workspace.isTrusted };
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
