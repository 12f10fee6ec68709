import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer } from 'marked';
import { decodeEntities, fileInCode, linkTarget } from '../../../../webview/parts/links.ts';
import { GrowingMarkdown } from '../../../../webview/parts/markdownBlocks.ts';

const BLOCKS = [
	'# Title\n',
	'A paragraph with **bold**\nover two lines.\n\n',
	'Setext\n======\n',
	'- one\n- two\n\n  more of two\n  - nested\n',
	'1. first\n\n2. second\n\n',
	'```ts\nconst a = 1;\n\n// blank above\n```\n',
	'~~~\n```\n~~~\n\n',
	'> quote\nlazy\n\n> again\n',
	'| a | b |\n|---|---|\n| 1 | 2 |\n\n',
	'    indented code\n\n',
	'---\n',
	'<div>\nhtml\n</div>\n\n',
	'text\r\nwith CRLF\r\n\r\n',
	'\n\n\n',
	'`unclosed and [link](http://x',
	'```\nnever closed\n',
	'2',
	'- ',
	'   continued?\n',
	'+ other\n',
];

function raws(markdown: {
	readonly settled: readonly { raw: string }[];
	readonly tail: readonly { raw: string }[];
}): string[] {
	return [...markdown.settled, ...markdown.tail].map(({ raw }) => raw.trimEnd());
}

describe('GrowingMarkdown', () => {
	it('gives the same blocks as lexing the whole, however the text grew', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(...BLOCKS), { maxLength: 6 }),
				fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }),
				(blocks, steps) => {
					const text = blocks.join('');
					const growing = new GrowingMarkdown();
					let end = 0;
					for (const step of steps) {
						end = Math.min(text.length, end + step);
						growing.update(text.slice(0, end));
					}
					const whole = lexer(text).filter(({ type }) => type !== 'space');
					assert.deepEqual(raws(growing.update(text)), raws({ settled: whole, tail: [] }));
				},
			),
			{ numRuns: 400 },
		);
	});

	it('keeps settled tokens, so that they are not drawn again', () => {
		const growing = new GrowingMarkdown();
		const before = growing.update('one\n\ntwo\n\nthr').settled;
		const after = growing.update('one\n\ntwo\n\nthree\n\nfour\n').settled;
		assert.equal(after[0], before[0]);
		assert.equal(after.length, 3);
	});

	it('starts anew when the text was taken back', () => {
		const growing = new GrowingMarkdown();
		growing.update('one\n\ntwo\n\nthree');
		assert.deepEqual(raws(growing.update('one')), ['one']);
	});

	// Each of these keeps marked busy for seconds, or overflows its stack.
	for (const piece of ['>', '> ', '1. ', '- ', '_a*', '_a_', 'a*b', '**a_']) {
		it(`is not held up by ${JSON.stringify(piece)} over and over`, () => {
			const text = piece.repeat(6000);
			const start = performance.now();
			assert.equal(raws(new GrowingMarkdown().update(text)).join('').trim(), text.trim());
			const ms = performance.now() - start;
			assert.ok(ms < 500, `${ms.toFixed(0)} ms`);
		});
	}

	it('lexes a long answer in pieces faster than 4 ms a piece', () => {
		const text = BLOCKS.slice(0, 12).join('\n').repeat(60);
		const growing = new GrowingMarkdown();
		const start = performance.now();
		let pieces = 0;
		for (let end = 0; end < text.length; end += 40) {
			growing.update(text.slice(0, end));
			pieces++;
		}
		const ms = (performance.now() - start) / pieces;
		assert.ok(ms < 4, `${ms.toFixed(2)} ms a piece`);
	});
});

describe('linkTarget', () => {
	const CASES: readonly (readonly [string, ReturnType<typeof linkTarget>])[] = [
		['https://example.com/a?b=c', { kind: 'web', href: 'https://example.com/a?b=c' }],
		['mailto:a@example.com', { kind: 'web', href: 'mailto:a@example.com' }],
		['javascript:alert(1)', null],
		['JavaScript:alert(1)', null],
		['command:workbench.action.quit', null],
		['vscode://file/etc', null],
		['data:text/html,x', null],
		['file:///etc/passwd', null],
		['//evil.example', null],
		['#top', null],
		['http://', null],
		['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
		['src/a.ts:12', { kind: 'file', path: 'src/a.ts', line: 12 }],
		['src/a.ts#L7-L9', { kind: 'file', path: 'src/a.ts', line: 7 }],
		['a%20b.md', { kind: 'file', path: 'a b.md' }],
		['C:\\work\\a.ts', { kind: 'file', path: 'C:\\work\\a.ts' }],
		['a.ts:3', { kind: 'file', path: 'a.ts', line: 3 }],
	];
	for (const [href, expected] of CASES) {
		it(`${href} ${expected === null ? 'is no link' : `leads to a ${expected.kind}`}`, () => {
			assert.deepEqual(linkTarget(href), expected);
		});
	}
});

describe('fileInCode', () => {
	const FILES: readonly (readonly [string, string, number?])[] = [
		['src/a.ts:12', 'src/a.ts', 12],
		['src/a.ts', 'src/a.ts'],
		['a.ts', 'a.ts'],
		['./x/y.test.tsx:3:7', './x/y.test.tsx', 3],
		['/home/ada/.env', '/home/ada/.env'],
		['package.json', 'package.json'],
		['C:\\work\\main.go:5', 'C:\\work\\main.go', 5],
	];
	for (const [code, path, line] of FILES) {
		it(`${code} is a file`, () => {
			assert.deepEqual(fileInCode(code), { kind: 'file', path, ...(line !== undefined && { line }) });
		});
	}
	for (const code of [
		'console.log',
		'Array.prototype.map',
		'a b.ts',
		'npm run x',
		'1.2.3',
		'foo()',
		'https://x.io/a.ts',
		'--flag',
		'x.y/z',
		'..',
		'a?.ts',
	]) {
		it(`${code} is none`, () => {
			assert.equal(fileInCode(code), null);
		});
	}
});

describe('decodeEntities', () => {
	it('decodes what Markdown leaves, and nothing else', () => {
		assert.equal(decodeEntities('a &amp; b &lt;c&gt; &#39;d&#x27; &nope; &amp;lt;'), "a & b <c> 'd' &nope; &lt;");
		assert.equal(decodeEntities('&#0; &#xD800; &#99999999;'), '&#0; &#xD800; &#99999999;');
	});
});
