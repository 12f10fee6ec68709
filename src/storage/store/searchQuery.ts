/** Marks around what matched, in SQLite's snippet: control characters, which no message holds for long. */
export const MATCH_START = '\u0002';
export const MATCH_END = '\u0003';

export interface SnippetPart {
	readonly text: string;
	readonly match: boolean;
}

/**
 * What the user typed as an FTS5 query: every word must be there, the last one may be the start of a word. Nothing in it
 * is taken as FTS5 syntax.
 * @returns undefined where there is no word in it
 */
export function toFtsQuery(typed: string): string | undefined {
	const words = typed.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu);
	return words === null ? undefined : `${words.map((word) => `"${word}"`).join(' ')} *`;
}

/** Splits a snippet at its marks. */
export function toParts(snippet: string): SnippetPart[] {
	return snippet
		.split(MATCH_START)
		.flatMap((piece, index) => {
			const end = index === 0 ? -1 : piece.indexOf(MATCH_END);
			return [
				{ text: piece.slice(0, Math.max(0, end)), match: true },
				{ text: piece.slice(end + 1), match: false },
			];
		})
		.filter(({ text }) => text !== '');
}
