import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAnsi } from '../../../../webview/parts/ansi.ts';
import { formatAgo, formatCount, formatDuration, splitPath } from '../../../../webview/parts/format.ts';
import { visiblePieces } from '../../../../webview/parts/hiddenChars.ts';
import { highlight } from '../../../../webview/parts/highlight.ts';
import { parseDiff } from '../../../../webview/parts/parseDiff.ts';
import { createTwoFilesPatch } from 'diff';

describe('parseAnsi', () => {
	it('reads colours and weights', () => {
		assert.deepEqual(parseAnsi('a\u001b[1;31mb\u001b[0mc\u001b[94md\u001b[39me'), [
			{ text: 'a' },
			{ text: 'b', bold: true, fg: 1 },
			{ text: 'c' },
			{ text: 'd', fg: 12 },
			{ text: 'e' },
		]);
	});

	it('takes the sixteen from the 256 colours, and the default for the others', () => {
		assert.deepEqual(parseAnsi('\u001b[38;5;2ma\u001b[38;2;1;31;4mb\u001b[48;5;200mc'), [
			{ text: 'a', fg: 2 },
			{ text: 'b' },
			{ text: 'c' },
		]);
	});

	it('leaves every other control sequence out and every printable character in', () => {
		assert.equal(
			parseAnsi('x\u001b]8;;http://e\u0007link\u001b]8;;\u001b\\\u001b[2K\u001b[?25ly\u0007\u001b(B')
				.map(({ text }) => text)
				.join(''),
			'xlinky',
		);
		fc.assert(
			fc.property(
				fc.string({
					unit: fc.constantFrom('a', '\n', '\t', '\u001b', '[', '3', '1', 'm', ';', ']', '\u0007', '\\', 'é'),
				}),
				(text) => {
					assert.doesNotMatch(
						parseAnsi(text)
							.map((span) => span.text)
							.join(''),
						/[\u0000-\u0008\u001b]/,
					);
				},
			),
		);
	});
});

describe('visiblePieces', () => {
	it('loses no character', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				assert.equal(
					visiblePieces(text)
						.map((piece) => ('mark' in piece ? piece.mark : piece.text))
						.join(''),
					text,
				);
			}),
		);
	});

	const HIDDEN: readonly (readonly [string, string])[] = [
		['\u202e', 'RLO'],
		['\u2066', 'LRI'],
		['\u200b', 'ZWSP'],
		['\u001b', 'ESC'],
		['\r', 'CR'],
		['\u0000', 'NUL'],
		['\u00ad', 'U+00AD'],
		['\u3164', 'U+3164'],
		['\u{e0041}', 'U+E0041'],
		['\ufe0f', 'U+FE0F'],
		['\ud800', 'U+D800'],
	];
	for (const [char, name] of HIDDEN) {
		it(`names ${name}`, () => {
			assert.deepEqual(visiblePieces(`rm ${char}x`), [{ text: 'rm ' }, { mark: char, name }, { text: 'x' }]);
		});
	}

	it('leaves ordinary text of any script alone', () => {
		const text = 'echo "naïve 日本語 עברית 😀"\n\tdone';
		assert.deepEqual(visiblePieces(text), [{ text }]);
	});
});

describe('parseDiff', () => {
	it('gives both files back from a real patch', () => {
		const line = fc.constantFrom('a', 'b', '', '-- x', '++ y', '@@ -1 +1 @@', ' c', '--- a', '+++ b');
		fc.assert(
			fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
				const [old, next] = [before.map((each) => `${each}\n`).join(''), after.map((each) => `${each}\n`).join('')];
				const lines = parseDiff(createTwoFilesPatch('a', 'b', old, next, '', '', { context: 100 }));
				const side = (kind: 'add' | 'remove') =>
					lines.filter((each) => each.kind === 'context' || each.kind === kind).map(({ text }) => text);
				if (old !== next) {
					assert.deepEqual(side('remove'), before);
					assert.deepEqual(side('add'), after);
				}
			}),
		);
	});

	it('numbers lines as the files do', () => {
		const lines = parseDiff('@@ -10,2 +12,3 @@ function f\n a\n-b\n+c\n+d\n\\ No newline at end of file\n');
		assert.deepEqual(lines, [
			{ kind: 'gap', text: 'function f' },
			{ kind: 'context', text: 'a', oldLine: 10, newLine: 12 },
			{ kind: 'remove', text: 'b', oldLine: 11 },
			{ kind: 'add', text: 'c', newLine: 13 },
			{ kind: 'add', text: 'd', newLine: 14 },
			{ kind: 'note', text: 'No newline at end of file' },
		]);
	});
});

describe('highlight', () => {
	it('keeps the code as it is, in every language', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('ts', 'python', 'html', 'json', 'bash', 'diff', 'nope', ''),
				fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ' ', '\n', 'const ', '&lt;', '</span>') }),
				(language, code) => {
					assert.equal(
						highlight(code, language)
							.map(({ text }) => text)
							.join(''),
						code,
					);
				},
			),
		);
	});

	it('names what it found', () => {
		assert.deepEqual(highlight('const a', 'ts')[0], { text: 'const', scope: 'hljs-keyword' });
	});
});

describe('format', () => {
	it('says durations, counts and ages in short', () => {
		assert.deepEqual([0, 340, 9990, 12_400, 59_600, 185_000].map(formatDuration), [
			'0.0 s',
			'0.3 s',
			'10.0 s',
			'12 s',
			'1 min 00 s',
			'3 min 05 s',
		]);
		assert.deepEqual([0, 999, 3210, 9960, 128_000, 999_700].map(formatCount), [
			'0',
			'999',
			'3.2k',
			'10k',
			'128k',
			'1.0M',
		]);
		const now = 1e12;
		assert.deepEqual(
			[0, 5 * 60e3, 3 * 3600e3, 4 * 86400e3, -5].map((age) => formatAgo(now - age, now)),
			['just now', '5 min ago', '3 h ago', '4 d ago', 'just now'],
		);
	});

	it('splits a path before its name', () => {
		assert.deepEqual(splitPath('src/a/b.ts'), { folder: 'src/a/', name: 'b.ts' });
		assert.deepEqual(splitPath('b.ts'), { folder: '', name: 'b.ts' });
	});
});
