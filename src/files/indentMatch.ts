import { diffArrays } from 'diff';
import { type LineEnd, type TextLine, withLf } from './lineEnds.ts';

/** Lines of the text that are the wanted ones but for blanks at their ends. `[first, last]` are 0-based indices. */
export interface IndentMatch {
	readonly first: number;
	readonly last: number;
}

/** What a match stands on in the file. */
export interface MatchedLines {
	/** Without line ends. */
	readonly lines: readonly string[];
	readonly ends: readonly (LineEnd | '')[];
	/** One level of the file's indentation; undefined where it shows none. */
	readonly unit: string | undefined;
}

/** Lines of a file that its indentation is judged by. */
const UNIT_LINES = 2_000;
/** Matches that are looked for: to say where several are, not to list them all. */
const MAX_MATCHES = 20;

/** Finds where whole lines equal those of `wanted`, not regarding white space at either end of each. */
export function findIgnoringIndent(text: string, lines: readonly TextLine[], wanted: string): IndentMatch[] {
	const targets = contentLines(wanted).map((line) => line.trim());
	if (targets.every((target) => target === '')) {
		return [];
	}
	const trimmed = lines.map(({ start, end }) => text.slice(start, end).trim());
	const matches: IndentMatch[] = [];
	for (let first = 0; first + targets.length <= trimmed.length && matches.length < MAX_MATCHES; first++) {
		if (targets.every((target, offset) => trimmed[first + offset] === target)) {
			matches.push({ first, last: first + targets.length - 1 });
		}
	}
	return matches;
}

/** Collects what {@link reindent} needs of a match. */
export function matchedLines(text: string, lines: readonly TextLine[], { first, last }: IndentMatch): MatchedLines {
	const content = ({ start, end }: TextLine) => text.slice(start, end);
	const matched = lines.slice(first, last + 1);
	const nearby = lines.slice(Math.max(0, first - UNIT_LINES / 2), last + UNIT_LINES / 2);
	return {
		lines: matched.map(content),
		ends: matched.map(({ lineEnd }) => lineEnd),
		unit: indentUnit(nearby.map(content)),
	};
}

/**
 * Builds the text for the place of lines that matched but for their indentation: lines that the model didn't change
 * stay as they are in the file, the others get the file's indentation for the one that the model gave them.
 * @param around the line end for where the matched lines have none.
 */
export function reindent(match: MatchedLines, oldText: string, newText: string, around: LineEnd): string {
	const oldLines = contentLines(oldText);
	const newLines = newText === '' ? [] : contentLines(newText);
	const indents = new IndentMap(oldLines, newLines, match);
	const changes = diffArrays(oldLines.map(trim), newLines.map(trim));
	const result: { text: string; end: LineEnd | '' }[] = [];
	let oldIndex = 0;
	let newIndex = 0;
	let end: LineEnd = around;
	for (const { added, removed, value } of changes) {
		for (let step = 0; step < value.length; step++) {
			const newLine = newLines[newIndex] ?? '';
			if (added) {
				result.push({ text: indents.apply(newLine, oldIndex), end });
				newIndex++;
				continue;
			}
			const fileEnd = match.ends[oldIndex] ?? '';
			end = fileEnd === '' ? end : fileEnd;
			if (!removed) {
				const isSameIndent = indentOf(newLine) === indentOf(oldLines[oldIndex] ?? '');
				result.push({
					text: isSameIndent ? (match.lines[oldIndex] ?? '') : indents.apply(newLine, oldIndex),
					end,
				});
				newIndex++;
			}
			oldIndex++;
		}
	}
	const keepsLastEnd = endsLine(newText);
	return result
		.map(({ text, end: own }, index) => (index < result.length - 1 || keepsLastEnd ? text + own : text))
		.join('');
}

/** @returns whether the text ends with a line end, so that the end of its last line belongs to it. */
export function endsLine(text: string): boolean {
	return text.endsWith('\n');
}

/** Which indentation in the file stands for which one of the model's text. */
class IndentMap {
	readonly #pairs: readonly { readonly from: string; readonly to: string; readonly index: number }[];
	readonly #fromUnit: string;
	readonly #toUnit: string;

	constructor(oldLines: readonly string[], newLines: readonly string[], match: MatchedLines) {
		const { lines: fileLines } = match;
		this.#pairs = oldLines
			.map((line, index) => ({
				from: indentOf(line),
				to: indentOf(fileLines[index] ?? ''),
				index,
				blank: trim(line) === '',
			}))
			.filter(({ blank }) => !blank);
		this.#toUnit = match.unit ?? '    ';
		this.#fromUnit = indentUnit([...oldLines, ...newLines]) ?? this.#toUnit;
	}

	/** @param near the index of the old line at which the new one stands: equal indentations may differ by place. */
	apply(line: string, near: number): string {
		const content = trim(line);
		if (content === '') {
			return '';
		}
		const indent = indentOf(line);
		const base = this.#base(indent, near);
		if (base === undefined) {
			return indent + content;
		}
		if (indent.startsWith(base.from)) {
			return base.to + this.#convert(indent.slice(base.from.length)) + content;
		}
		const levels = Math.ceil((base.from.length - indent.length) / this.#fromUnit.length);
		const rest = Math.max(0, base.to.length - levels * this.#toUnit.length);
		return base.to.slice(0, rest) + content;
	}

	#base(indent: string, near: number) {
		const byNearness = this.#pairs.toSorted((a, b) => Math.abs(a.index - near) - Math.abs(b.index - near));
		const prefixes = byNearness.filter(({ from }) => indent.startsWith(from));
		const candidates = prefixes.length > 0 ? prefixes : byNearness;
		const wantsLongest = prefixes.length > 0;
		return candidates.reduce<(typeof candidates)[number] | undefined>((best, pair) => {
			const isBetter =
				best === undefined ||
				(wantsLongest ? pair.from.length > best.from.length : pair.from.length < best.from.length);
			return isBetter ? pair : best;
		}, undefined);
	}

	#convert(extra: string): string {
		if (this.#fromUnit === this.#toUnit) {
			return extra;
		}
		const levels = Math.floor(extra.length / this.#fromUnit.length);
		const rest = extra.slice(levels * this.#fromUnit.length);
		return this.#toUnit.repeat(levels) + rest;
	}
}

/** Guesses one level of indentation: a tab if any line has one, else the commonest step from a line to a deeper next one. */
function indentUnit(lines: readonly string[]): string | undefined {
	const indents = lines.filter((line) => trim(line) !== '').map(indentOf);
	if (indents.some((indent) => indent.includes('\t'))) {
		return '\t';
	}
	const votes = new Map<number, number>();
	for (const [index, indent] of indents.entries()) {
		const step = indent.length - (indents[index - 1]?.length ?? indent.length);
		if (step > 1) {
			votes.set(step, (votes.get(step) ?? 0) + 1);
		}
	}
	const [commonest] = [...votes].sort(([a, times], [b, otherTimes]) => otherTimes - times || a - b);
	return commonest === undefined ? undefined : ' '.repeat(commonest[0]);
}

function contentLines(text: string): string[] {
	const lines = withLf(text).split('\n');
	return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function indentOf(line: string): string {
	return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function trim(line: string): string {
	return line.trim();
}
