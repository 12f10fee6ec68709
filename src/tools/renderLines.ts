import type { TextLine } from '../files/index.ts';

export interface RenderedLines {
	readonly text: string;
	/** The 1-based number of the first line that is not shown. */
	readonly next: number;
	/** The text of a line was cut. */
	readonly isCut: boolean;
}

/**
 * Numbers lines for the model, as many as fit.
 * @param range 1-based, within `lines`.
 * @param limit characters. At least one line is shown; it is cut where it alone is longer.
 * @param firstNumber the number to give to the first of `lines`.
 */
export function renderLines(
	text: string,
	lines: readonly TextLine[],
	range: { readonly start: number; readonly count: number },
	limit: number,
	firstNumber = 1,
): RenderedLines {
	const shown: string[] = [];
	let length = 0;
	let next = range.start;
	const end = Math.min(lines.length, range.start - 1 + range.count);
	for (const line of lines.slice(range.start - 1, end)) {
		const head = `${firstNumber + next - 1}\t`;
		const size = head.length + line.end - line.start + 1;
		if (length + size > limit) {
			if (shown.length > 0) {
				break;
			}
			const room = Math.max(0, limit - head.length);
			const cut = `${head}${text.slice(line.start, line.start + room)}\n(Line cut: it has ${line.end - line.start} characters or more.)`;
			return { text: cut, next: next + 1, isCut: true };
		}
		shown.push(head + text.slice(line.start, line.end));
		length += size;
		next++;
	}
	return { text: shown.join('\n'), next, isCut: false };
}
