import { existsSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { foldersBetween, isWithin, lookAt, realPath } from './paths.ts';
import type { Placeholders } from './placeholders.ts';

/** How one command's protected paths are kept. */
export interface ProtectedMounts {
	readonly readOnly: readonly string[];
	/** Folders around them, writable but not movable: else a command could rename one away and make a new one. */
	readonly pinned: readonly string[];
}

/**
 * Keeps protected paths from being written, and from being created. What no mount can stand on is compared afterwards:
 * a file that does not exist, one whose folder does not exist, and a symbolic link (its target is protected, but the
 * link can be replaced).
 */
export class ProtectedPaths implements Disposable {
	readonly #paths: readonly string[];
	readonly #watched = new Map<string, string>();
	readonly #placeholders: Placeholders;
	readonly #held: string[] = [];

	/**
	 * @param paths to be covered, absolute: those that do not exist as folders.
	 * @param watched only compared: files that usually do not exist.
	 */
	constructor(paths: readonly string[], watched: readonly string[], placeholders: Placeholders) {
		this.#paths = paths;
		this.#placeholders = placeholders;
		for (const path of watched) {
			this.#watch(path);
		}
	}

	/** @param writable what the command may write to; what stands elsewhere is read-only anyway. */
	prepare(writable: readonly string[]): ProtectedMounts {
		const readOnly = new Set<string>();
		const pinned = new Set<string>();
		for (const path of this.#paths) {
			const around = writable.filter((folder) => isWithin(path, folder));
			const real = this.#cover(path, around);
			if (real === undefined) {
				continue;
			}
			readOnly.add(real);
			for (const folder of writable.filter((each) => isWithin(real, each))) {
				foldersBetween(folder, real).forEach((each) => pinned.add(each));
			}
		}
		return { readOnly: [...readOnly], pinned: [...pinned] };
	}

	/** @returns the path to mount upon, without links; undefined where there is none to be had. */
	#cover(path: string, around: readonly string[]): string | undefined {
		if (around.length === 0) {
			return undefined;
		}
		const steps = [...around.flatMap((folder) => foldersBetween(folder, path)), path];
		const link = steps.find((step) => lookAt(step)?.isSymbolicLink() === true);
		if (link !== undefined) {
			this.#watch(link);
			return realPath(path);
		}
		if (lookAt(path) !== undefined && !this.#placeholders.has(path)) {
			return path;
		}
		if (lookAt(dirname(path))?.isDirectory() !== true) {
			this.#watch(path);
			return undefined;
		}
		if (!this.#placeholders.acquire(path)) {
			return undefined;
		}
		this.#held.push(path);
		return path;
	}

	#watch(path: string): void {
		if (!this.#watched.has(path)) {
			this.#watched.set(path, describe(path));
		}
	}

	/** @returns the watched paths that are not what they were, each change once. */
	changed(): string[] {
		const changed: string[] = [];
		for (const [path, before] of this.#watched) {
			const now = describe(path);
			if (now !== before) {
				this.#watched.set(path, now);
				changed.push(path);
			}
		}
		return changed;
	}

	/** Removes the placeholders: no command runs. */
	release(): void {
		for (const path of this.#held.splice(0)) {
			this.#placeholders.release(path);
		}
	}

	[Symbol.dispose](): void {
		this.release();
	}
}

function describe(path: string): string {
	const found = lookAt(path);
	if (found === undefined) {
		return 'absent';
	}
	if (!found.isSymbolicLink()) {
		return 'present';
	}
	try {
		return `${existsSync(path) ? 'link' : 'broken link'} to ${readlinkSync(path)}`;
	} catch {
		return 'absent';
	}
}
