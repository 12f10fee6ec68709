import * as fsp from 'node:fs/promises';
import * as nodePath from 'node:path';
import { FileError, systemCode, toFileError } from './fileErrors.ts';
import { DirectoryHandle } from './safeFiles.ts';
import type { Location } from './workspacePaths.ts';

/** What a directory holds. */
export interface DirectoryContents {
	readonly entries: number;
	readonly bytes: number;
	/** Absolute paths in it that `isGuarded` named. */
	readonly guarded: readonly string[];
	/** There is more than was counted. */
	readonly isCut: boolean;
}

/** Entries that are counted for a card: more would only take longer to say. */
const MAX_ENTRIES = 5_000;
const MAX_GUARDED = 20;

/** Looks at what would be deleted with a directory. Follows no symbolic links. */
export async function surveyDirectory(
	real: string,
	isGuarded: (path: string) => boolean,
	signal?: AbortSignal,
): Promise<DirectoryContents> {
	let entries = 0;
	let bytes = 0;
	const guarded: string[] = [];
	const pending = [real];
	for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
		signal?.throwIfAborted();
		for (const entry of await fsp.readdir(directory, { withFileTypes: true }).catch(() => [])) {
			const path = nodePath.join(directory, entry.name);
			entries++;
			if (guarded.length < MAX_GUARDED && isGuarded(path)) {
				guarded.push(path);
			}
			if (entry.isDirectory()) {
				pending.push(path);
			} else {
				bytes += (await fsp.lstat(path).catch(() => undefined))?.size ?? 0;
			}
			if (entries >= MAX_ENTRIES) {
				return { entries, bytes, guarded, isCut: true };
			}
		}
	}
	return { entries, bytes, guarded, isCut: false };
}

/**
 * Deletes a file, a symbolic link itself, or a directory.
 * @param location located without following its last part.
 * @throws {FileError} where it can't be deleted.
 */
export async function deletePath(location: Location, recursive: boolean): Promise<void> {
	const { real, shown } = location;
	try {
		await using parent = await DirectoryHandle.open(nodePath.dirname(real), false);
		const path = parent.at(nodePath.basename(real));
		const stats = await fsp.lstat(path);
		if (!stats.isDirectory()) {
			await fsp.unlink(path);
		} else if (recursive) {
			await fsp.rm(path, { recursive: true, maxRetries: 2 });
		} else {
			await fsp.rmdir(path);
		}
	} catch (error) {
		throw systemCode(error) === 'EEXIST' ? notEmpty(shown, error) : toFileError(error, shown);
	}
}

/** Some systems say so where others say ENOTEMPTY. */
function notEmpty(shown: string, cause: unknown): FileError {
	return new FileError('directory', `${shown} is not empty. To delete it with what is in it, set recursive.`, {
		cause,
	});
}
