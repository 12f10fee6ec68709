import { access, readdir, rename } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Files that belong to a database, by what their names have after its own. */
const SUFFIXES = ['', '-wal', '-shm'] as const;
const REBUILT = '.rebuilt-';

export function rebuiltPath(path: string, stamp: string): string {
	return `${path}${REBUILT}${stamp}`;
}

export function setAsidePath(path: string, stamp: string): string {
	return `${path}.damaged-${stamp}`;
}

/**
 * Puts a rebuilt database in the place of a damaged one, which gets a new name. May be killed at any moment and called
 * again: a finished file at {@link rebuiltPath} says that there is something to do.
 * @returns where the damaged database is now, or undefined where there was nothing to do
 */
export async function finishSetAside(path: string): Promise<string | undefined> {
	const stamp = await findStamp(path);
	if (stamp === undefined) {
		return undefined;
	}
	const aside = setAsidePath(path, stamp);
	for (const suffix of SUFFIXES) {
		// What an interrupted call has moved already is not there any more.
		if (await exists(path + suffix)) {
			await rename(path + suffix, aside + suffix);
		}
	}
	await rename(rebuiltPath(path, stamp), path);
	return aside;
}

async function findStamp(path: string): Promise<string | undefined> {
	const prefix = basename(path) + REBUILT;
	const names = await readdir(dirname(path));
	return names.find((name) => name.startsWith(prefix))?.slice(prefix.length);
}

export async function exists(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}

/** @returns the path of a database's write-ahead log: SQLite removes it when it is closed cleanly. */
export function walPath(path: string): string {
	return `${path}-wal`;
}
