import { writeFileAtomic } from './atomicWrite.ts';
import { type DecodedFile, encodeText, type TextFormat, UTF8 } from './encodings.ts';
import { FileError, toFileError } from './fileErrors.ts';
import type { FileStamp, FileTracker } from './fileTracker.ts';
import { type OpenDocument, type OpenDocuments, spliceBetween } from './openDocuments.ts';
import { MAX_EDIT_BYTES, readWhole, textHash } from './readFiles.ts';
import type { Location, PathPlace, WorkspacePaths } from './workspacePaths.ts';

export interface LoadedFile {
	readonly content: DecodedFile;
	readonly stamp: FileStamp;
	/** The editor's document, where it has changes that are not saved: `content` is then the buffer's. */
	readonly buffer: { readonly path: string; readonly document: OpenDocument } | undefined;
}

export interface SaveOutcome {
	/** `unsaved`: in the editor's buffer, beside the user's own changes that are not saved. */
	readonly where: 'disk' | 'editor' | 'unsaved';
	/** The editor changed the text when it saved it (a formatter, trailing blanks). */
	readonly wasReformatted: boolean;
}

export interface SessionFilesOptions {
	readonly paths: WorkspacePaths;
	readonly tracker: FileTracker;
	readonly documents: OpenDocuments;
}

/** The files of the workspace as one session sees them: the disk, the editors' buffers, and what it read before. */
export class SessionFiles {
	readonly paths: WorkspacePaths;
	readonly tracker: FileTracker;
	readonly #documents: OpenDocuments;

	constructor(options: SessionFilesOptions) {
		this.paths = options.paths;
		this.tracker = options.tracker;
		this.#documents = options.documents;
	}

	/**
	 * Resolves again what was resolved before the user was asked.
	 * @throws {FileError} `moved` where it leads elsewhere by now.
	 */
	async relocate(
		before: Location,
		place: PathPlace,
		options: { readonly follow: boolean } = { follow: true },
	): Promise<Location> {
		const now = await this.paths.locate(before.requested, place, options);
		if (
			now.real !== before.real ||
			now.root !== before.root ||
			(now.isProtected && !before.isProtected) ||
			(now.isCredential && !before.isCredential)
		) {
			throw new FileError(
				'moved',
				`${before.shown} leads elsewhere than when it was checked: a symbolic link in its path changed. Nothing was done.`,
			);
		}
		return now;
	}

	/** @returns whether an editor has the file open with changes that are not saved. */
	isDirty(location: Location): boolean {
		return this.#documentOf(location)?.document.isDirty === true;
	}

	/**
	 * Reads a file whole: the buffer where an editor has unsaved changes, else the disk.
	 * @returns undefined where there is no such file.
	 * @throws {FileError} for what can't be read.
	 */
	async load(location: Location, maxBytes: number = MAX_EDIT_BYTES): Promise<LoadedFile | undefined> {
		const open = this.#documentOf(location);
		if (open?.document.isDirty === true) {
			const { text } = open.document;
			return {
				content: { kind: 'text', text, format: UTF8, exact: true },
				stamp: { hash: textHash(text), size: 0, mtimeMs: 0 },
				buffer: open,
			};
		}
		if (location.kind === 'missing') {
			return undefined;
		}
		try {
			return { ...(await readWhole(location.real, maxBytes)), buffer: undefined };
		} catch (error) {
			throw toFileError(error, location.shown);
		}
	}

	/** @throws {FileError} `changed` where the file isn't any more what the session read. */
	requireFresh(location: Location, stamp: FileStamp): void {
		if (this.tracker.freshness(location.real, stamp) === 'changed') {
			throw new FileError(
				'changed',
				`${location.shown} changed since it was read (by the user or another program). Read it again, then repeat this call.`,
			);
		}
	}

	/**
	 * Writes a file's new text: into the buffer where an editor has unsaved changes (and leaves the saving to the user),
	 * through the editor where it has the file open and unchanged, else to the disk.
	 * @param loaded what {@link load} gave, for which the text was made; undefined for a new file.
	 * @param options `isWhole`: the model gave all of the text. `format`: in place of the file's own.
	 * @throws {FileError} where nothing was changed; {@link UnencodableTextError}.
	 */
	async save(
		location: Location,
		loaded: LoadedFile | undefined,
		text: string,
		options: { readonly isWhole: boolean; readonly format?: TextFormat },
	): Promise<SaveOutcome> {
		const open = this.#documentOf(location);
		if ((open?.document.isDirty === true) !== (loaded?.buffer !== undefined)) {
			throw new FileError('changed', `${location.shown} was changed or saved in the editor just now. Read it again.`);
		}
		const before = loaded?.stamp;
		const note = (stamp: FileStamp) =>
			this.tracker.noteWritten(location.real, stamp, { before, isWhole: options.isWhole });
		if (open !== undefined && loaded?.buffer !== undefined) {
			await this.#intoBuffer(location, { ...open, document: loaded.buffer.document }, text, false);
			note({ hash: textHash(text), size: 0, mtimeMs: 0 });
			return { where: 'unsaved', wasReformatted: false };
		}
		const own = loaded?.content.kind === 'text' ? loaded.content.format : UTF8;
		const bytes = encodeText(text, options.format ?? own);
		// A clean buffer can differ from the disk: it has one kind of line end, or was not reloaded yet. Then saving it
		// would change bytes that the edit doesn't mean; the editor reloads what is written to the disk.
		const isSame = loaded?.content.kind === 'text' && open?.document.text === loaded.content.text;
		if (open !== undefined && isSame && options.format === undefined) {
			await this.#intoBuffer(location, open, text, true);
			if (this.isDirty(location)) {
				// The editor would not save it: something stood in the way, which it shows the user.
				note({ hash: textHash(text), size: 0, mtimeMs: 0 });
				return { where: 'unsaved', wasReformatted: false };
			}
			const saved = await readWhole(location.real, MAX_EDIT_BYTES);
			note(saved.stamp);
			return { where: 'editor', wasReformatted: saved.stamp.hash !== textHash(text) };
		}
		note(await this.#toDisk(location, bytes, text, before));
		return { where: 'disk', wasReformatted: false };
	}

	async #intoBuffer(
		location: Location,
		{ path, document }: { readonly path: string; readonly document: OpenDocument },
		text: string,
		save: boolean,
	): Promise<void> {
		const splice = spliceBetween(document.text, text);
		const answer = await this.#documents.replace(path, splice, { expected: document.version, save });
		if (answer === 'refused') {
			throw new FileError(
				'refused',
				`The editor that has ${location.shown} open did not take the change (it was edited just now, or could not be saved). ` +
					'Read it again, then repeat this call.',
			);
		}
	}

	async #toDisk(
		location: Location,
		bytes: Uint8Array,
		text: string,
		before: FileStamp | undefined,
	): Promise<FileStamp> {
		try {
			const stats = await writeFileAtomic(location.real, bytes, before ?? 'absent');
			return { hash: textHash(text), size: stats.size, mtimeMs: stats.mtimeMs };
		} catch (error) {
			throw toFileError(error, location.shown);
		}
	}

	#documentOf(location: Location): { path: string; document: OpenDocument } | undefined {
		for (const path of [location.real, location.requested]) {
			const document = this.#documents.get(path);
			if (document !== undefined) {
				return { path, document };
			}
		}
		return undefined;
	}
}
