import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

/** The files of one storage directory. */
export interface StoragePaths {
	readonly database: string;
	/** Tells other processes where the owner listens. */
	readonly lock: string;
	/** An empty SQLite file: who has its kernel lock owns the directory. */
	readonly guard: string;
}

export function storagePaths(directory: string): StoragePaths {
	return {
		database: join(directory, 'belay.db'),
		lock: join(directory, 'belay.lock'),
		guard: join(directory, 'belay.guard'),
	};
}

const OwnerSchema = z.object({
	pid: z.number(),
	/** Milliseconds since the epoch. */
	startedAt: z.number(),
	token: z.string().min(16),
	/** A unix socket's or a named pipe's path; null where the owner could not listen. */
	socket: z.string().nullable(),
});
/** What stands in the lock file. */
export type Owner = z.infer<typeof OwnerSchema>;

export function newToken(): string {
	return randomBytes(24).toString('hex');
}

/** @returns undefined where there is no lock file, or one that makes no sense: the guard decides then. */
export async function readOwner(paths: StoragePaths): Promise<Owner | undefined> {
	try {
		const parsed = OwnerSchema.safeParse(JSON.parse(await readFile(paths.lock, 'utf8')));
		return parsed.success ? parsed.data : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Makes the lock file appear whole, readable by this user alone, in the place of a dead owner's. Call it with the guard
 * held only.
 * @returns false where another process published one meanwhile: the guard's lock does not work on this file system
 */
export async function publishOwner(paths: StoragePaths, owner: Owner, dead: Owner | undefined): Promise<boolean> {
	const found = await readOwner(paths);
	if (found !== undefined && found.token !== dead?.token) {
		return false;
	}
	await removeDrafts(paths);
	const draft = `${paths.lock}.${owner.token.slice(0, 16)}`;
	await writeFile(draft, JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
	try {
		await rm(paths.lock, { force: true });
		await link(draft, paths.lock);
		return true;
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === 'EEXIST') {
			return false;
		}
		// Some file systems have no hard links.
		await rename(draft, paths.lock);
		return true;
	} finally {
		await rm(draft, { force: true });
	}
}

/** Removes what processes left that were killed while they published themselves. */
async function removeDrafts({ lock }: StoragePaths): Promise<void> {
	const prefix = `${basename(lock)}.`;
	for (const name of await readdir(dirname(lock))) {
		if (name.startsWith(prefix)) {
			await rm(join(dirname(lock), name), { force: true });
		}
	}
}

/** Removes the lock file if it still is `owner`'s. */
export async function withdrawOwner(paths: StoragePaths, owner: Owner): Promise<void> {
	const found = await readOwner(paths);
	if (found?.token === owner.token) {
		await rm(paths.lock, { force: true });
	}
}

/** Name of the directory in which an owner's socket lives: only such a one is ever removed. */
export const SOCKET_DIRECTORY_PREFIX = 'belay-';
export const SOCKET_NAME = 'owner';

/** Removes the socket that a killed owner left behind. */
export async function removeDeadSocket(owner: Owner): Promise<void> {
	const { socket } = owner;
	if (
		socket === null ||
		process.platform === 'win32' ||
		basename(socket) !== SOCKET_NAME ||
		!basename(dirname(socket)).startsWith(SOCKET_DIRECTORY_PREFIX)
	) {
		return;
	}
	await unlink(socket).catch(() => undefined);
	await rmdir(dirname(socket)).catch(() => undefined);
}
