import { splitLines } from './lineEnds.ts';

export interface NearLine {
	/** 1-based. */
	readonly line: number;
	readonly text: string;
}

/** Lines that are looked at: enough for any source file, and about 50 ms. */
const MAX_LINES = 50_000;
/** Characters of a line that are compared. */
const MAX_CHARS = 300;
/** Dice coefficient of letter pairs from which a line counts as alike. */
const LIKENESS = 0.5;

/**
 * Finds the lines that are most like the longest line of `wanted`: what the model may have meant.
 * @returns at most `count`, the best first; none where nothing is alike.
 */
export function nearestLines(text: string, wanted: string, count = 3): NearLine[] {
	const target = longestLine(wanted);
	if (target.length < 2) {
		return [];
	}
	const pairs = pairsOf(target);
	const scored: (NearLine & { score: number })[] = [];
	for (const [index, { start, end }] of splitLines(text).slice(0, MAX_LINES).entries()) {
		const line = text.slice(start, Math.min(end, start + 2 * MAX_CHARS));
		const candidate = line.trim().slice(0, MAX_CHARS);
		const longer = Math.max(candidate.length, target.length);
		// Too short to reach the likeness whatever its letters are.
		if ((2 * Math.min(candidate.length, target.length)) / (longer + 1) < LIKENESS) {
			continue;
		}
		const score = likeness(pairs, target.length - 1, candidate);
		if (score >= LIKENESS) {
			scored.push({ line: index + 1, text: line, score });
		}
	}
	scored.sort((a, b) => b.score - a.score || a.line - b.line);
	return scored.slice(0, count).map(({ line, text: content }) => ({ line, text: content }));
}

function longestLine(text: string): string {
	let longest = '';
	for (const line of text.split(/\r\n|\n|\r/)) {
		const trimmed = line.trim().slice(0, MAX_CHARS);
		longest = trimmed.length > longest.length ? trimmed : longest;
	}
	return longest;
}

function pairsOf(text: string): Set<number> {
	const pairs = new Set<number>();
	for (let index = 0; index + 1 < text.length; index++) {
		pairs.add(pairAt(text, index));
	}
	return pairs;
}

function pairAt(text: string, index: number): number {
	return text.charCodeAt(index) * 0x10000 + text.charCodeAt(index + 1);
}

/** Dice coefficient: the share of letter pairs that both have. */
function likeness(pairs: ReadonlySet<number>, pairCount: number, candidate: string): number {
	let common = 0;
	for (let index = 0; index + 1 < candidate.length; index++) {
		common += pairs.has(pairAt(candidate, index)) ? 1 : 0;
	}
	return (2 * Math.min(common, pairCount)) / (pairCount + Math.max(candidate.length - 1, 1));
}
