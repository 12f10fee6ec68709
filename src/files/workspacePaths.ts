import * as fs from 'node:fs/promises';
import * as nodePath from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileError, systemCode, toFileError } from './fileErrors.ts';
import type { PathRules } from './pathRules.ts';

/** Where a path from the model really leads. */
export interface Location {
	/** Absolute, as the model meant it. */
	readonly requested: string;
	/** Absolute, with every symbolic link resolved; where something is missing, as far as there is something. */
	readonly real: string;
	/** For messages: relative to the working directory where it lies in it, else absolute. With `/` on every system. */
	readonly shown: string;
	/** The workspace's folder that it lies in. */
	readonly root: string | undefined;
	/** Writing to it always asks. */
	readonly isProtected: boolean;
	/** Reading it always asks. */
	readonly isCredential: boolean;
	readonly kind: 'file' | 'directory' | 'symlink' | 'special' | 'missing';
	/** Bytes; 0 where missing. */
	readonly size: number;
}

export interface PathPlace {
	readonly cwd: string;
	/** Absolute and real. */
	readonly roots: readonly string[];
}

/** The system's own limit of links in one path (Linux: 40). */
const MAX_LINKS = 40;

/** Finds out where paths lead: by real paths, so that neither `..` nor a symbolic link hides where that is. */
export class WorkspacePaths {
	readonly #rules: PathRules;
	readonly #home: string;

	constructor(rules: PathRules, home: string) {
		this.#rules = rules;
		this.#home = home;
	}

	/**
	 * Resolves a path that the model gave: relative to the working directory, `~/`, or a `file:` address.
	 * @param options `follow` false: the last part itself, also where it is a symbolic link (to delete it).
	 * @throws {FileError} for what is no path, or leads in a circle.
	 */
	async locate(
		given: string,
		place: PathPlace,
		options: { readonly follow: boolean } = { follow: true },
	): Promise<Location> {
		const requested = this.resolve(given, place.cwd);
		const shown = shownPath(requested, place.cwd);
		try {
			const real = options.follow
				? await realPathOf(requested)
				: nodePath.join(await realPathOf(nodePath.dirname(requested)), nodePath.basename(requested));
			return { requested, real, shown, ...this.#judge(requested, real, place.roots), ...(await kindOf(real)) };
		} catch (error) {
			throw toFileError(error, shown);
		}
	}

	/** @returns the absolute path that is meant, without a look at the disk. @throws {FileError} for what is no path. */
	resolve(given: string, cwd: string): string {
		const trimmed = given.trim();
		if (trimmed === '' || trimmed.includes('\0')) {
			throw new FileError('invalid', 'The path is empty or has a NUL character. Give the path of a file.');
		}
		if (trimmed === '~' || trimmed.startsWith('~/')) {
			return nodePath.join(this.#home, trimmed.slice(1));
		}
		if (trimmed.startsWith('file://')) {
			try {
				return fileURLToPath(trimmed);
			} catch {
				throw new FileError('invalid', `${trimmed} is no address of a local file. Give a path.`);
			}
		}
		return nodePath.resolve(cwd, trimmed);
	}

	/** @returns whether a path, absolute and real, is one that must not be read unasked. */
	isCredential(real: string): boolean {
		return this.#rules.isCredential(real);
	}

	/** @returns whether a path, absolute and real, is protected. */
	isProtected(real: string, roots: readonly string[]): boolean {
		return this.#rules.isProtected(real, rootOf(real, roots));
	}

	#judge(requested: string, real: string, roots: readonly string[]) {
		const root = rootOf(real, roots);
		return {
			root,
			isProtected: this.#rules.isProtected(real, root) || this.#rules.isProtected(requested, rootOf(requested, roots)),
			isCredential: this.#rules.isCredential(real) || this.#rules.isCredential(requested),
		};
	}
}

/** @returns the path relative to `cwd` with `/` where it lies in it, else as it is. */
export function shownPath(path: string, cwd: string): string {
	const relative = nodePath.relative(cwd, path);
	if (relative === '') {
		return '.';
	}
	const isInside = relative !== '..' && !relative.startsWith(`..${nodePath.sep}`) && !nodePath.isAbsolute(relative);
	return (isInside ? relative : path).replaceAll(nodePath.sep, '/');
}

/** @returns the folder, of those given, that is the path or contains it; the innermost one. */
export function rootOf(real: string, roots: readonly string[]): string | undefined {
	// Real paths have the case that the disk has; the letter of a Windows drive alone may differ.
	const fold = (path: string) => (process.platform === 'win32' ? path.toLowerCase() : path);
	const containing = roots.filter((root) => {
		const prefix = root.endsWith(nodePath.sep) ? root : root + nodePath.sep;
		return fold(real) === fold(root) || fold(real).startsWith(fold(prefix));
	});
	return containing.sort((a, b) => b.length - a.length)[0];
}

/**
 * Resolves every symbolic link, also dangling ones: their missing targets are where a write would go.
 * @throws the system's error, for all but what is missing.
 */
async function realPathOf(path: string, links = 0): Promise<string> {
	try {
		return await nativeRealPath(path);
	} catch (error) {
		if (systemCode(error) !== 'ENOENT') {
			throw error;
		}
	}
	const parent = nodePath.dirname(path);
	if (parent === path) {
		return path;
	}
	const realParent = await realPathOf(parent, links);
	const here = nodePath.join(realParent, nodePath.basename(path));
	const target = await linkTarget(here);
	if (target === undefined) {
		return here;
	}
	if (links >= MAX_LINKS) {
		throw Object.assign(new Error('Too many symbolic links.'), { code: 'ELOOP' });
	}
	return realPathOf(nodePath.resolve(realParent, target), links + 1);
}

/** The system's own: gives names the case they have on the disk. */
async function nativeRealPath(path: string): Promise<string> {
	return fs.realpath(path);
}

async function linkTarget(path: string): Promise<string | undefined> {
	try {
		return await fs.readlink(path);
	} catch {
		return undefined;
	}
}

async function kindOf(real: string): Promise<Pick<Location, 'kind' | 'size'>> {
	try {
		const stats = await fs.lstat(real);
		const kind = stats.isFile()
			? 'file'
			: stats.isDirectory()
				? 'directory'
				: stats.isSymbolicLink()
					? 'symlink'
					: 'special';
		return { kind, size: stats.size };
	} catch (error) {
		if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') {
			return { kind: 'missing', size: 0 };
		}
		throw error;
	}
}
