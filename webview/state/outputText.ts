/** Characters of a running command's output that the panel keeps. The whole is in the tool output store. */
export const OUTPUT_LIMIT = 65_536;

interface Piece {
	readonly offset: number;
	readonly text: string;
}

/** Output of a running command: pieces in order, with holes where the host left something out. */
export type OutputText = readonly Piece[];

export const NO_OUTPUT: OutputText = [];

/** What the card draws: text, or how many characters (UTF-16 units) are not shown here. */
export type OutputPart = { readonly text: string } | { readonly omitted: number };

const end = (piece: Piece) => piece.offset + piece.text.length;

/**
 * Puts a delta in its place: everything from `offset` on is replaced by `text`. An offset past the end leaves a hole.
 * Applying the same delta again changes nothing. Only the last {@link OUTPUT_LIMIT} characters are kept.
 */
export function applyOutput(output: OutputText, offset: number, text: string): OutputText {
	const kept: Piece[] = [];
	for (const piece of output) {
		if (end(piece) <= offset) {
			kept.push(piece);
		} else if (piece.offset < offset) {
			kept.push({ offset: piece.offset, text: piece.text.slice(0, offset - piece.offset) });
		}
	}
	const last = kept.at(-1);
	if (last && end(last) === offset) {
		kept[kept.length - 1] = { offset: last.offset, text: last.text + text };
	} else {
		kept.push({ offset, text });
	}
	return trim(kept);
}

function trim(pieces: readonly Piece[]): OutputText {
	const last = pieces.at(-1);
	const from = last ? end(last) - OUTPUT_LIMIT : 0;
	if (from <= 0 || pieces.every((piece) => piece.offset >= from)) {
		return pieces;
	}
	return pieces
		.filter((piece) => end(piece) > from)
		.map((piece) => (piece.offset >= from ? piece : { offset: from, text: piece.text.slice(from - piece.offset) }));
}

/** @param limit how many characters to show at most, from the end. */
export function outputParts(output: OutputText, limit: number = OUTPUT_LIMIT): OutputPart[] {
	const parts: OutputPart[] = [];
	const last = output.at(-1);
	const from = Math.max(0, (last ? end(last) : 0) - limit);
	let position = 0;
	for (const piece of output) {
		const start = Math.max(piece.offset, from);
		if (end(piece) <= start) {
			continue;
		}
		if (start > position) {
			parts.push({ omitted: start - position });
		}
		parts.push({ text: piece.text.slice(start - piece.offset) });
		position = end(piece);
	}
	return parts;
}

export function outputLength(output: OutputText): number {
	const last = output.at(-1);
	return last ? end(last) : 0;
}
