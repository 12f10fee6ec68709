import { structuredPatch } from 'diff';
import type { FileDiff } from '../protocol/index.ts';

/** Milliseconds that a diff may take. A larger one is shown as all lines of the changed part. */
const TIMEOUT_MS = 300;
export interface DiffLimits {
	readonly lines: number;
	readonly chars: number;
	readonly lineChars: number;
}
/** What a card can show; the whole change is seen in the diff editor. */
const CARD: DiffLimits = { lines: 200, chars: 20_000, lineChars: 1_000 };
const NONE: DiffLimits = { lines: Infinity, chars: Infinity, lineChars: Infinity };
const CONTEXT_LINES = 3;

interface Hunk {
	readonly oldStart: number;
	readonly oldLines: number;
	readonly newStart: number;
	readonly newLines: number;
	/** Each with its mark: ` `, `-`, `+`, or `\` for a missing line end. */
	readonly lines: readonly string[];
}

/**
 * Compares two versions of a file.
 * @param path as it is to be shown.
 * @param before undefined where the file did not exist.
 * @param after undefined where it will not.
 * @param limits of the diff's text; about 200 lines and 20 kB unless given.
 * @returns the change; `added` and `removed` count all of it, also where its diff is cut.
 */
export function unifiedDiff(
	path: string,
	before: string | undefined,
	after: string | undefined,
	limits: DiffLimits = CARD,
): FileDiff {
	const change = before === undefined ? 'create' : after === undefined ? 'delete' : 'update';
	const old = displayed(before ?? '', after);
	const next = displayed(after ?? '', before);
	const hunks = old === next ? [] : change === 'update' ? hunksOf(old, next) : [wholeHunk(old, next)];
	const count = (mark: string) =>
		hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
	const head =
		`--- ${before === undefined ? '/dev/null' : `a/${path}`}\n` +
		`+++ ${after === undefined ? '/dev/null' : `b/${path}`}\n`;
	const { text, truncated } = hunks.length === 0 ? { text: '', truncated: false } : cut(head, hunks, limits);
	return {
		path,
		change,
		diff: text,
		added: count('+'),
		removed: count('-'),
		...(truncated ? { truncated } : {}),
	};
}

/**
 * @param shown what a card shows of the change.
 * @returns the whole diff, where the card's is cut: it is kept for the diff editor.
 */
export function wholeDiff(
	shown: FileDiff,
	before: string | undefined,
	after: string | undefined,
): { readonly fullOutput?: string } {
	return shown.truncated === true ? { fullOutput: unifiedDiff(shown.path, before, after, NONE).diff } : {};
}

/** A change of a file whose content is no text. */
export function binaryDiff(path: string, change: FileDiff['change']): FileDiff {
	return { path, change, diff: '', added: 0, removed: 0 };
}

/** CR are left out where both sides have CRLF: they say nothing there. */
function displayed(text: string, other: string | undefined): string {
	return other === undefined || other.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

function hunksOf(before: string, after: string): readonly Hunk[] {
	const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, timeout: TIMEOUT_MS });
	// Without a patch, it ran out of time.
	return patch?.hunks ?? [wholeHunk(before, after)];
}

/** Everything between the lines that both begin and end with. */
function wholeHunk(before: string, after: string): Hunk {
	const old = linesOf(before);
	const next = linesOf(after);
	const limit = Math.min(old.length, next.length);
	let top = 0;
	while (top < limit && old[top] === next[top]) {
		top++;
	}
	let bottom = 0;
	while (bottom < limit - top && old.at(-1 - bottom) === next.at(-1 - bottom)) {
		bottom++;
	}
	const removed = old.slice(top, old.length - bottom);
	const added = next.slice(top, next.length - bottom);
	return {
		oldStart: top + 1,
		oldLines: removed.length,
		newStart: top + 1,
		newLines: added.length,
		lines: [...removed.flatMap((line) => marked('-', line)), ...added.flatMap((line) => marked('+', line))],
	};
}

/** With their line ends. */
function linesOf(text: string): string[] {
	return text === '' ? [] : text.split(/(?<=\n)/);
}

function marked(mark: string, line: string): string[] {
	return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'];
}

function cut(head: string, hunks: readonly Hunk[], limits: DiffLimits): { text: string; truncated: boolean } {
	const parts = [head];
	let chars = head.length;
	let left = limits.lines;
	let truncated = false;
	for (const { oldStart, oldLines, newStart, newLines, lines } of hunks) {
		if (left <= 0) {
			return { text: parts.join(''), truncated: true };
		}
		parts.push(`@@ -${place(oldStart, oldLines)} +${place(newStart, newLines)} @@\n`);
		for (const line of lines) {
			if (left <= 0 || chars >= limits.chars) {
				return { text: parts.join(''), truncated: true };
			}
			const isLong = line.length > limits.lineChars;
			truncated ||= isLong;
			parts.push(isLong ? `${line.slice(0, limits.lineChars)}…\n` : `${line}\n`);
			chars += parts.at(-1)?.length ?? 0;
			left--;
		}
	}
	return { text: parts.join(''), truncated };
}

/** An empty stretch is named by the line before it. */
function place(start: number, lines: number): string {
	return `${lines === 0 ? start - 1 : start},${lines}`;
}
