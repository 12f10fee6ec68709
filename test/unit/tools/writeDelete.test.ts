import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import iconv from 'iconv-lite';
import { decide } from '../../../src/engine/approvals/decide.ts';
import type { PreparedCall } from '../../../src/engine/ports/index.ts';
import { MemoryDocuments } from './memoryDocuments.ts';
import { ToolBench } from './toolBench.ts';

const verdict = (call: PreparedCall, trustMode: 'plan' | 'safe' | 'auto' = 'safe') =>
	decide(call.assessment, { trustMode, sandboxEnforced: true, allowedKeys: new Set() }).type;

describe('Write', () => {
	let bench: ToolBench;
	beforeEach(() => {
		bench = new ToolBench();
	});
	afterEach(async () => bench[Symbol.asyncDispose]());

	it('makes a file and its directories, as it was given', async () => {
		const call = await bench.prepare('Write', { file_path: 'a/b/c.txt', content: 'x\r\ny\n' });
		assert.equal(call.title, 'Create a/b/c.txt');
		const [preview] = (await call.preview?.()) ?? [];
		assert.equal(preview?.change, 'create');
		assert.match((await call.run(bench.execution)).output, /^Created a\/b\/c\.txt: 2 lines\.$/);
		assert.equal(bench.text('a/b/c.txt'), 'x\r\ny\n');
	});

	it('replaces no file that it does not know, unless told to', async () => {
		bench.write('a', 'theirs\n');
		const call = await bench.prepare('Write', { file_path: 'a', content: 'mine\n' });
		await assert.rejects(async () => call.preview?.(), /exists. Use Edit.*overwrite=true/);
		assert.ok(!(await call.run(bench.execution)).ok);
		assert.equal(bench.text('a'), 'theirs\n');
		await bench.ok('Write', { file_path: 'a', content: 'mine\n', overwrite: true });
		await bench.ok('Write', { file_path: 'a', content: 'again\n' });
		assert.equal(bench.text('a'), 'again\n');
	});

	it('replaces what it has read whole, not what it has read in part, nor what changed since', async () => {
		bench.write('a', 'one\ntwo\n');
		await bench.ok('Read', { file_path: 'a', num_lines: 1 });
		assert.match(await bench.fails('Write', { file_path: 'a', content: 'x' }), /exists/);
		await bench.ok('Read', { file_path: 'a' });
		await bench.ok('Write', { file_path: 'a', content: 'x\n' });
		bench.write('a', 'theirs\n');
		assert.match(await bench.fails('Write', { file_path: 'a', content: 'y', overwrite: true }), /changed since/);
		assert.equal(bench.text('a'), 'theirs\n');
	});

	it('keeps encoding, byte order mark and line ends of what it replaces', async () => {
		bench.write('a', iconv.encode('\ufeffé\r\nb\r\n', 'utf-16le', { addBOM: false }));
		const output = await bench.ok('Write', { file_path: 'a', content: 'é\nB\nc\n', overwrite: true });
		assert.match(output, /Kept from the file before: CRLF line ends, encoding utf-16le, byte order mark/);
		assert.ok(bench.bytes('a').equals(iconv.encode('\ufeffé\r\nB\r\nc\r\n', 'utf-16le', { addBOM: false })));
	});

	it('changes the encoding where the text needs it, and says so', async () => {
		bench.write('a', iconv.encode('Le café est fermé, déjà vu à la plage où il était né.\n', 'latin1'));
		assert.match(await bench.ok('Write', { file_path: 'a', content: '→\n', overwrite: true }), /encoding is now utf-8/);
		assert.equal(bench.text('a'), '→\n');
	});

	it('says when there is nothing to change', async () => {
		bench.write('a', 'x\r\n');
		assert.match(await bench.ok('Write', { file_path: 'a', content: 'x\n', overwrite: true }), /^No change/);
	});

	it('can not replace a directory, nor write below a file', async () => {
		fs.mkdirSync(bench.at('d'));
		bench.write('f', 'x');
		assert.match(await bench.fails('Write', { file_path: 'd', content: '', overwrite: true }), /is a directory/);
		const call = await bench.prepareAny('Write', { file_path: 'f/x', content: '' });
		assert.ok('invalid' in call && /is a file, not a directory/.test(call.invalid));
		assert.match(await bench.fails('Write', { file_path: '/proc/belay', content: '' }), /\/proc\/belay/);
	});

	it('asks outside the workspace and for protected paths, in every mode', async () => {
		fs.symlinkSync(bench.outside, bench.at('link'));
		for (const path of ['../outside/x', 'link/x', '.git/hooks/pre-commit', '.vscode/tasks.json', '.env', '~/.bashrc']) {
			const call = await bench.prepare('Write', { file_path: path, content: 'x' });
			assert.equal(verdict(call, 'auto'), 'ask', path);
			assert.equal(verdict(call, 'plan'), 'block', path);
			assert.equal(call.assessment.sessionKey, undefined);
		}
		assert.equal(verdict(await bench.prepare('Write', { file_path: 'x', content: '' }), 'auto'), 'run');
	});

	it('writes outside when it was allowed, and only there', async () => {
		fs.symlinkSync(bench.outside, bench.at('link'));
		const call = await bench.prepare('Write', { file_path: 'link/x', content: 'x' });
		fs.unlinkSync(bench.at('link'));
		fs.mkdirSync(`${bench.base}/third`);
		fs.symlinkSync(`${bench.base}/third`, bench.at('link'));
		assert.ok(!(await call.run(bench.execution)).ok);
		await bench.ok('Write', { file_path: `${bench.outside}/y`, content: 'y' });
		assert.equal(fs.readFileSync(`${bench.outside}/y`, 'utf8'), 'y');
	});
});

describe('Delete', () => {
	let bench: ToolBench;
	let documents: MemoryDocuments;
	beforeEach(() => {
		documents = new MemoryDocuments();
		bench = new ToolBench({ documents });
	});
	afterEach(async () => bench[Symbol.asyncDispose]());

	it('deletes a file, and shows what is lost', async () => {
		bench.write('a', 'x\n');
		const call = await bench.prepare('Delete', { file_path: 'a' });
		assert.equal(call.assessment.effect, 'destructive');
		assert.equal(verdict(call, 'auto'), 'ask');
		assert.match(((await call.preview?.()) ?? [])[0]?.diff ?? '', /\n-x\n/);
		await call.run(bench.execution);
		assert.ok(!fs.existsSync(bench.at('a')));
	});

	it('runs unasked for a file that the session made, in safe and auto', async () => {
		await bench.ok('Write', { file_path: 'a', content: 'x\n' });
		await bench.ok('Edit', { file_path: 'a', replacements: [{ old_str: 'x', new_str: 'y' }] });
		const call = await bench.prepare('Delete', { file_path: 'a' });
		assert.deepEqual([verdict(call, 'plan'), verdict(call, 'safe'), verdict(call, 'auto')], ['block', 'run', 'run']);
		assert.ok((await call.run(bench.execution)).ok);
		bench.write('a', 'theirs now\n');
		assert.equal(verdict(await bench.prepare('Delete', { file_path: 'a' })), 'ask');
	});

	it("never takes a user's file for the session's own", async () => {
		bench.write('a', 'theirs\n');
		await bench.ok('Write', { file_path: 'a', content: 'mine\n', overwrite: true });
		assert.equal(verdict(await bench.prepare('Delete', { file_path: 'a' })), 'ask', 'overwritten');
		await bench.ok('Write', { file_path: 'b', content: 'mine\n' });
		bench.write('b', 'mine\nand theirs\n');
		assert.equal(verdict(await bench.prepare('Delete', { file_path: 'b' })), 'ask', 'changed since');
		await bench.ok('Write', { file_path: 'd/c', content: 'mine\n' });
		assert.equal(verdict(await bench.prepare('Delete', { file_path: 'd', recursive: true })), 'ask', 'a directory');
		await bench.ok('Write', { file_path: `${bench.outside}/x`, content: 'mine\n' });
		assert.equal(verdict(await bench.prepare('Delete', { file_path: `${bench.outside}/x` })), 'ask', 'outside');
		await bench.ok('Write', { file_path: 'e', content: 'mine\n' });
		const call = await bench.prepare('Delete', { file_path: 'e' });
		bench.write('e', 'theirs\n');
		assert.ok(!(await call.run(bench.execution)).ok, 'changed after it was judged');
		assert.equal(bench.text('e'), 'theirs\n');
	});

	it('knows its files after a restart', async () => {
		await bench.ok('Write', { file_path: 'a', content: 'x\n' });
		await using later = new ToolBench({ owned: bench.tracker.ownedFiles() });
		fs.rmSync(later.root, { recursive: true });
		fs.symlinkSync(bench.root, later.root);
		const call = await later.runtime.prepare(
			{ callId: 'c', name: 'Delete', args: JSON.stringify({ file_path: bench.at('a') }) },
			{ ...later.context, cwd: bench.root, roots: [bench.root] },
		);
		assert.ok('assessment' in call && call.assessment.ownedByAgent === true);
	});

	it('deletes an empty directory, and a full one only when told to', async () => {
		bench.write('d/e/f', 'x');
		const call = await bench.prepare('Delete', { file_path: 'd' });
		await assert.rejects(async () => call.preview?.(), /not empty.*recursive/);
		assert.ok(!(await call.run(bench.execution)).ok);
		const all = await bench.prepare('Delete', { file_path: 'd', recursive: true });
		assert.match(all.assessment.reason, /the directory d and 2 entries in it \(1 bytes\)/);
		assert.ok((await all.run(bench.execution)).ok);
		fs.mkdirSync(bench.at('empty'));
		await bench.ok('Delete', { file_path: 'empty' });
		assert.deepEqual(fs.readdirSync(bench.root), []);
	});

	it('names what is protected in a directory', async () => {
		bench.write('d/.git/config', 'x');
		const { assessment } = await bench.prepare('Delete', { file_path: 'd', recursive: true });
		assert.ok(assessment.protectedPaths.includes(bench.at('d/.git')));
	});

	it('deletes a link itself, never what it leads to', async () => {
		fs.writeFileSync(`${bench.outside}/x`, 'x');
		fs.symlinkSync(bench.outside, bench.at('link'));
		fs.symlinkSync(`${bench.outside}/x`, bench.at('link2'));
		await bench.ok('Delete', { file_path: 'link', recursive: true });
		assert.match(await bench.ok('Delete', { file_path: 'link2' }), /the symbolic link link2/);
		assert.deepEqual(fs.readdirSync(bench.outside), ['x']);
		bench.write('d/keep', 'x');
		fs.symlinkSync(bench.outside, bench.at('d/link'));
		await bench.ok('Delete', { file_path: 'd', recursive: true });
		assert.deepEqual(fs.readdirSync(bench.outside), ['x']);
	});

	it('never deletes the workspace or what holds it', async () => {
		bench.write('a', 'x');
		for (const path of ['.', '..', bench.root, '/', '~/..']) {
			assert.match(await bench.fails('Delete', { file_path: path, recursive: true }), /never deleted/, path);
		}
		assert.equal(bench.text('a'), 'x');
	});

	it('refuses what is missing, changed since it was read, or open with unsaved changes', async () => {
		assert.match(await bench.fails('Delete', { file_path: 'a' }), /does not exist/);
		const file = bench.write('a', 'x\n');
		await bench.ok('Read', { file_path: 'a' });
		bench.write('a', 'theirs\n');
		assert.match(await bench.fails('Delete', { file_path: 'a' }), /changed since/);
		await bench.ok('Read', { file_path: 'a' });
		documents.open(file);
		documents.type(file, 'typed\n');
		assert.match(await bench.fails('Delete', { file_path: 'a' }), /unsaved changes/);
		assert.ok(fs.existsSync(file));
	});

	it('deletes nothing when a link was put into the path after it was allowed', async () => {
		bench.write('dir/x', 'x');
		fs.writeFileSync(`${bench.outside}/x`, 'x');
		const call = await bench.prepare('Delete', { file_path: 'dir/x' });
		fs.rmSync(bench.at('dir'), { recursive: true });
		fs.symlinkSync(bench.outside, bench.at('dir'));
		assert.ok(!(await call.run(bench.execution)).ok);
		assert.ok(fs.existsSync(`${bench.outside}/x`));
	});

	it('deletes binary files and shows no text', async () => {
		bench.write('bin', Buffer.from([0, 1]));
		const call = await bench.prepare('Delete', { file_path: 'bin' });
		assert.equal(((await call.preview?.()) ?? [])[0]?.diff, '');
		assert.ok((await call.run(bench.execution)).ok);
	});
});
