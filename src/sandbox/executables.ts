import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Before PATH: a folder of a project may stand there, and what runs before the sandbox must not come from one. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/run/current-system/sw/bin'];

/** @returns the absolute path of a program of the system; undefined where there is none. */
export function findExecutable(name: string): string | undefined {
	const folders = [...SYSTEM_FOLDERS, ...(process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)];
	return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
