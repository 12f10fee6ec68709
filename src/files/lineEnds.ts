export type LineEnd = '\n' | '\r\n' | '\r';

/** One line of a text: `[start, end)` is its content, without its line end. */
export interface TextLine {
	readonly start: number;
	readonly end: number;
	/** Empty for a last line that has none. */
	readonly lineEnd: LineEnd | '';
}

/**
 * Splits a text into lines. A lone CR is data, except in a text without any LF (classic Mac OS), where it ends lines.
 * An empty text has no lines; a line end at the very end begins no new line.
 */
export function splitLines(text: string): TextLine[] {
	const lines: TextLine[] = [];
	const isClassicMac = !text.includes('\n');
	const mark = isClassicMac ? '\r' : '\n';
	let start = 0;
	while (start < text.length) {
		const at = text.indexOf(mark, start);
		if (at < 0) {
			lines.push({ start, end: text.length, lineEnd: '' });
			break;
		}
		const isCrLf = !isClassicMac && at > start && text.charCodeAt(at - 1) === 13;
		lines.push({ start, end: isCrLf ? at - 1 : at, lineEnd: isClassicMac ? '\r' : isCrLf ? '\r\n' : '\n' });
		start = at + 1;
	}
	return lines;
}

/** A text with every line end as LF, and the way back to the offsets of the original. */
export interface LfView {
	readonly text: string;
	/** Turns an offset of the view into one of the original: never between a CR and its LF. */
	toOriginal(offset: number): number;
}

export function lfView(original: string): LfView {
	if (!original.includes('\r')) {
		return { text: original, toOriginal: (offset) => offset };
	}
	if (!original.includes('\n')) {
		return { text: original.replaceAll('\r', '\n'), toOriginal: (offset) => offset };
	}
	// Offsets, in the view, of the line feeds that lost their CR.
	const shortened: number[] = [];
	for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', at + 2)) {
		shortened.push(at - shortened.length);
	}
	return {
		text: original.replaceAll('\r\n', '\n'),
		toOriginal: (offset) => offset + countBelow(shortened, offset),
	};
}

/** CRLF as LF. A lone CR stays: it is data. */
export function withLf(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

/**
 * Finds the line end that a text inserted at `[start, end)` should take: the first one within, else the next one
 * after, else the last one before, else LF.
 */
export function lineEndAround(text: string, start: number, end: number): LineEnd {
	const mark = text.includes('\n') ? '\n' : '\r';
	let at = text.indexOf(mark, start);
	if (at < 0 || at >= end) {
		at = text.indexOf(mark, end);
	}
	if (at < 0 && start > 0) {
		at = text.lastIndexOf(mark, start - 1);
	}
	if (at < 0) {
		return '\n';
	}
	if (mark === '\r') {
		return '\r';
	}
	return at > 0 && text.charCodeAt(at - 1) === 13 ? '\r\n' : '\n';
}

/** @returns the 1-based number of the line in which the offset stands. */
export function lineNumberAt(text: string, offset: number): number {
	const mark = text.includes('\n') ? '\n' : '\r';
	let line = 1;
	for (let at = text.indexOf(mark); at >= 0 && at < offset; at = text.indexOf(mark, at + 1)) {
		line++;
	}
	return line;
}

function countBelow(sorted: readonly number[], limit: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? Infinity) < limit) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}
