import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePlainRequests, type PlainRequest } from '../../../../src/models/practice/plainRequest.ts';

const read = (file: string): PlainRequest => ({ kind: 'read', file });
const run = (command: string, background = false): PlainRequest => ({ kind: 'run', command, background });
const write = (file: string, text: string, overwrite = false): PlainRequest => ({
	kind: 'write',
	file,
	text,
	overwrite,
});
const replace = (old: string, next: string, file: string, all = false): PlainRequest => ({
	kind: 'replace',
	old,
	new: next,
	file,
	all,
});
const list = (dir: string, recursive = false): PlainRequest => ({ kind: 'list', dir, recursive });
const search = (pattern: string, dir?: string): PlainRequest => ({ kind: 'search', pattern, dir });
const remove = (file: string, recursive = false): PlainRequest => ({ kind: 'delete', file, recursive });
const fetchUrl = (url: string): PlainRequest => ({ kind: 'fetch', url });

/** What a person types, and what it means. */
const MESSAGES: readonly (readonly [message: string, ...requests: PlainRequest[]])[] = [
	['read README.md', read('README.md')],
	['Read README.md', read('README.md')],
	['please read the file README.md.', read('README.md')],
	['can you show me src/a.ts?', read('src/a.ts')],
	['show `src/my file.ts`', read('src/my file.ts')],
	['open "a b.txt", please', read('a b.txt')],
	['cat ./a.txt', read('./a.txt')],
	['read a.ts and b.ts', read('a.ts'), read('b.ts')],
	['read lines 3-10 of a.ts', { kind: 'read', file: 'a.ts', from: 3, to: 10 }],
	['list', list('.')],
	['ls', list('.')],
	['list files', list('.')],
	['list the files in src', list('src')],
	['list src/', list('src')],
	['list src recursively', list('src', true)],
	['show me all files', list('.')],
	['list .', list('.')],
	['search TODO', search('TODO')],
	['search for TODO in src', search('TODO', 'src')],
	['find "in the end" in docs', search('in the end', 'docs')],
	['grep foo bar', search('foo bar')],
	['find *.ts', { kind: 'glob', pattern: '*.ts', dir: undefined }],
	['find files like **/*.json in src', { kind: 'glob', pattern: '**/*.json', dir: 'src' }],
	['run npm test', run('npm test')],
	['run `npm test`', run('npm test')],
	['Run: make', run('make')],
	['please run git add .', run('git add .')],
	['run echo "a then b"', run('echo "a then b"')],
	['run ls -la; pwd', run('ls -la; pwd')],
	['run npm start in the background', run('npm start', true)],
	['run the tests', run('npm test')],
	['execute make', run('make')],
	['replace foo with bar in a.txt', replace('foo', 'bar', 'a.txt')],
	['replace "a in b" with "c with d" in `x y.txt`', replace('a in b', 'c with d', 'x y.txt')],
	['change 1 to 2 in a.txt', replace('1', '2', 'a.txt')],
	["replace 'don' with 'do not' in a.txt", replace('don', 'do not', 'a.txt')],
	['replace all foo with bar in a.txt', replace('foo', 'bar', 'a.txt', true)],
	['replace foo with "" in a.txt', replace('foo', '', 'a.txt')],
	['create notes.txt with Hello world', write('notes.txt', 'Hello world')],
	['create a new file called notes.txt with the text "Hello."', write('notes.txt', 'Hello.')],
	['write "Hello" to notes.txt', write('notes.txt', 'Hello')],
	['write hello world into a/b.txt', write('a/b.txt', 'hello world')],
	['create an empty file x.txt', write('x.txt', '')],
	['overwrite x.txt with new', write('x.txt', 'new', true)],
	['create a.ts with:\n```ts\nconst a = 1;\nread(a);\n```', write('a.ts', 'const a = 1;\nread(a);')],
	['delete a.txt', remove('a.txt')],
	['remove the folder build', remove('build', true)],
	['rm build recursively', remove('build', true)],
	['fetch https://example.com', fetchUrl('https://example.com')],
	['fetch example.com', fetchUrl('https://example.com')],
	['open https://example.com/a?b=c.', fetchUrl('https://example.com/a?b=c')],
	['get the page http://localhost:3000/', fetchUrl('http://localhost:3000/')],
	['todo: look, fix it, and test', { kind: 'plan', todos: ['look', 'fix it', 'test'] }],
	['plan a, b', { kind: 'plan', todos: ['a', 'b'] }],
	[
		'ask me which colour: red, green or blue',
		{ kind: 'ask', question: 'Which colour?', options: ['red', 'green', 'blue'] },
	],
	['ask me how I am', { kind: 'ask', question: 'How I am?', options: [] }],
	['delegate look for bugs', { kind: 'delegate', task: 'look for bugs' }],
	['help', { kind: 'help' }],
	['What can you do?', { kind: 'help' }],
	['read a.txt then run npm test', read('a.txt'), run('npm test')],
	['read a.txt, and then delete b.txt', read('a.txt'), remove('b.txt')],
	['1. read a.txt\n2. run ls\n\n- list', read('a.txt'), run('ls'), list('.')],
	['hello', { kind: 'unknown', text: 'hello' }],
	['', { kind: 'unknown', text: '' }],
	['Write me a compiler for Rust', { kind: 'unknown', text: 'Write me a compiler for Rust' }],
];

describe('what the practice model understands', () => {
	for (const [message, ...requests] of MESSAGES) {
		it(message.replaceAll('\n', ' ⏎ ') || '(nothing)', () => assert.deepEqual(parsePlainRequests(message), requests));
	}

	it('never throws, never loops, and always makes something of a message', () => {
		const words = fc.constantFrom(
			'read',
			'run',
			'a.txt',
			'replace',
			'with',
			'in',
			'to',
			'then',
			'"',
			'`',
			"'",
			'```',
			'\n',
			',',
			'find',
			'*',
			'list',
			'please',
			'create',
			'x y',
		);
		const message = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 200 }),
			fc.array(words, { maxLength: 60 }).map((all) => all.join(' ')),
		);
		fc.assert(
			fc.property(message, (text) => {
				assert.ok(parsePlainRequests(text).length > 0);
			}),
			{ numRuns: 1000 },
		);
	});

	it('takes no longer than a moment for a huge message', () => {
		const started = performance.now();
		parsePlainRequests(`replace ${'a with '.repeat(20_000)}`);
		parsePlainRequests(`read ${'x and '.repeat(20_000)}`);
		parsePlainRequests(`search ${'in '.repeat(300)}`);
		parsePlainRequests('`'.repeat(50_000));
		assert.ok(performance.now() - started < 2000);
	});
});
