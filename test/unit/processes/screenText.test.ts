import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineTail } from '../../../src/processes/lineTail.ts';
import { ScreenText, startOfLastLines } from '../../../src/processes/screenText.ts';

function show(...chunks: readonly string[]): string {
	let text = '';
	const screen = new ScreenText((committed) => (text += committed));
	chunks.forEach((chunk) => screen.write(chunk));
	return text + screen.rest;
}

/** What is written, and what a terminal would show of it as lines. The next case is one line. */
const CORPUS: readonly (readonly [name: string, written: string, shown: string])[] = [
	['plain lines', 'a\nb\n', 'a\nb\n'],
	['Windows line ends', 'a\r\nb\r\n', 'a\nb\n'],
	['a progress bar', '10%\r50%\r100%\n', '100%\n'],
	['a shorter text over a longer one', 'longer\rab\n', 'abnger\n'],
	['a carriage return before the line end only', 'abc\r', 'abc'],
	['backspaces', 'abc\b\bX\n', 'aXc\n'],
	['a spinner', '-\b\\\b|\b/\bdone\n', 'done\n'],
	["npm's spinner", '\x1b[1G\x1b[0K⠙\x1b[1G\x1b[0K⠹\x1b[1G\x1b[0Kadded 1 package\n', 'added 1 package\n'],
	['erasing a line', 'abc\x1b[2K\rX\n', 'X\n'],
	['erasing to the end', 'abcdef\x1b[3D\x1b[KX\n', 'abcX\n'],
	['erasing to the beginning', 'abc\x1b[1D\x1b[1KX\n', '  X\n'],
	['several lines rewritten', 'a 0%\nb 0%\n\x1b[2Aa 100%\n\x1b[1Bend\n', 'a 100%\nb 0%\nend\n'],
	['going up and erasing below', 'a\nb\nc\n\x1b[2A\x1b[JX\n', 'a\nX\n'],
	['beginning of an earlier line', 'ab\ncd\x1b[1FX', 'Xb\ncd'],
	['a column', 'abc\x1b[2GX', 'aXc'],
	['saved places', 'a\x1b7bc\x1b8X', 'aXc'],
	['going far up stops at the top', 'a\n\x1b[99AX\n', 'X\n'],
	['clearing the screen keeps what was there', 'old\n\x1b[2J\x1b[Hnew\n', 'old\n\nnew\n'],
	['a place on the screen', '\x1b[2J\x1b[1;1Ha\x1b[3;2Hb', 'a\n\n b'],
	['colours', '\x1b[1;31mred\x1b[0m\x1b[38;5;12mblue\x1b[m\n', 'redblue\n'],
	['titles and links', '\x1b]0;title\x07\x1b]8;;https://x.test\x1b\\link\x1b]8;;\x1b\\\n', 'link\n'],
	['device control strings', '\x1bPq#0\x1b\\a\n', 'a\n'],
	['modes and character sets', '\x1b[?25l\x1b[?2004h\x1b(Ba\x1b=\n', 'a\n'],
	['bells and zeros', 'a\x07b\0c\n', 'abc\n'],
	['tabs', 'a\tb\n', 'a\tb\n'],
	['C1 controls', 'a\u009bb\n', 'ab\n'],
	['text that is turned round', 'a\u202eb\u2066c\n', 'a<U+202E>b<U+2066>c\n'],
	['text that is hidden', 'a\u200bb\u{e0041}c\n', 'a<U+200B>b<U+E0041>c\n'],
	['joined emoji', '👩‍💻 ok\n', '👩‍💻 ok\n'],
	['half of a pair written over', '😀\x1b[1DX', '\ufffdX'],
	['an unfinished sequence at the end', 'a\x1b[3', 'a'],
	['an escape that is none', 'a\x1b\x1b[31mb', 'ab'],
];

describe('what a terminal shows', () => {
	for (const [name, written, shown] of CORPUS) {
		it(`of ${name}`, () => assert.equal(show(written), shown));
	}

	it('is the same however the output is cut into chunks (property)', () => {
		fc.assert(
			fc.property(
				fc.constantFrom(...CORPUS),
				fc.constantFrom(...CORPUS),
				fc.array(fc.nat(60)),
				([, a], [, b], cuts) => {
					const text = a + b;
					const characters = Array.from(text);
					const at = [...new Set(cuts.filter((cut) => cut < characters.length))].sort((x, y) => x - y);
					const chunks = [...at, characters.length].map((cut, index) =>
						characters.slice(index === 0 ? 0 : at[index - 1], cut).join(''),
					);
					assert.equal(show(...chunks), show(text));
				},
			),
		);
	});

	it('of any bytes has neither controls nor hidden characters, and memory stays bounded (property)', () => {
		const piece = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.constantFrom(
				'\x1b[',
				'\x1b]',
				'A',
				'5A',
				'2K',
				'J',
				'\r',
				'\n',
				'\b',
				'\x1b[999;999H',
				'x'.repeat(20_000),
				'\n\n\x1b[2A',
				'\n'.repeat(100),
			),
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				let committed = 0;
				const screen = new ScreenText((text) => {
					committed += text.length;
					assert.doesNotMatch(text, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
				});
				for (const text of pieces) {
					screen.write(text);
					assert.equal(screen.committed, committed);
					assert.ok(screen.rest.length < 1_000_000);
				}
				assert.doesNotMatch(screen.rest, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
			}),
		);
	});

	it('needs no memory for rows without end, wherever the cursor stands', () => {
		for (const start of ['', '\n\n\x1b[2A', 'x'.repeat(30_000) + '\r']) {
			let committed = 0;
			const screen = new ScreenText((text) => (committed += text.length));
			screen.write(start);
			for (let index = 0; index < 500; index++) {
				screen.write('y'.repeat(1000));
			}
			assert.ok(screen.rest.length < 60_000 && committed > 450_000, `${screen.rest.length} and ${committed}`);
		}
	});

	it('tells from which offset on it changed (property)', () => {
		const piece = fc.constantFrom(
			'ab',
			'c\n',
			'\r',
			'\x1b[1A',
			'\x1b[2K',
			'\b',
			'\x1b[J',
			'\x1b[3G',
			'x\n'.repeat(70),
			'y'.repeat(17_000),
			'\x1b[2J',
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
				let committed = '';
				const screen = new ScreenText((text) => (committed += text));
				let before = '';
				for (const text of pieces) {
					screen.write(text);
					const now = committed + screen.rest;
					const dirty = screen.takeDirty();
					assert.equal(now.slice(0, dirty), before.slice(0, Math.min(dirty, now.length)), JSON.stringify(pieces));
					assert.ok(dirty <= now.length || now === before);
					before = now;
				}
			}),
		);
	});
});

describe('last lines', () => {
	it('are counted and kept like splitting the whole text would (property)', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('a', '\n', 'bc\n', '\n\n', 'd\ne')),
				fc.constantFrom('', 'x', 'x\n', '\ny'),
				(pieces, rest) => {
					const tail = new LineTail(3);
					pieces.forEach((text) => tail.push(text));
					const lines = (pieces.join('') + rest).split('\n');
					if (lines.at(-1) === '') {
						lines.pop();
					}
					assert.equal(tail.count(rest), lines.length);
					assert.deepEqual(tail.lines(rest), lines.slice(-3));
				},
			),
		);
	});

	it('begin where they should', () => {
		assert.equal(startOfLastLines('a\nb\nc', 1), 2);
		assert.equal(startOfLastLines('\na', 0), 1);
		assert.equal(startOfLastLines('a', 5), 0);
		assert.equal(startOfLastLines('', 5), 0);
	});
});
