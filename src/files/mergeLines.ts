import { diffArrays } from 'diff';
import { type LineEnd, splitLines, withLf } from './lineEnds.ts';

/** Milliseconds that finding the unchanged lines may take; then all lines count as changed. */
const DIFF_TIMEOUT_MS = 300;

/**
 * Puts a new text in the place of an old one so that lines which don't change keep their line ends, and the others
 * take those of their neighbours.
 * @param region the old text, with its line ends as they stand in the file.
 * @param replacement the new text, with LF or CRLF line ends.
 * @param around the line end for where `region` has none.
 */
export function mergeLineEnds(region: string, replacement: string, around: LineEnd): string {
	const next = withLf(replacement);
	const before = splitLines(region);
	const kinds = new Set(before.map(({ lineEnd }) => lineEnd).filter((lineEnd) => lineEnd !== ''));
	if (kinds.size <= 1) {
		const [only] = kinds;
		return withLineEnd(next, only ?? around);
	}
	const oldLines = before.map(({ start, end, lineEnd }) => region.slice(start, end) + (lineEnd === '' ? '' : '\n'));
	const changes = diffArrays(oldLines, next.split(/(?<=\n)/), { timeout: DIFF_TIMEOUT_MS });
	// It ran out of time.
	if (changes === undefined) {
		return withLineEnd(next, around);
	}
	return mergeChanges(changes, before, region, around);
}

function mergeChanges(
	changes: readonly { added: boolean; removed: boolean; value: string[] }[],
	before: ReturnType<typeof splitLines>,
	region: string,
	around: LineEnd,
): string {
	let merged = '';
	let index = 0;
	let current = around;
	for (const { added, removed, value } of changes) {
		if (added) {
			merged += value.map((line) => withLineEnd(line, current)).join('');
			continue;
		}
		for (const { start, end, lineEnd } of before.slice(index, index + value.length)) {
			current = lineEnd === '' ? current : lineEnd;
			merged += removed ? '' : region.slice(start, end) + lineEnd;
		}
		index += value.length;
	}
	return merged;
}

function withLineEnd(lfText: string, lineEnd: LineEnd): string {
	return lineEnd === '\n' ? lfText : lfText.replaceAll('\n', lineEnd);
}
