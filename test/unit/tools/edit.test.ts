import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import iconv from 'iconv-lite';
import { MemoryDocuments } from './memoryDocuments.ts';
import { ToolBench } from './toolBench.ts';

const one = (file: string, old: string, next: string) => ({
	file_path: file,
	replacements: [{ old_str: old, new_str: next }],
});

describe('Edit', () => {
	let bench: ToolBench;
	let documents: MemoryDocuments;
	beforeEach(() => {
		documents = new MemoryDocuments();
		bench = new ToolBench({ documents });
	});
	afterEach(async () => bench[Symbol.asyncDispose]());

	it('changes the text, shows the change, and keeps all else', async () => {
		const before = iconv.encode('\ufeffé\r\nold\r\nlast', 'utf8');
		bench.write('a.txt', before);
		fs.chmodSync(bench.at('a.txt'), 0o755);
		const call = await bench.prepare('Edit', one('a.txt', 'old', 'new\nnewer'));
		assert.equal(call.title, 'Edit a.txt');
		assert.equal(call.access, 'exclusive');
		assert.deepEqual(call.assessment.sessionKey, {
			key: 'edit:workspace',
			label: 'edits of files in this workspace',
		});
		const [preview] = (await call.preview?.()) ?? [];
		assert.match(preview?.diff ?? '', /\n-old\n\+new\n\+newer\n/);
		const result = await call.run(bench.execution);
		assert.deepEqual(result.display, { kind: 'edit', files: [preview] });
		assert.match(result.output, /^Edited a\.txt: 1 replacement, \+2 -1 lines\.$/);
		assert.ok(bench.bytes('a.txt').equals(iconv.encode('\ufeffé\r\nnew\r\nnewer\r\nlast', 'utf8')));
		assert.equal(fs.statSync(bench.at('a.txt')).mode & 0o777, 0o755);
	});

	it('edits again without reading again', async () => {
		bench.write('a', 'one two\n');
		await bench.ok('Read', { file_path: 'a' });
		await bench.ok('Edit', one('a', 'one', '1'));
		await bench.ok('Edit', one('a', 'two', '2'));
		assert.equal(bench.text('a'), '1 2\n');
	});

	it('edits a file that was never read, where the text is right', async () => {
		bench.write('a', 'one\n');
		await bench.ok('Edit', one('a', 'one', '1'));
	});

	it('refuses a file that changed since it was read, and takes it when it was read again', async () => {
		bench.write('a', 'one\ntwo\n');
		await bench.ok('Read', { file_path: 'a' });
		bench.write('a', 'one\nTWO\n');
		assert.match(await bench.fails('Edit', one('a', 'one', '1')), /changed since it was read.*Read it again/);
		assert.equal(bench.text('a'), 'one\nTWO\n');
		await assert.rejects(async () => (await bench.prepare('Edit', one('a', 'one', '1'))).preview?.(), /changed since/);
		await bench.ok('Read', { file_path: 'a' });
		await bench.ok('Edit', one('a', 'one', '1'));
	});

	it('refuses a change that is not the one the user saw', async () => {
		bench.write('a', 'one\ntwo\n');
		const call = await bench.prepare('Edit', one('a', 'one', '1'));
		await call.preview?.();
		bench.write('a', 'one\nother\n');
		const result = await call.run(bench.execution);
		assert.ok(!result.ok && /changed while the user was asked/.test(result.output));
		assert.equal(bench.text('a'), 'one\nother\n');
	});

	it('does not put a call to the user that must fail', async () => {
		bench.write('a', 'x\n');
		bench.write('bin', Buffer.from([1, 0, 2]));
		const rows: readonly (readonly [string, RegExp])[] = [
			['a', /not found/],
			['missing', /does not exist. Use Write/],
			['bin', /binary file/],
			['.', /not a regular file/],
		];
		for (const [file, error] of rows) {
			const call = await bench.prepare('Edit', one(file, 'q', 'r'));
			await assert.rejects(async () => call.preview?.(), error);
			const result = await call.run(bench.execution);
			assert.ok(!result.ok && error.test(result.output));
		}
	});

	it('calls no change a success', async () => {
		bench.write('a', 'x\n');
		assert.match(await bench.ok('Edit', one('a', 'x', 'x')), /^No change/);
	});

	it('refuses a file that can not be decoded without loss', async () => {
		const bytes = Buffer.concat([Buffer.from('Grüße, schöne Füße: über süß '.repeat(9)), Buffer.from([0xff])]);
		bench.write('a', bytes);
		assert.match(await bench.fails('Edit', one('a', 'schöne Füße: über süß \ufffd', 'x')), /no valid text/);
		assert.ok(bench.bytes('a').equals(bytes));
	});

	it('refuses a character that the encoding has not, and leaves the file', async () => {
		const bytes = iconv.encode('Le café est fermé, déjà vu à la plage où il était né.\n', 'latin1');
		bench.write('a', bytes);
		assert.match(await bench.fails('Edit', one('a', 'café', '→')), /can't express/);
		assert.ok(bench.bytes('a').equals(bytes));
	});

	it('takes the ways in which other agents give it', async () => {
		const rows: readonly unknown[] = [
			{ path: 'a', edits: [{ oldText: 'x', newText: 'y' }] },
			{ file_path: 'a', old_string: 'x', new_string: 'y' },
			{ filePath: 'a', oldString: 'x', newString: 'y', replaceAll: 'true' },
			{ file_path: 'a', replacements: JSON.stringify([{ old_str: 'x', new_str: 'y', replace_all: null }]) },
		];
		for (const args of rows) {
			bench.write('a', 'x\n');
			bench.tracker.noteDeleted(bench.at('a'));
			await bench.ok('edit_file', args);
			assert.equal(bench.text('a'), 'y\n', JSON.stringify(args));
		}
	});

	it('says how it must be called', async () => {
		const call = await bench.prepareAny('Edit', { file_path: 'a', replacements: [{ old_str: 1 }] });
		assert.ok('invalid' in call);
		assert.match(
			call.invalid,
			/replacements\[0\]\.old_str.*replacements\[0\]\.new_str: is missing.*file_path, replacements/s,
		);
		const none = await bench.prepareAny('Edit', { file_path: 'a', replacements: [] });
		assert.ok('invalid' in none);
	});

	describe('through links', () => {
		it('writes to the real file, and keeps the link', async () => {
			bench.write('real', 'x\n');
			fs.symlinkSync('real', bench.at('link'));
			await bench.ok('Edit', one('link', 'x', 'y'));
			assert.equal(bench.text('real'), 'y\n');
			assert.ok(fs.lstatSync(bench.at('link')).isSymbolicLink());
		});

		it('says that a link leads outside, and offers no rule for it', async () => {
			fs.writeFileSync(`${bench.outside}/x`, 'x\n');
			fs.symlinkSync(`${bench.outside}/x`, bench.at('link'));
			const { assessment } = await bench.prepare('Edit', one('link', 'x', 'y'));
			assert.deepEqual(assessment.outside, [`${bench.outside}/x`]);
			assert.equal(assessment.sessionKey, undefined);
			assert.match(assessment.reason, /which leads to .*outside\/x/);
		});

		it('does nothing when a link was put into the path after it was allowed', async () => {
			bench.write('dir/x', 'x\n');
			fs.writeFileSync(`${bench.outside}/x`, 'x\n');
			const call = await bench.prepare('Edit', one('dir/x', 'x', 'y'));
			await call.preview?.();
			fs.renameSync(bench.at('dir'), bench.at('dir2'));
			fs.symlinkSync(bench.outside, bench.at('dir'));
			const result = await call.run(bench.execution);
			assert.ok(!result.ok && /leads elsewhere/.test(result.output));
			assert.equal(fs.readFileSync(`${bench.outside}/x`, 'utf8'), 'x\n');
		});
	});

	describe('of a file that is open in an editor', () => {
		it('edits a dirty buffer, and leaves the saving to the user', async () => {
			const file = bench.write('a', 'one\ntwo\n');
			documents.open(file);
			documents.type(file, 'one\ntwo\nmine\n');
			assert.match(await bench.ok('Read', { file_path: 'a' }), /3\tmine\n\(The editor has unsaved changes/);
			assert.match(await bench.ok('Edit', one('a', 'two', '2')), /open with unsaved changes.*user must save/s);
			assert.equal(documents.get(file)?.text, 'one\n2\nmine\n');
			assert.equal(documents.get(file)?.isDirty, true);
			assert.equal(bench.text('a'), 'one\ntwo\n');
			documents.save(file);
			await bench.ok('Edit', one('a', 'mine', 'ours'));
			assert.equal(bench.text('a'), 'one\n2\nours\n');
		});

		it('refuses when the user typed since it was read', async () => {
			const file = bench.write('a', 'one\ntwo\n');
			documents.open(file);
			await bench.ok('Read', { file_path: 'a' });
			documents.type(file, 'one\ntwo!\n');
			assert.match(await bench.fails('Edit', one('a', 'one', '1')), /changed since it was read/);
			assert.equal(documents.get(file)?.text, 'one\ntwo!\n');
		});

		it('refuses when the user types while it is asked', async () => {
			const file = bench.write('a', 'one\ntwo\n');
			documents.open(file);
			const call = await bench.prepare('Edit', one('a', 'one', '1'));
			await call.preview?.();
			documents.type(file, 'one\ntwo!\n');
			assert.ok(!(await call.run(bench.execution)).ok);
			assert.equal(documents.get(file)?.text, 'one\ntwo!\n');
		});

		it('edits a clean buffer and saves it', async () => {
			const file = bench.write('a', 'one\ntwo\n');
			documents.open(file);
			await bench.ok('Edit', one('a', 'two', '2'));
			assert.equal(documents.get(file)?.text, 'one\n2\n');
			assert.equal(documents.get(file)?.isDirty, false);
			assert.equal(bench.text('a'), 'one\n2\n');
		});

		it('says when the editor could not save', async () => {
			const file = bench.write('a', 'one\ntwo\n');
			documents.open(file);
			documents.canSave = false;
			assert.match(await bench.ok('Edit', one('a', 'two', '2')), /is not saved/);
			assert.equal(bench.text('a'), 'one\ntwo\n');
		});

		it('says when saving reformatted the file', async () => {
			const file = bench.write('a', 'one\ntwo\n');
			documents.open(file);
			documents.onSave = (text) => text.replace('2', '2;');
			assert.match(await bench.ok('Edit', one('a', 'two', '2')), /reformatted/);
			await bench.ok('Edit', one('a', '2;', '3;'));
		});

		it('writes to the disk where a clean buffer is not what stands there, so that line ends stay', async () => {
			const file = bench.write('a', 'one\ntwo\nthree\n');
			documents.open(file);
			bench.write('a', 'one\r\ntwo\nthree\r\n');
			await bench.ok('Edit', one('a', 'two', '2'));
			assert.equal(bench.text('a'), 'one\r\n2\nthree\r\n');
		});
	});
});
