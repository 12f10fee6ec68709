/** A change of one stretch of a text. Offsets are UTF-16 units of the text before. */
export interface TextSplice {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** A document that is open in an editor. */
export interface OpenDocument {
	/** The buffer's text, without a byte order mark. */
	readonly text: string;
	/** The buffer has changes that are not on the disk. */
	readonly isDirty: boolean;
	/** Raised by every change of the buffer. */
	readonly version: number;
}

/** The editors' documents, so that what the user typed is read, and never overwritten. Paths are absolute: the real one is asked
 * for first, then the one that the model gave, which may lead through a symbolic link. */
export interface OpenDocuments {
	get(path: string): OpenDocument | undefined;
	/**
	 * Changes a buffer, as one step that the user can undo; no editor is shown and none takes the focus.
	 * @param expected the version for which `splice` was made.
	 * @returns `refused` where nothing was changed: the buffer has another version by now, or the editor declined.
	 */
	replace(
		path: string,
		splice: TextSplice,
		options: { readonly expected: number; readonly save: boolean },
	): Promise<'applied' | 'refused'>;
}

/** For where there are no editors. */
export const noOpenDocuments: OpenDocuments = {
	get: () => undefined,
	replace: () => Promise.resolve('refused'),
};

/** The one stretch in which two texts differ. It never divides a CRLF or a surrogate pair, as editors demand. */
export function spliceBetween(before: string, after: string): TextSplice {
	const limit = Math.min(before.length, after.length);
	let start = 0;
	while (start < limit && before.charCodeAt(start) === after.charCodeAt(start)) {
		start++;
	}
	while (start > 0 && (divides(before, start) || divides(after, start))) {
		start--;
	}
	let tail = 0;
	while (
		tail < limit - start &&
		before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
	) {
		tail++;
	}
	while (tail > 0 && (divides(before, before.length - tail) || divides(after, after.length - tail))) {
		tail--;
	}
	return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function divides(text: string, offset: number): boolean {
	const left = text.charCodeAt(offset - 1);
	const right = text.charCodeAt(offset);
	return (left === 13 && right === 10) || (left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000);
}
