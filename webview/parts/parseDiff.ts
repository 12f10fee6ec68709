/** A line of a unified diff with its numbers in the old and the new file; `gap` stands between hunks. */
export interface DiffLine {
	readonly kind: 'add' | 'remove' | 'context' | 'gap' | 'note';
	readonly text: string;
	readonly oldLine?: number;
	readonly newLine?: number;
}

/** Reads a unified diff (GNU diffutils manual, "Detailed Unified"); file headers are left out, what fits nowhere is a note. */
export function parseDiff(diff: string): DiffLine[] {
	const lines: DiffLine[] = [];
	let oldLine = 0;
	let newLine = 0;
	let oldLeft = 0;
	let newLeft = 0;
	const source = diff.endsWith('\n') ? diff.slice(0, -1).split('\n') : diff.split('\n');
	for (const line of source) {
		const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/.exec(line);
		const inHunk = oldLeft > 0 || newLeft > 0;
		if (hunk && !inHunk) {
			oldLine = Number(hunk[1]);
			newLine = Number(hunk[3]);
			oldLeft = Number(hunk[2] ?? 1);
			newLeft = Number(hunk[4] ?? 1);
			if (lines.length > 0 || oldLine > 1) {
				lines.push({ kind: 'gap', text: (hunk[5] ?? '').trim() });
			}
		} else if (inHunk && line.startsWith('+')) {
			lines.push({ kind: 'add', text: line.slice(1), newLine: newLine++ });
			newLeft--;
		} else if (inHunk && line.startsWith('-')) {
			lines.push({ kind: 'remove', text: line.slice(1), oldLine: oldLine++ });
			oldLeft--;
		} else if (inHunk && (line.startsWith(' ') || line === '')) {
			lines.push({ kind: 'context', text: line.slice(1), oldLine: oldLine++, newLine: newLine++ });
			oldLeft--;
			newLeft--;
		} else if (line.startsWith('\\')) {
			lines.push({ kind: 'note', text: line.slice(1).trim() });
		} else if (!/^(?:---|\+\+\+|diff |index |Index: |=====|new file|deleted file)/.test(line) && line !== '') {
			lines.push({ kind: 'note', text: line });
		}
	}
	return lines;
}
