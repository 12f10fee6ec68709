import * as fs from 'node:fs';
import * as fsp from 'node:fs/promises';
import * as nodePath from 'node:path';
import { FileError, systemCode } from './fileErrors.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;
/** `/proc/self/fd/N` stands for an open directory: names below it can't be moved elsewhere by a swapped link. */
const HAS_PROC = process.platform === 'linux' && fs.existsSync('/proc/self/fd');
/** Windows has neither flag. */
const NO_FOLLOW = process.platform === 'win32' ? 0 : O_NOFOLLOW;
const NO_BLOCK = process.platform === 'win32' ? 0 : O_NONBLOCK;

/**
 * Opens a regular file to read. Never waits: a fifo, a device or a socket is refused before it is opened, and again after.
 * @param real absolute, with its links resolved: where that is no longer so, nothing is opened.
 * @throws {FileError} `directory`, `special` or `moved`; the system's error.
 */
export async function openRegular(real: string): Promise<fsp.FileHandle> {
	refuseIrregular(await fsp.lstat(real), real);
	const handle = await openOrMoved(real, O_RDONLY | NO_FOLLOW | NO_BLOCK);
	try {
		refuseIrregular(await handle.stat(), real);
		await verify(handle, real);
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** A directory held open, so that what is done in it is done there and nowhere else. */
export class DirectoryHandle implements AsyncDisposable {
	readonly #handle: fsp.FileHandle | undefined;
	readonly #real: string;

	private constructor(real: string, handle: fsp.FileHandle | undefined) {
		this.#real = real;
		this.#handle = handle;
	}

	/**
	 * @param real absolute, with its links resolved.
	 * @param create makes it, and what is missing above it.
	 * @throws {FileError} `moved` where a link stands in its way by now; the system's error.
	 */
	static async open(real: string, create: boolean): Promise<DirectoryHandle> {
		try {
			return await DirectoryHandle.#openAt(real, real);
		} catch (error) {
			if (!create || systemCode(error) !== 'ENOENT' || nodePath.dirname(real) === real) {
				throw error;
			}
		}
		await using parent = await DirectoryHandle.open(nodePath.dirname(real), true);
		const path = parent.at(nodePath.basename(real));
		await fsp.mkdir(path).catch((error: unknown) => {
			if (systemCode(error) !== 'EEXIST') {
				throw error;
			}
		});
		return await DirectoryHandle.#openAt(path, real);
	}

	static async #openAt(path: string, real: string): Promise<DirectoryHandle> {
		if (!HAS_PROC) {
			// No handles to directories here: the path is checked just before it is used, which leaves a small gap.
			if ((await fsp.realpath(real)) !== real) {
				throw moved(real);
			}
			return new DirectoryHandle(real, undefined);
		}
		const handle = await openOrMoved(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		try {
			await verify(handle, real);
			return new DirectoryHandle(real, handle);
		} catch (error) {
			await handle.close();
			throw error;
		}
	}

	/** @returns a path for one name in this directory, for use while it is open. */
	at(name: string): string {
		return this.#handle === undefined ? nodePath.join(this.#real, name) : `/proc/self/fd/${this.#handle.fd}/${name}`;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#handle?.close();
	}
}

/** Opens a new file that nothing can have been put in the place of. */
export async function createNew(path: string, mode: number): Promise<fsp.FileHandle> {
	return await fsp.open(path, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, mode);
}

/** Opens a file to be written in place. */
export async function openInPlace(path: string, real: string): Promise<fsp.FileHandle> {
	const handle = await openOrMoved(path, O_RDWR | NO_FOLLOW | NO_BLOCK);
	try {
		refuseIrregular(await handle.stat(), real);
		await verify(handle, real);
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
}

export function moved(real: string): FileError {
	return new FileError(
		'moved',
		`${real} leads elsewhere than a moment ago: a symbolic link in its path changed. Nothing was done.`,
	);
}

async function openOrMoved(path: string, flags: number): Promise<fsp.FileHandle> {
	try {
		return await fsp.open(path, flags);
	} catch (error) {
		// The path has its links resolved: one that is there now was put there since. Linux calls a link ENOTDIR where a
		// directory is asked for.
		const code = systemCode(error);
		const isLink = code === 'ELOOP' || (code === 'ENOTDIR' && (await isSymbolicLink(path)));
		throw isLink ? moved(path) : error;
	}
}

async function isSymbolicLink(path: string): Promise<boolean> {
	const stats = await fsp.lstat(path).catch(() => undefined);
	return stats?.isSymbolicLink() === true;
}

/** Compares what was opened with what was meant. */
async function verify(handle: fsp.FileHandle, real: string): Promise<void> {
	if (HAS_PROC) {
		if ((await fsp.readlink(`/proc/self/fd/${handle.fd}`)) !== real) {
			throw moved(real);
		}
		return;
	}
	const [opened, named] = await Promise.all([handle.stat(), fsp.lstat(real)]);
	if (opened.ino !== named.ino || opened.dev !== named.dev || (await fsp.realpath(real)) !== real) {
		throw moved(real);
	}
}

function refuseIrregular(stats: fs.Stats, real: string): void {
	if (stats.isDirectory()) {
		throw new FileError('directory', `${real} is a directory.`);
	}
	if (stats.isSymbolicLink()) {
		throw moved(real);
	}
	if (!stats.isFile()) {
		throw new FileError('special', `${real} is not a regular file (a pipe, socket or device): it is not opened.`);
	}
}
