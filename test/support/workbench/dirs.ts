import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { QUIET_SETTINGS, type Settings } from './settings.ts';

/** The folders of one workbench, all below one temporary root. */
export interface Dirs {
	readonly root: string;
	/** VS Code's user data and server data. */
	readonly data: string;
	readonly extensions: string;
	/** HOME of the server, and so of the extension host and what it starts. */
	readonly home: string;
	/** The folder that is opened; below the root unless the test brings its own. */
	readonly folder: string;
}

/**
 * Makes the folders of a workbench.
 * @param folder a folder of the test's own; without one an empty folder is made
 */
export function makeDirs(folder?: string): Dirs {
	// Short: paths of unix sockets below it may have at most 107 bytes.
	const root = fs.mkdtempSync(path.join(os.tmpdir(), 'wb-'));
	const dirs: Dirs = {
		root,
		data: path.join(root, 'data'),
		extensions: path.join(root, 'exts'),
		home: path.join(root, 'home'),
		folder: folder ?? path.join(root, 'folder'),
	};
	for (const dir of [path.join(dirs.data, 'User'), dirs.extensions, dirs.home, dirs.folder]) {
		fs.mkdirSync(dir, { recursive: true });
	}
	fs.writeFileSync(path.join(dirs.home, '.gitconfig'), '[user]\n\tname = Test\n\temail = test@example.invalid\n');
	return dirs;
}

/** Removes what `makeDirs` made; a folder that the test brought stays. With BELAY_KEEP set, all stays. */
export function removeDirs(dirs: Dirs): void {
	if (!process.env['BELAY_KEEP']) {
		fs.rmSync(dirs.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	}
}

/** Writes the settings that a workbench starts with: the quiet ones, and these on top of them. */
export function writeSettings(dirs: Dirs, settings: Settings): void {
	const text = JSON.stringify({ ...QUIET_SETTINGS, ...settings }, null, '\t');
	// Settings of machine scope are read from the machine's own file alone.
	for (const folder of ['User', 'Machine']) {
		fs.mkdirSync(path.join(dirs.data, folder), { recursive: true });
		fs.writeFileSync(path.join(dirs.data, folder, 'settings.json'), text);
	}
}
