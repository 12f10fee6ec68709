import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import * as fsp from 'node:fs/promises';
import * as nodePath from 'node:path';
import { FileError, systemCode } from './fileErrors.ts';
import { createNew, DirectoryHandle, moved, openInPlace } from './safeFiles.ts';

/** What must still be there when the new content takes its place; `absent`: nothing must. */
export type Expected = { readonly size: number; readonly mtimeMs: number } | 'absent';

/** Where a new file can't be made beside the old one, or not put in its place (a mounted file). */
const NO_NEIGHBOUR = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);
/** For new files; the umask takes from it. */
const NEW_FILE_MODE = 0o666;

/**
 * Writes a file so that nobody ever sees a part of it: into a new file beside it, which then takes its name. Keeps
 * the mode; makes the directories that are missing. A hard link is cut by that: the file's other names keep the old
 * content. Where no file can be made beside it, it is written in place, unless it has other names.
 * @param real absolute, with its links resolved.
 * @throws {FileError} `permission`, `changed`, `moved`, `directory`, `special`; the system's error. Then nothing was changed.
 */
export async function writeFileAtomic(real: string, bytes: Uint8Array, expected: Expected): Promise<Stats> {
	await using directory = await DirectoryHandle.open(nodePath.dirname(real), true);
	const target = directory.at(nodePath.basename(real));
	const existing = await checkTarget(target, real, expected);
	const temporary = directory.at(`.belay-${randomBytes(6).toString('hex')}.tmp`);
	try {
		await writeNew(temporary, bytes, existing);
		await checkTarget(target, real, expected);
		await fsp.rename(temporary, target);
	} catch (error) {
		await fsp.rm(temporary, { force: true }).catch(() => undefined);
		if (existing === undefined || existing.nlink > 1 || !NO_NEIGHBOUR.has(systemCode(error))) {
			throw error;
		}
		await writeInPlace(target, real, bytes);
	}
	return await fsp.lstat(target);
}

async function checkTarget(target: string, real: string, expected: Expected): Promise<Stats | undefined> {
	const stats = await fsp.lstat(target).catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') {
			return undefined;
		}
		throw error;
	});
	if (stats?.isSymbolicLink() === true) {
		throw moved(real);
	}
	if (stats?.isDirectory() === true) {
		throw new FileError('directory', `${real} is a directory.`);
	}
	if (stats !== undefined && !stats.isFile()) {
		throw new FileError('special', `${real} is not a regular file: it is not written to.`);
	}
	const isExpected =
		expected === 'absent'
			? stats === undefined
			: stats !== undefined && stats.size === expected.size && stats.mtimeMs === expected.mtimeMs;
	if (!isExpected) {
		throw new FileError('changed', `${real} changed on disk just now. Read it again. Nothing was written.`);
	}
	if (stats !== undefined && (stats.mode & 0o222) === 0) {
		throw new FileError('permission', `${real} is read-only. The user would have to make it writable.`);
	}
	if (stats !== undefined) {
		// A rename needs no permission for the file itself: who may not write to it, may not replace it either.
		await fsp.access(target, fsp.constants.W_OK);
	}
	return stats;
}

async function writeNew(temporary: string, bytes: Uint8Array, existing: Stats | undefined): Promise<void> {
	await using handle = await createNew(temporary, existing === undefined ? NEW_FILE_MODE : 0o600);
	await handle.writeFile(bytes);
	if (existing !== undefined) {
		const made = await handle.stat();
		if (made.uid !== existing.uid || made.gid !== existing.gid) {
			// Only root may give files away; for others the file is theirs from now on.
			await handle.chown(existing.uid, existing.gid).catch(() => undefined);
		}
		await handle.chmod(existing.mode & 0o7777);
	}
	await handle.datasync();
}

async function writeInPlace(target: string, real: string, bytes: Uint8Array): Promise<void> {
	await using handle = await openInPlace(target, real);
	let written = 0;
	while (written < bytes.length) {
		const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, written);
		written += bytesWritten;
	}
	await handle.truncate(bytes.length);
	await handle.datasync();
}
