import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import iconv from 'iconv-lite';
import { asNobody } from '../files/asNobody.ts';
import { ToolBench } from './toolBench.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('Read', () => {
	let bench: ToolBench;
	beforeEach(() => {
		bench = new ToolBench();
	});
	afterEach(async () => bench[Symbol.asyncDispose]());

	it('numbers the lines, whatever their line ends', async () => {
		bench.write('a b.txt', 'one\r\n\ttwo\n\nfour');
		assert.equal(await bench.ok('Read', { file_path: 'a b.txt' }), '1\tone\n2\t\ttwo\n3\t\n4\tfour');
	});

	it('gives a range, and says how to read on', async () => {
		bench.write('a', lines(10));
		assert.equal(
			await bench.ok('Read', { file_path: 'a', start_line: 3, num_lines: 2 }),
			'3\tline 3\n4\tline 4\n(Lines 3-4 of 10. Read on with start_line=5.)',
		);
		assert.equal(await bench.ok('Read', { path: 'a', start_line: '9' }), '9\tline 9\n10\tline 10\n(Lines 9-10 of 10.)');
		assert.match(await bench.fails('Read', { file_path: 'a', start_line: 11 }), /has only 10 lines/);
	});

	it('cuts at whole lines, and a line that is too long for all', async () => {
		bench.write('a', lines(5000));
		const first = await bench.ok('Read', { file_path: 'a' });
		assert.ok(first.length < 10_200);
		const [, last, next] = /Lines 1-(\d+) of 5000\. Read on with start_line=(\d+)/.exec(first) ?? [];
		assert.equal(Number(next), Number(last) + 1);
		assert.match(
			await bench.ok('Read', { file_path: 'a', start_line: Number(next) }),
			new RegExp(`^${next}\tline ${next}\n`),
		);
		bench.write('long', `${'x'.repeat(1_000_000)}\nsecond\n`);
		const cut = await bench.ok('Read', { file_path: 'long' });
		assert.ok(cut.length < 10_300);
		assert.match(cut, /Line cut: it has 1000000 characters.*Read on with start_line=2/s);
	});

	it('says what an empty file is', async () => {
		bench.write('a', '');
		assert.equal(await bench.ok('Read', { file_path: 'a' }), '(The file is empty.)');
	});

	it('reads other encodings, and says so', async () => {
		bench.write('gbk.txt', iconv.encode('你好，世界。这是一个测试文件，用来检查编码。', 'gbk'));
		assert.match(await bench.ok('Read', { file_path: 'gbk.txt' }), /^1\t你好，世界.*Encoding: GB18030/s);
		bench.write('utf16.txt', iconv.encode('\ufeffaé\nb', 'utf-16le', { addBOM: false }));
		assert.equal(
			await bench.ok('Read', { file_path: 'utf16.txt' }),
			'1\taé\n2\tb\n(Encoding: utf-16le. Edit keeps it.)',
		);
	});

	it('answers clearly for what can not be read', async () => {
		fs.mkdirSync(bench.at('src'));
		bench.write('src/helper.ts', 'x');
		bench.write('pic.png', Buffer.from([0x89, 0x50, 0, 0, 0]));
		assert.match(await bench.fails('Read', { file_path: 'src' }), /is a directory. Use List/);
		assert.match(await bench.fails('Read', { file_path: 'pic.png' }), /binary file \(5 bytes\)/);
		assert.match(
			await bench.fails('Read', { file_path: 'src/helpers.ts' }),
			/does not exist. Near it there is: helper\.ts/,
		);
		assert.match(await bench.fails('Read', { file_path: 'src/Helper.js' }), /Near it there is: helper\.ts/);
		assert.match(await bench.fails('Read', { file_path: 'nowhere/x' }), /nowhere\/x does not exist\.$/);
		assert.match(await bench.fails('Read', { file_path: '/dev/zero' }), /not a regular file/);
		const call = await bench.prepareAny('Read', { file_path: 'src/helper.ts/x' });
		assert.ok('invalid' in call && /is a file, not a directory/.test(call.invalid));
	});

	it('does not wait for a pipe', async () => {
		spawnSync('mkfifo', [bench.at('pipe')]);
		assert.match(await bench.fails('Read', { file_path: 'pipe' }), /not a regular file/);
	});

	it('says when there is no permission', async () => {
		bench.write('a', 'x');
		fs.chmodSync(bench.at('a'), 0o000);
		for (const directory of [bench.base, bench.root]) {
			fs.chmodSync(directory, 0o755);
		}
		await asNobody(async () => {
			assert.match(await bench.fails('Read', { file_path: 'a' }), /No permission for a\./);
		});
	});

	it('gives back unchanged lines only once, as long as they stand in the history', async () => {
		bench.write('a', lines(100));
		const first = await bench.ok('Read', { file_path: 'a' });
		assert.match(await bench.ok('Read', { file_path: 'a' }), /unchanged since you read/);
		assert.notEqual(await bench.ok('Read', { file_path: 'a', start_line: 2 }), first);
		bench.tracker.forgetReads();
		assert.equal(await bench.ok('Read', { file_path: 'a' }), first);
		bench.write('a', `${lines(100)}more\n`);
		assert.match(await bench.ok('Read', { file_path: 'a' }), /more/);
		await bench.ok('Edit', { file_path: 'a', replacements: [{ old_str: 'more', new_str: 'less' }] });
		assert.match(await bench.ok('Read', { file_path: 'a' }), /less/);
	});

	it('asks before it reads credentials, also through a link', async () => {
		bench.write('.env', 'KEY=1');
		fs.symlinkSync('.env', bench.at('innocent'));
		fs.mkdirSync(`${bench.home}/.ssh`);
		fs.writeFileSync(`${bench.home}/.ssh/id_ed25519`, 'k');
		for (const path of ['.env', 'innocent', '~/.ssh/id_ed25519']) {
			const { assessment } = await bench.prepare('Read', { file_path: path });
			assert.equal(assessment.effect, 'readOnly');
			assert.equal(assessment.protectedPaths.length, 1, path);
			assert.match(assessment.reason, /may hold credentials/);
		}
		bench.write('plain', 'x');
		assert.deepEqual((await bench.prepare('Read', { file_path: 'plain' })).assessment.protectedPaths, []);
	});

	it('reads nothing when the path leads elsewhere by the time it runs', async () => {
		bench.write('dir/a', 'inside');
		fs.writeFileSync(`${bench.outside}/a`, 'outside');
		const call = await bench.prepare('Read', { file_path: 'dir/a' });
		fs.rmSync(bench.at('dir'), { recursive: true });
		fs.symlinkSync(bench.outside, bench.at('dir'));
		const result = await call.run(bench.execution);
		assert.ok(!result.ok && /leads elsewhere/.test(result.output));
	});

	describe('of a large file', () => {
		it('gives a range out of 2 GB in little memory', async () => {
			const file = bench.write('big.log', lines(200_000));
			fs.truncateSync(file, 2 * 1024 ** 3);
			const before = process.memoryUsage().rss;
			const output = await bench.ok('Read', { file_path: 'big.log', start_line: 150_000, num_lines: 2 });
			assert.equal(
				output,
				'150000\tline 150000\n150001\tline 150001\n' +
					'(Lines 150000-150001 of a file of 2.1 GB. Read on with start_line=150002, or search it with Grep.)',
			);
			assert.ok(process.memoryUsage().rss - before < 100 * 1024 ** 2);
		});

		it('finds its end, in any encoding', async () => {
			const text = `${'x'.repeat(99)}\n`.repeat(110_000);
			const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
			for (const bytes of [Buffer.from(text), wide, Buffer.from(wide).swap16()]) {
				bench.write('big', bytes);
				const output = await bench.ok('Read', { file_path: 'big', start_line: 109_999 });
				assert.match(output, /^109999\tx{99}\n110000\tx{99}\n\(.* It ends here\.\)/);
			}
			assert.match(await bench.fails('Read', { file_path: 'big', start_line: 110_001 }), /has only 110000 lines/);
		});

		it('keeps to the limit where there are no line ends', async () => {
			bench.write('big', 'é'.repeat(6_000_000));
			const output = await bench.ok('Read', { file_path: 'big' });
			assert.ok(output.length < 10_300);
			assert.ok(!output.includes('\ufffd'));
		});

		it('stops when it is aborted', async () => {
			const file = bench.write('big', 'x\n');
			fs.truncateSync(file, 2 * 1024 ** 3);
			fs.writeFileSync(file, 'x\n'.repeat(40_000), { flag: 'r+' });
			const call = await bench.prepare('Read', { file_path: 'big', start_line: 1_000_000 });
			const running = call.run(bench.execution);
			bench.abort.abort(new Error('stopped'));
			await assert.rejects(running, /stopped/);
		});
	});
});
