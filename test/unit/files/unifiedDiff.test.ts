import assert from 'node:assert/strict';
import { applyPatch, parsePatch, reversePatch } from 'diff';
import fc from 'fast-check';
import { unifiedDiff, wholeDiff } from '../../../src/files/unifiedDiff.ts';
import { spliceBetween } from '../../../src/files/openDocuments.ts';

describe('unifiedDiff', () => {
	it('shows a change with three lines around it', () => {
		const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';
		assert.deepEqual(unifiedDiff('src/x', before, before.replace('e', 'E')), {
			path: 'src/x',
			change: 'update',
			diff: '--- a/src/x\n+++ b/src/x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n',
			added: 1,
			removed: 1,
		});
	});

	it('can be applied', () => {
		const text = fc
			.array(fc.constantFrom('a', 'b', 'c', '-x', '+y', '@@', ''), { maxLength: 20 })
			.map((lines) => lines.join('\n'));
		fc.assert(
			fc.property(text, text, (before, after) => {
				const { diff } = unifiedDiff('f', before, after);
				const created = unifiedDiff('f', undefined, after);
				assert.equal(created.diff === '' ? '' : applyPatch('', created.diff), after);
				assert.equal(diff === '' ? before : applyPatch(before, diff), after);
			}),
		);
	});

	it('counts all, and cuts what it shows', () => {
		const after = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('');
		const created = unifiedDiff('f', undefined, after);
		assert.equal(created.added, 5000);
		assert.equal(created.truncated, true);
		assert.ok(created.diff.split('\n').length < 210);
		const wide = unifiedDiff('f', undefined, `${'x'.repeat(1_000_000)}\n`.repeat(5));
		assert.ok(wide.diff.length < 25_000);
	});

	it('ends in time for texts that have nothing in common', () => {
		const lines = (prefix: string) =>
			Array.from({ length: 20_000 }, (_, index) => `${prefix}${index * 7919}`).join('\n');
		const { added, removed } = unifiedDiff('f', lines('a'), lines('b'));
		assert.deepEqual([added, removed], [20_000, 20_000]);
	});

	it('shows changed line ends, and is quiet about those that both have', () => {
		assert.equal(unifiedDiff('f', 'a\r\nb\r\n', 'a\nb\n').removed, 2);
		assert.ok(!unifiedDiff('f', 'a\r\nb\r\n', 'a\r\nc\r\n').diff.includes('\r'));
	});

	it('keeps the whole of a change whose card shows a part, so that it can be taken back', () => {
		const before = Array.from({ length: 900 }, (_, line) => `line ${line}\n`).join('') + 'x'.repeat(5000);
		const after = before.replaceAll('line', 'row');
		const shown = unifiedDiff('big.txt', before, after);
		assert.equal(shown.truncated, true);
		const { fullOutput } = wholeDiff(shown, before, after);
		const [patch] = parsePatch(fullOutput ?? '');
		assert.equal(applyPatch(after, reversePatch(patch!)), before);
		assert.deepEqual(wholeDiff(unifiedDiff('small.txt', 'a\n', 'b\n'), 'a\n', 'b\n'), {});
	});
});

describe('spliceBetween', () => {
	it('turns one text into the other, and divides neither CRLF nor a surrogate pair', () => {
		const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '\r', '😀', '😁'), maxLength: 12 });
		fc.assert(
			fc.property(text, text, (before, after) => {
				const { start, end, text: middle } = spliceBetween(before, after);
				assert.ok(start <= end);
				assert.equal(before.slice(0, start) + middle + before.slice(end), after);
				for (const offset of [start, end]) {
					assert.doesNotMatch(before.slice(offset - 1, offset + 1), /^\r\n$|^[\ud800-\udbff][\udc00-\udfff]$/);
				}
			}),
			{ numRuns: 1000 },
		);
	});
});
