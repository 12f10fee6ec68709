import { endsLine, findIgnoringIndent, type IndentMatch, matchedLines, reindent } from './indentMatch.ts';
import { lfView, lineEndAround, lineNumberAt, splitLines, withLf } from './lineEnds.ts';
import { mergeLineEnds } from './mergeLines.ts';
import { nearestLines } from './nearestLines.ts';

export interface Replacement {
	readonly oldText: string;
	readonly newText: string;
	readonly replaceAll: boolean;
}

export type EditOutcome =
	| {
			readonly ok: true;
			readonly text: string;
			/** Places that were replaced. */
			readonly places: number;
			/** What the model should know of how it was matched. */
			readonly notes: readonly string[];
	  }
	| { readonly ok: false; readonly error: string };

interface Span {
	readonly start: number;
	readonly end: number;
}
type Step = { readonly text: string; readonly places: number; readonly note?: string } | { readonly error: string };

const MAX_LINE_NUMBERS = 10;
/** Characters of a line that an error shows. */
const SHOWN_CHARS = 160;

/**
 * Applies replacements one after the other, each to the result of the one before; all of them or none.
 *
 * The text to replace is looked for exactly, then with line ends disregarded, then line by line with indentation
 * disregarded; the last only where it stands once. Nothing outside what was matched changes, and lines within that
 * stay the same keep their line ends. New lines take the line end of their surroundings, unless the replacement
 * changes nothing but line ends: then it is taken as it is. Entities and escapes are never decoded, and `$` means `$`.
 */
export function applyReplacements(original: string, replacements: readonly Replacement[]): EditOutcome {
	let text = original;
	let places = 0;
	const notes: string[] = [];
	for (const [index, replacement] of replacements.entries()) {
		const which = replacements.length > 1 ? `Replacement ${index + 1} of ${replacements.length}: ` : '';
		const step = applyOne(text, replacement);
		if ('error' in step) {
			const rest = replacements.length > 1 ? ' None of the replacements was made.' : '';
			return { ok: false, error: `${which}${step.error}${rest}` };
		}
		text = step.text;
		places += step.places;
		if (step.note !== undefined) {
			notes.push(`${which}${step.note}`);
		}
	}
	return { ok: true, text, places, notes };
}

function applyOne(text: string, replacement: Replacement): Step {
	const { oldText, newText, replaceAll } = withoutMark(replacement);
	if (oldText === '') {
		return text === ''
			? { text: newText, places: 1 }
			: {
					error:
						'old_str is empty. Give the text to replace; to add text, give a line next to the place and repeat it in new_str.',
				};
	}
	const exact =
		replaceAll && !oldText.includes('\r')
			? []
			: spansOf(text, oldText).map((span) => wholeLineEnds(text, span, oldText));
	const [spans, isExact] = exact.length > 0 ? [exact, true] : [spansIgnoringLineEnds(text, oldText), false];
	if (spans.length > 1 && !replaceAll) {
		return { error: severalError(spans.map(({ start }) => lineNumberAt(text, start))) };
	}
	if (spans.length === 0) {
		return applyIgnoringIndent(text, { oldText, newText, replaceAll });
	}
	const isAboutLineEnds = isExact && oldText !== newText && withLf(oldText) === withLf(newText);
	let result = '';
	let done = 0;
	for (const { start, end } of spans) {
		const region = text.slice(start, end);
		const next = isAboutLineEnds ? newText : mergeLineEnds(region, newText, lineEndAround(text, start, end));
		result += text.slice(done, start) + next;
		done = end;
	}
	return { text: result + text.slice(done), places: spans.length };
}

function applyIgnoringIndent(text: string, { oldText, newText }: Replacement): Step {
	const lines = splitLines(text);
	const matches = findIgnoringIndent(text, lines, oldText);
	const [match] = matches;
	if (match === undefined) {
		return { error: noneError(text, oldText) };
	}
	if (matches.length > 1) {
		const numbers = matches.map(({ first }) => first + 1);
		return {
			error: `${severalError(numbers)} They differ from old_str in their indentation; give it as it is in the file.`,
		};
	}
	const { start, end } = spanOfLines(text, match, endsLine(oldText));
	const around = lineEndAround(text, start, end);
	const next = reindent(matchedLines(text, lines, match), oldText, newText, around);
	return {
		text: text.slice(0, start) + next + text.slice(end),
		places: 1,
		note:
			`old_str matched line ${match.first + 1} only with its indentation disregarded; ` +
			"new_str was given the file's indentation.",
	};
}

function spanOfLines(text: string, { first, last }: IndentMatch, withLastEnd: boolean): Span {
	const lines = splitLines(text);
	const lastLine = lines[last];
	const end = lastLine?.end ?? text.length;
	return { start: lines[first]?.start ?? 0, end: withLastEnd ? end + (lastLine?.lineEnd.length ?? 0) : end };
}

function spansOf(text: string, wanted: string): Span[] {
	const spans: Span[] = [];
	for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
		spans.push({ start: at, end: at + wanted.length });
	}
	return spans;
}

function spansIgnoringLineEnds(text: string, oldText: string): Span[] {
	const view = lfView(text);
	const wanted = text.includes('\n') ? withLf(oldText) : withLf(oldText).replaceAll('\r', '\n');
	return spansOf(view.text, wanted).map(({ start, end }) => ({
		start: view.toOriginal(start),
		end: view.toOriginal(end),
	}));
}

/** A match that begins with the LF of a CRLF takes the CR too: no half of a line end is left. */
function wholeLineEnds(text: string, { start, end }: Span, oldText: string): Span {
	const isHalf = oldText.startsWith('\n') && start > 0 && text.charCodeAt(start - 1) === 13;
	return { start: isHalf ? start - 1 : start, end };
}

/** The text of a file is without its byte order mark; a model may have seen it elsewhere. */
function withoutMark({ oldText, newText, replaceAll }: Replacement): Replacement {
	return oldText.startsWith('\ufeff')
		? { oldText: oldText.slice(1), newText: newText.replace(/^\ufeff/, ''), replaceAll }
		: { oldText, newText, replaceAll };
}

function severalError(lines: readonly number[]): string {
	const shown = lines.slice(0, MAX_LINE_NUMBERS).join(', ');
	const more = lines.length > MAX_LINE_NUMBERS ? ' and more' : '';
	return (
		`old_str is not unique: it begins at lines ${shown}${more}. ` +
		'Add neighbouring lines to make it unique, or set replace_all.'
	);
}

function noneError(text: string, oldText: string): string {
	if (text === '') {
		return 'old_str was not found: the file is empty.';
	}
	const near = nearestLines(text, oldText);
	const shown = near.map(({ line, text: content }) => `\n${line}\t${content.slice(0, SHOWN_CHARS)}`).join('');
	const numbered = /^\s*\d+\t/.test(oldText)
		? ' It seems to begin with a line number as Read shows them: leave those out.'
		: '';
	return near.length > 0
		? `old_str was not found.${numbered} The lines most like it are:${shown}\nGive the text exactly as it is in the file.`
		: `old_str was not found, and nothing is like it.${numbered} Read the file again.`;
}
