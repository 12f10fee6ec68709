import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { findRipgrep, Ripgrep, RipgrepError } from '../../../src/tools/ripgrep.ts';
import { ToolBench } from './toolBench.ts';

function workspace(caps: ConstructorParameters<typeof ToolBench>[0] = {}): ToolBench {
	const bench = new ToolBench(caps);
	bench.write('src/a.ts', 'const one = 1;\nconst two = 2;\n');
	bench.write('src/deep/b.ts', 'export const one = "b";\r\n');
	bench.write('src/c.js', 'const one = "js";\n');
	bench.write('README.md', 'One thing\n');
	bench.write('.gitignore', 'ignored/\n*.log\n');
	bench.write('ignored/x.ts', 'const one = 0;\n');
	bench.write('debug.log', 'one\n');
	bench.write('.hidden/h.ts', 'const one = 0;\n');
	bench.write('node_modules/m/index.ts', 'const one = 0;\n');
	bench.write('server.pem', 'one\n');
	bench.write('pic.bin', Buffer.from('one\0two'));
	return bench;
}

describe('Grep', () => {
	let bench: ToolBench;
	beforeEach(() => {
		bench = workspace();
	});
	afterEach(async () => bench[Symbol.asyncDispose]());
	const grep = (args: Record<string, unknown>) => bench.ok('Grep', args);

	it('gives path, line and text, without ignored, hidden, binary and credential files', async () => {
		assert.equal(
			await grep({ pattern: 'one' }),
			'src/a.ts:1:const one = 1;\nsrc/c.js:1:const one = "js";\nsrc/deep/b.ts:1:export const one = "b";',
		);
	});

	const ROWS: readonly (readonly [name: string, args: Record<string, unknown>, files: string])[] = [
		['a regular expression', { pattern: 'const t\\w+' }, 'src/a.ts:2'],
		['any case', { pattern: 'ONE', case_insensitive: true, glob: '*.md' }, 'README.md:1'],
		['a glob at any depth', { pattern: 'one', glob: '*.ts' }, 'src/a.ts:1 src/deep/b.ts:1'],
		['a glob with a path', { pattern: 'one', glob: 'src/*.ts' }, 'src/a.ts:1'],
		['a glob with braces', { pattern: 'one', glob: '*.{js,md}' }, 'src/c.js:1'],
		['a glob with a negation', { pattern: 'one', glob: 'src/**/!(a).ts' }, 'src/deep/b.ts:1'],
		['a glob that names hidden files', { pattern: 'one', glob: '.hidden/*.ts' }, '.hidden/h.ts:1'],
		['a directory', { pattern: 'one', path: 'src/deep' }, 'src/deep/b.ts:1'],
		['a directory that is ignored, when it is meant', { pattern: 'one', path: 'ignored' }, 'ignored/x.ts:1'],
		['a file', { pattern: 'one', path: 'src/a.ts' }, 'src/a.ts:1'],
		['the end of a line before CRLF', { pattern: '"b";$' }, 'src/deep/b.ts:1'],
		['look-around', { pattern: '(?<=const )two' }, 'src/a.ts:2'],
		['several lines', { pattern: '1;\\nconst two' }, 'src/a.ts:1 src/a.ts:2'],
		['a pattern that looks like an option', { pattern: '--files' }, ''],
		['other names for the parameters', { query: 'one', include: '*.js', directory: 'src' }, 'src/c.js:1'],
	];
	for (const [name, args, files] of ROWS) {
		it(`takes ${name}`, async () => {
			const found = (await grep(args)).match(/^[^(\n]+?:\d+(?=:)/gm) ?? [];
			assert.equal(found.join(' '), files);
		});
	}

	it('never brings back ignored files for a glob', async () => {
		assert.match(await grep({ pattern: 'one', glob: '*.log' }), /^No matches/);
	});

	it('says what is wrong with a pattern', async () => {
		assert.match(await bench.fails('Grep', { pattern: '(' }), /regex parse error.*unclosed group/s);
		assert.match(await bench.fails('Grep', { pattern: 'x', path: 'nowhere' }), /nowhere does not exist/);
	});

	it('says when there is more, and cuts long lines around the match', async () => {
		bench.write('many.txt', 'needle\n'.repeat(500));
		const output = await grep({ pattern: 'needle' });
		assert.match(output, /\(Only 100 matches are shown; there are more/);
		assert.equal(output.split('\n').length, 101);
		bench.write('long.txt', `${'x'.repeat(50_000)} pin ${'y'.repeat(1_000_000)}\n`);
		const long = await grep({ pattern: ' pin ' });
		assert.match(long, /^long\.txt:1:…x+ pin y+…$/);
		assert.ok(long.length < 300);
	});

	it('asks before it searches credentials that are meant, and finds them then', async () => {
		const call = await bench.prepare('Grep', { pattern: 'one', path: 'server.pem' });
		assert.deepEqual(call.assessment.protectedPaths, [bench.at('server.pem')]);
		assert.match((await call.run(bench.execution)).output, /^server\.pem:1:one/);
	});

	it('does not follow links, nor wait for pipes', async () => {
		fs.writeFileSync(path.join(bench.outside, 'x.ts'), 'const one = 0;');
		fs.symlinkSync(bench.outside, bench.at('link'));
		spawnSync('mkfifo', [bench.at('pipe')]);
		assert.doesNotMatch(await grep({ pattern: 'one' }), /link|pipe/);
		assert.match(await bench.fails('Grep', { pattern: 'one', path: 'pipe' }), /can't be searched/);
	});

	it('searches all folders of the workspace', async () => {
		fs.writeFileSync(path.join(bench.outside, 'x.ts'), 'const one = 0;\n');
		const call = await bench.runtime.prepare(
			{ callId: 'c', name: 'Grep', args: '{"pattern":"one"}' },
			{ ...bench.context, roots: [bench.root, bench.outside] },
		);
		assert.ok('run' in call);
		const { output } = await call.run(bench.execution);
		assert.match(output, /^src\/a\.ts:1:/m);
		assert.ok(output.includes(`${bench.outside}/x.ts:1:`));
	});

	it('finds text in UTF-16', async () => {
		bench.write('wide.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a needle\r\n', 'utf16le')]));
		assert.equal(await grep({ pattern: 'needle$' }), 'wide.txt:1:a needle');
	});
});

describe('Glob', () => {
	let bench: ToolBench;
	beforeEach(() => {
		bench = workspace();
	});
	afterEach(async () => bench[Symbol.asyncDispose]());

	const ROWS: readonly (readonly [pattern: string, path: string | undefined, files: string])[] = [
		['*.ts', undefined, 'src/a.ts src/deep/b.ts'],
		['**/*.ts', undefined, 'src/a.ts src/deep/b.ts'],
		['src/*', undefined, 'src/a.ts src/c.js'],
		['./src/*.js', undefined, 'src/c.js'],
		['*.{js,md}', undefined, 'README.md src/c.js'],
		['b.*', 'src', 'src/deep/b.ts'],
		['src/a.ts', undefined, 'src/a.ts'],
		['../src/*.js', 'ignored', 'src/c.js'],
		['.hidden/**', undefined, '.hidden/h.ts'],
		['.gitignore', undefined, '.gitignore'],
		['*.log', undefined, ''],
		['[ab].ts', undefined, 'src/a.ts src/deep/b.ts'],
		['*.pem', undefined, 'server.pem'],
	];
	for (const [pattern, within, files] of ROWS) {
		it(`finds ${pattern}${within === undefined ? '' : ` in ${within}`}`, async () => {
			const output = await bench.ok('Glob', { pattern, path: within });
			assert.equal(files === '' ? output.slice(0, 8) : output, files === '' ? 'No files' : files.replaceAll(' ', '\n'));
		});
	}

	it('takes an absolute pattern', async () => {
		assert.equal(await bench.ok('Glob', { pattern: `${bench.root}/src/*.js` }), 'src/c.js');
	});

	it('says when there are more', async () => {
		for (let index = 0; index < 300; index++) {
			bench.write(`many/${String(index).padStart(3, '0')}.txt`, '');
		}
		const output = await bench.ok('Glob', { pattern: 'many/*' });
		assert.equal(output.split('\n').length, 201);
		assert.match(output, /many\/199\.txt\n\(200 of 300 files\. Narrow the pattern\.\)$/);
	});
});

describe('List', () => {
	let bench: ToolBench;
	beforeEach(() => {
		bench = workspace();
	});
	afterEach(async () => bench[Symbol.asyncDispose]());

	it('lists one directory: its directories first, hidden ones too', async () => {
		fs.symlinkSync('src', bench.at('zlink'));
		assert.equal(
			await bench.ok('List', {}),
			'./ (10 entries)\n.hidden/\nignored/\nnode_modules/\nsrc/\n.gitignore\nREADME.md\ndebug.log\npic.bin\nserver.pem\nzlink@',
		);
		assert.equal(await bench.ok('list_dir', { path: 'src' }), 'src/ (3 entries)\ndeep/\na.ts\nc.js');
	});

	it('lists what is below it, without ignored, hidden and build files', async () => {
		bench.write('dist/out.js', '');
		assert.equal(
			await bench.ok('List', { recursive: true }),
			'./ (6 files below it)\nREADME.md\npic.bin\nserver.pem\nsrc/a.ts\nsrc/c.js\nsrc/deep/b.ts',
		);
	});

	it('keeps to the limit', async () => {
		await using small = workspace({ caps: { listEntries: 2 } });
		assert.equal(await small.ok('List', { path: 'src' }), 'src/ (3 entries, the first 2 here)\ndeep/\na.ts');
	});

	it('says what is no directory', async () => {
		assert.match(await bench.fails('List', { path: 'README.md' }), /is a file/);
		assert.match(await bench.fails('List', { path: 'nowhere' }), /does not exist/);
	});
});

describe('Ripgrep', () => {
	const binary = findRipgrep([process.cwd()]);
	const processes = () =>
		fs
			.readdirSync('/proc')
			.filter((name) => /^\d+$/.test(name))
			.filter((pid) => {
				try {
					const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
					return /^Name:\trg$/m.test(status) && new RegExp(`^PPid:\t${process.pid}$`, 'm').test(status);
				} catch {
					return false;
				}
			});

	it('takes the binary beside the bundle before the npm package', () => {
		assert.match(binary ?? '', /ripgrep-.*\/bin\/rg$/);
		assert.equal(findRipgrep(['/nowhere']), undefined);
		const directory = fs.mkdtempSync('/tmp/belay-rg-');
		fs.mkdirSync(`${directory}/native`);
		fs.symlinkSync(binary ?? '', `${directory}/native/rg`);
		assert.equal(findRipgrep(['/nowhere', directory, process.cwd()]), `${directory}/native/rg`);
		fs.rmSync(directory, { recursive: true });
	});

	it('leaves no process when it is aborted in mid search', async () => {
		const controller = new AbortController();
		const records = new Ripgrep(binary).records(['--no-config', '-uuu', '', '/proc/self/', '/usr'], {
			cwd: '/',
			signal: controller.signal,
			separator: '\n',
		});
		await assert.rejects(async () => {
			for await (const record of records) {
				assert.ok(record.length > 0 && processes().length === 1);
				controller.abort(new Error('stopped'));
			}
		}, /stopped/);
		assert.deepEqual(processes(), []);
	});

	it('leaves no process when nobody wants more', async () => {
		const { signal } = new AbortController();
		for await (const record of new Ripgrep(binary).records(['-uuu', '', '/usr'], {
			cwd: '/',
			signal,
			separator: '\n',
		})) {
			assert.ok(record.length > 0);
			break;
		}
		assert.deepEqual(processes(), []);
	});

	it('says when it is missing', async () => {
		await assert.rejects(async () => {
			const { signal } = new AbortController();
			for await (const record of new Ripgrep(undefined).records([], { cwd: '/', signal, separator: '\n' })) {
				assert.fail(record);
			}
		}, RipgrepError);
	});
});
