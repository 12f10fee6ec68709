/** What a file looked like at a moment. `hash` is undefined for one that was too large to be read whole. */
export interface FileStamp {
	/** SHA-256 of the text (of the bytes for a binary file), so that a buffer and its saved file are the same. */
	readonly hash: string | undefined;
	/** Bytes on the disk; 0 for a buffer that is not there. */
	readonly size: number;
	readonly mtimeMs: number;
}

export type Freshness = 'unread' | 'fresh' | 'changed';

interface FileRecord {
	stamp: FileStamp;
	/** Ranges whose text stands in the model's history, by their key. */
	readonly shown: Map<string, FileStamp>;
	/** The model knows all of it. */
	isWhole: boolean;
}

/** A file that the session made, to be kept with the session. */
export interface OwnedFile {
	readonly path: string;
	readonly hash: string | undefined;
}

/**
 * What one session has read, and which files it made. Paths are absolute and real.
 *
 * A file that the session made did not exist before it wrote it, and nobody else has changed it since: overwriting
 * never makes a file the session's own, and neither does anything that happens to a directory.
 */
export class FileTracker {
	readonly #records = new Map<string, FileRecord>();
	readonly #owned = new Map<string, string | undefined>();

	/** @param owned from an earlier run of the session. */
	constructor(owned: Iterable<OwnedFile> = []) {
		for (const { path, hash } of owned) {
			this.#owned.set(path, hash);
		}
	}

	/**
	 * Remembers a read.
	 * @param range a key for the part that was shown.
	 * @param isWhole everything was shown.
	 */
	noteRead(path: string, stamp: FileStamp, range: string, isWhole: boolean): void {
		const record = this.#record(path, stamp);
		record.isWhole = isWhole || (record.isWhole && sameContent(record.stamp, stamp));
		record.stamp = stamp;
		record.shown.set(range, stamp);
	}

	/**
	 * Remembers that the session wrote a file: it knows the content, and needs not read it again.
	 * @param change `before` is what was there, undefined where nothing was; `isWhole`: the model gave all of the content.
	 */
	noteWritten(
		path: string,
		stamp: FileStamp,
		change: { readonly before: FileStamp | undefined; readonly isWhole: boolean },
	): void {
		const record = this.#record(path, stamp);
		record.isWhole = change.isWhole || record.isWhole;
		record.stamp = stamp;
		record.shown.clear();
		if (change.before === undefined || this.owns(path, change.before)) {
			this.#owned.set(path, stamp.hash);
		} else {
			this.#owned.delete(path);
		}
	}

	/** Remembers that a file or directory is gone. */
	noteDeleted(path: string): void {
		for (const known of [...this.#records.keys(), ...this.#owned.keys()]) {
			if (known === path || known.startsWith(`${path}/`) || known.startsWith(`${path}\\`)) {
				this.#records.delete(known);
				this.#owned.delete(known);
			}
		}
	}

	/** Compares what a file is now with what the session knows of it. */
	freshness(path: string, now: FileStamp): Freshness {
		const record = this.#records.get(path);
		if (record === undefined) {
			return 'unread';
		}
		return sameContent(record.stamp, now) ? 'fresh' : 'changed';
	}

	/** @returns whether the model knows all of the file as it is now. */
	knowsWhole(path: string, now: FileStamp): boolean {
		const record = this.#records.get(path);
		return record !== undefined && record.isWhole && sameContent(record.stamp, now);
	}

	/** @returns whether this very range stands in the model's history, and nothing has changed since. */
	wasShown(path: string, range: string, now: FileStamp): boolean {
		const shown = this.#records.get(path)?.shown.get(range);
		return shown !== undefined && sameContent(shown, now);
	}

	/**
	 * Forgets what stands in the model's history: to be called when some of it is taken out (compaction, rollback).
	 * Whether files changed since they were read is still known.
	 */
	forgetReads(): void {
		for (const { shown } of this.#records.values()) {
			shown.clear();
		}
	}

	/** @returns whether the session made the file, and it is still as the session left it. */
	owns(path: string, now: FileStamp): boolean {
		const hash = this.#owned.get(path);
		return hash !== undefined && hash === now.hash;
	}

	/** @returns what {@link FileTracker} takes to go on after a restart. */
	ownedFiles(): OwnedFile[] {
		return [...this.#owned].map(([path, hash]) => ({ path, hash }));
	}

	#record(path: string, stamp: FileStamp): FileRecord {
		let record = this.#records.get(path);
		if (record === undefined) {
			record = { stamp, shown: new Map(), isWhole: false };
			this.#records.set(path, record);
		}
		return record;
	}
}

/** Content decides where it is known on both sides; a file that was only touched is the same. */
function sameContent(a: FileStamp, b: FileStamp): boolean {
	if (a.hash !== undefined && b.hash !== undefined) {
		return a.hash === b.hash;
	}
	return a.size === b.size && a.mtimeMs === b.mtimeMs;
}
