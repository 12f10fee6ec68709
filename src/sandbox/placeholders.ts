import { mkdirSync, rmdirSync } from 'node:fs';

/**
 * Empty folders that stand for protected ones that do not exist, as long as commands run: a mount needs something to
 * stand on, and without one a command could create the folder. They are counted, because a mount is lost in all
 * sandboxes when the folder below it goes.
 */
export class Placeholders {
	readonly #counts = new Map<string, number>();

	/**
	 * @param path of a folder that does not exist, or that this made.
	 * @returns whether it stands now. Where it cannot be made, a command of the same user cannot make it either.
	 */
	acquire(path: string): boolean {
		const count = this.#counts.get(path) ?? 0;
		try {
			mkdirSync(path);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
				return false;
			}
			if (count === 0) {
				// Somebody made it just now: it is theirs.
				return true;
			}
		}
		this.#counts.set(path, count + 1);
		return true;
	}

	/** @returns whether this made it. */
	has(path: string): boolean {
		return this.#counts.has(path);
	}

	/** The last one removes it, unless somebody put something in. */
	release(path: string): void {
		const count = this.#counts.get(path);
		if (count === undefined) {
			return;
		}
		if (count > 1) {
			this.#counts.set(path, count - 1);
			return;
		}
		this.#counts.delete(path);
		try {
			rmdirSync(path);
		} catch {
			// Not empty, so in use, or already gone.
		}
	}
}

/** One for the process: sessions share workspaces. */
export const sharedPlaceholders = new Placeholders();
