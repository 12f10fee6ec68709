import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { PathRules } from '../../../src/files/pathRules.ts';
import { type PathPlace, shownPath, WorkspacePaths } from '../../../src/files/workspacePaths.ts';

describe('WorkspacePaths', () => {
	let base: string;
	let place: PathPlace;
	let paths: WorkspacePaths;
	const at = (...parts: string[]) => path.join(base, ...parts);

	beforeEach(() => {
		base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-paths-')));
		for (const directory of ['root/src', 'root-2', 'outside', 'home']) {
			fs.mkdirSync(at(directory), { recursive: true });
		}
		fs.writeFileSync(at('root/src/a.ts'), 'a');
		fs.writeFileSync(at('outside/secret'), 's');
		place = { cwd: at('root'), roots: [at('root')] };
		paths = new WorkspacePaths(new PathRules({ home: at('home') }), at('home'));
	});
	afterEach(() => fs.rmSync(base, { recursive: true }));

	/** Each: what the model gives, where it leads (relative to the base), and whether that is in the workspace. */
	const ROWS: readonly (readonly [given: string, leads: string, inside: boolean])[] = [
		['src/a.ts', 'root/src/a.ts', true],
		['./src/../src/a.ts', 'root/src/a.ts', true],
		['.', 'root', true],
		['new/deep/file', 'root/new/deep/file', true],
		['../outside/secret', 'outside/secret', false],
		['../root-2/x', 'root-2/x', false],
		['src/../../outside/secret', 'outside/secret', false],
		['~/x', 'home/x', false],
		['file-link', 'outside/secret', false],
		['directory-link/secret', 'outside/secret', false],
		['directory-link/new', 'outside/new', false],
		['directory-link/../x', 'root/x', true],
		['dangling', 'outside/not-there', false],
		['dangling/deeper', 'outside/not-there/deeper', false],
		['chain', 'outside/secret', false],
		['back/src/a.ts', 'root/src/a.ts', true],
		['inner-link', 'root/src/a.ts', true],
	];
	for (const [given, leads, inside] of ROWS) {
		it(`${given} leads to ${leads}`, async () => {
			fs.symlinkSync('../outside/secret', at('root/file-link'));
			fs.symlinkSync('../outside', at('root/directory-link'));
			fs.symlinkSync('../outside/not-there', at('root/dangling'));
			fs.symlinkSync('file-link', at('root/chain'));
			fs.symlinkSync('../root', at('outside/back'));
			fs.symlinkSync('../outside/back', at('root/back'));
			fs.symlinkSync('src/a.ts', at('root/inner-link'));
			const location = await paths.locate(given, place);
			assert.equal(location.real, at(leads));
			assert.equal(location.root !== undefined, inside);
		});
	}

	it('does not follow the last part when that is what is to be deleted', async () => {
		fs.symlinkSync('../outside/secret', at('root/file-link'));
		const location = await paths.locate('file-link', place, { follow: false });
		assert.equal(location.real, at('root/file-link'));
		assert.equal(location.kind, 'symlink');
	});

	it('resolves what /proc/self/root leads to', async () => {
		const location = await paths.locate(`/proc/self/root${at('outside/secret')}`, place);
		assert.equal(location.root, undefined);
		assert.equal((await paths.locate(`/proc/self/root${at('root/src/a.ts')}`, place)).real, at('root/src/a.ts'));
	});

	it('takes file: addresses', async () => {
		assert.equal((await paths.locate(`file://${at('root/src/a.ts')}`, place)).real, at('root/src/a.ts'));
		await assert.rejects(paths.locate('file://elsewhere/x', place), /no address of a local file/);
	});

	it('refuses what is no path, and links that lead in a circle', async () => {
		await assert.rejects(paths.locate('a\0b', place), /NUL/);
		await assert.rejects(paths.locate('  ', place), /empty/);
		fs.symlinkSync('loop-2', at('root/loop-1'));
		fs.symlinkSync('loop-1', at('root/loop-2'));
		await assert.rejects(paths.locate('loop-1', place), /circle/);
		await assert.rejects(paths.locate('src/a.ts/below', place), /is a file, not a directory/);
		await assert.rejects(paths.locate('x'.repeat(5000), place), /too long/);
	});

	it('can not tell a hard link from another file: writing cuts it instead', async () => {
		fs.linkSync(at('outside/secret'), at('root/hard'));
		assert.notEqual((await paths.locate('hard', place)).root, undefined);
	});

	it('knows several folders, the innermost first', async () => {
		const several = { cwd: at('root'), roots: [at('root'), at('root/src'), at('root-2')] };
		assert.equal((await paths.locate('src/a.ts', several)).root, at('root/src'));
		assert.equal((await paths.locate('../root-2/x', several)).root, at('root-2'));
	});
});

describe('shownPath', () => {
	it('is relative where the path lies in the directory, also for names that begin with dots', () => {
		assert.equal(shownPath('/w/src/a', '/w'), 'src/a');
		assert.equal(shownPath('/w', '/w'), '.');
		assert.equal(shownPath('/x/a', '/w'), '/x/a');
		assert.equal(shownPath('/w/..a', '/w'), '..a');
	});
});
