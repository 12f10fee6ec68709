import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeFileAtomic } from '../../../src/files/atomicWrite.ts';
import { openRegular } from '../../../src/files/safeFiles.ts';
import { readWhole } from '../../../src/files/readFiles.ts';
import { asNobody } from './asNobody.ts';

describe('writeFileAtomic', () => {
	let base: string;
	const at = (...parts: string[]) => path.join(base, ...parts);
	const stamp = (file: string) => fs.statSync(file);

	beforeEach(() => {
		base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-write-')));
		fs.chmodSync(base, 0o755);
	});
	afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

	it('makes a file and the directories above it', async () => {
		await writeFileAtomic(at('a/b/c.txt'), Buffer.from('x'), 'absent');
		assert.equal(fs.readFileSync(at('a/b/c.txt'), 'utf8'), 'x');
		assert.deepEqual(fs.readdirSync(at('a/b')), ['c.txt']);
	});

	it('keeps the mode, and leaves nothing beside the file', async () => {
		fs.writeFileSync(at('run.sh'), 'old', { mode: 0o750 });
		await writeFileAtomic(at('run.sh'), Buffer.from('new'), stamp(at('run.sh')));
		assert.equal(stamp(at('run.sh')).mode & 0o7777, 0o750);
		assert.deepEqual(fs.readdirSync(base), ['run.sh']);
	});

	it('cuts a hard link: the other name keeps the old content', async () => {
		fs.writeFileSync(at('a'), 'old');
		fs.linkSync(at('a'), at('b'));
		await writeFileAtomic(at('a'), Buffer.from('new'), stamp(at('a')));
		assert.equal(fs.readFileSync(at('b'), 'utf8'), 'old');
	});

	it('refuses when the file is not what it was, and leaves it so', async () => {
		fs.writeFileSync(at('a'), 'theirs');
		await assert.rejects(writeFileAtomic(at('a'), Buffer.from('x'), 'absent'), /changed on disk just now/);
		await assert.rejects(
			writeFileAtomic(at('a'), Buffer.from('x'), { size: 3, mtimeMs: 1 }),
			/changed on disk just now/,
		);
		await assert.rejects(
			writeFileAtomic(at('b'), Buffer.from('x'), { size: 3, mtimeMs: 1 }),
			/changed on disk just now/,
		);
		assert.equal(fs.readFileSync(at('a'), 'utf8'), 'theirs');
		assert.deepEqual(fs.readdirSync(base), ['a']);
	});

	it('refuses a directory, a symbolic link and a pipe', async () => {
		fs.mkdirSync(at('d'));
		fs.symlinkSync('elsewhere', at('l'));
		const fifo = spawn('mkfifo', [at('p')]);
		await once(fifo, 'exit');
		await assert.rejects(writeFileAtomic(at('d'), Buffer.from('x'), 'absent'), /is a directory/);
		await assert.rejects(writeFileAtomic(at('l'), Buffer.from('x'), 'absent'), /leads elsewhere/);
		await assert.rejects(writeFileAtomic(at('p'), Buffer.from('x'), 'absent'), /not a regular file/);
		assert.ok(!fs.existsSync(at('elsewhere')));
	});

	it('refuses a file that is read-only', async () => {
		fs.writeFileSync(at('a'), 'x', { mode: 0o444 });
		await assert.rejects(writeFileAtomic(at('a'), Buffer.from('y'), stamp(at('a'))), /read-only/);
	});

	it('writes in place where no file can be made beside it', async () => {
		fs.mkdirSync(at('locked'), { mode: 0o755 });
		fs.writeFileSync(at('locked/open'), 'a longer old text');
		fs.writeFileSync(at('locked/shut'), 'x', { mode: 0o644 });
		fs.chmodSync(at('locked/open'), 0o666);
		await asNobody(async () => {
			await writeFileAtomic(at('locked/open'), Buffer.from('new'), stamp(at('locked/open')));
			await assert.rejects(
				writeFileAtomic(at('locked/shut'), Buffer.from('y'), stamp(at('locked/shut'))),
				(error: NodeJS.ErrnoException) => error.code === 'EACCES',
			);
			await assert.rejects(writeFileAtomic(at('locked/new'), Buffer.from('y'), 'absent'), { code: 'EACCES' });
		});
		assert.equal(fs.readFileSync(at('locked/open'), 'utf8'), 'new');
		assert.equal(fs.readFileSync(at('locked/shut'), 'utf8'), 'x');
	});

	it('never writes or reads elsewhere while a directory in the path is swapped for a link', async () => {
		fs.mkdirSync(at('outside'));
		fs.mkdirSync(at('in/dir'), { recursive: true });
		fs.writeFileSync(at('outside/file'), 'OUTSIDE');
		fs.writeFileSync(at('in/dir/file'), 'inside');
		const swapper = spawn(process.execPath, ['-e', SWAPPER, at('in/dir'), at('in/kept'), at('outside')], {
			stdio: 'pipe',
		});
		await once(swapper.stdout, 'data');
		let written = 0;
		let refused = 0;
		try {
			for (let round = 0; Math.min(written, refused) < 12 && round < 2000; round++) {
				const read = await readWhole(at('in/dir/file'), 1000).catch(() => undefined);
				assert.ok(read?.content.kind !== 'text' || read.content.text !== 'OUTSIDE');
				const done = await writeFileAtomic(at(`in/dir/new${round}`), Buffer.from('x'), 'absent').catch(() => undefined);
				written += done === undefined ? 0 : 1;
				refused += done === undefined ? 1 : 0;
			}
		} finally {
			const gone = once(swapper, 'exit');
			swapper.kill('SIGKILL');
			await gone;
		}
		assert.deepEqual(fs.readdirSync(at('outside')), ['file']);
		assert.ok(written >= 12 && refused >= 12, `both happened: ${written} written, ${refused} refused`);
	});
});

/** Puts a link in the place of a directory and takes it away, as fast as it can; others may make the directory anew. */
const SWAPPER = `
const fs = require('node:fs');
const [dir, kept, outside] = process.argv.slice(1);
const tried = (work) => { try { work(); } catch {} };
process.stdout.write('.');
for (let round = 0; ; round++) {
	tried(() => fs.renameSync(dir, kept + round));
	tried(() => fs.symlinkSync(outside, dir));
	tried(() => fs.unlinkSync(dir));
	tried(() => fs.renameSync(kept + round, dir));
}`;

describe('openRegular', () => {
	it('does not wait for a pipe, and opens no device', async () => {
		const base = fs.mkdtempSync(path.join(os.tmpdir(), 'belay-open-'));
		await once(spawn('mkfifo', [path.join(base, 'pipe')]), 'exit');
		await assert.rejects(openRegular(path.join(base, 'pipe')), /not a regular file/);
		await assert.rejects(openRegular('/dev/zero'), /not a regular file/);
		await assert.rejects(openRegular(base), /is a directory/);
		fs.rmSync(base, { recursive: true });
	});

	it('reads files of /proc only as far as it was allowed to', async () => {
		assert.match(JSON.stringify(await readWhole('/proc/cpuinfo', 10_000_000)), /processor/);
		await assert.rejects(readWhole('/proc/cpuinfo', 10), /more than the 10 bytes/);
	});
});
