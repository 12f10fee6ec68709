import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver } from '../../../src/storage/sql/openDriver.ts';
import { SqlError, type SqlDriver, type SqlValue } from '../../../src/storage/sql/sqlDriver.ts';
import { DRIVERS, temporaryDirectories } from './support.ts';

const run = promisify(execFile);

function failsWith(code: string): (error: unknown) => boolean {
	return (error) => error instanceof SqlError && error.code === code;
}

for (const kind of DRIVERS) {
	describe(`SqlDriver on ${kind}`, () => {
		const directory = temporaryDirectories();
		let driver: SqlDriver;

		beforeEach(async () => {
			driver = await openDriver(join(await directory(), 'x.db'), { driver: kind });
			await driver.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY) STRICT');
		});
		afterEach(() => driver.close());

		const insert = 'INSERT INTO t (v) VALUES (?)';
		const values = async () => (await driver.all('SELECT v FROM t ORDER BY id')).map(({ v }) => v);

		it('is of the kind that was asked for', () => {
			assert.equal(driver.kind, kind);
		});

		it('gives back what it was given', async () => {
			const given = [null, '', 'ä\0b', 0, -1.5, 2 ** 31, Number.MAX_SAFE_INTEGER, new Uint8Array([0, 255])];
			for (const value of given) {
				assert.equal(await driver.run(insert, [value]), 1);
			}
			const stored = (await values()).map((value) => (value instanceof Uint8Array ? [...value] : value));
			assert.deepEqual(stored, [...given.slice(0, -1), [0, 255]]);
		});

		it('binds a view of a larger buffer as what it shows', async () => {
			await driver.run(insert, [new Uint8Array([1, 2, 3, 4]).subarray(1, 3)]);
			assert.deepEqual([...((await values())[0] as Uint8Array)], [2, 3]);
		});

		const unfit = { bigint: 1n, undefined, NaN, Infinity, true: true, object: {}, array: [], date: new Date(0) };
		for (const [name, value] of Object.entries(unfit)) {
			it(`refuses to bind ${name} instead of storing something else`, async () => {
				await assert.rejects(driver.run(insert, [value as unknown as SqlValue]), failsWith('MISUSE'));
				await assert.rejects(driver.all('SELECT ? AS v', [value as unknown as SqlValue]), failsWith('MISUSE'));
				assert.deepEqual(await values(), []);
			});
		}

		it('refuses too many and too few values', async () => {
			await assert.rejects(driver.run(insert, []), failsWith('MISUSE'));
			await assert.rejects(driver.run(insert, [1, 2]), failsWith('MISUSE'));
			assert.equal((await driver.get("SELECT '?' AS v"))?.v, '?');
		});

		it('turns errors of every call into rejections that say what is wrong', async () => {
			await assert.rejects(driver.run('INSERT INTO nowhere VALUES (1)'), failsWith('ERROR'));
			await assert.rejects(driver.exec('SELEKT'), failsWith('ERROR'));
			await assert.rejects(driver.all('SELECT * FROM'), failsWith('ERROR'));
			await driver.exec('INSERT INTO t (id) VALUES (1)');
			await assert.rejects(driver.run('INSERT INTO t (id) VALUES (1)'), failsWith('CONSTRAINT'));
			// A statement that failed works again.
			assert.equal(await driver.run('INSERT INTO t (id) VALUES (?)', [2]), 1);
		});

		it('runs transactions one after the other, and other calls not within them', async () => {
			const step = (name: string) =>
				driver.transaction(async (tx) => {
					await tx.run(insert, [`${name} begins`]);
					await new Promise((resolve) => setImmediate(resolve));
					await tx.run(insert, [`${name} ends`]);
				});
			await Promise.all([step('a'), driver.run(insert, ['between']), step('b')]);
			assert.deepEqual(await values(), ['a begins', 'a ends', 'between', 'b begins', 'b ends']);
		});

		it('leaves nothing behind of a transaction that throws', async () => {
			const failure = new Error('no');
			const attempt = driver.transaction(async (tx) => {
				await tx.run(insert, [1]);
				throw failure;
			});
			await assert.rejects(attempt, failure);
			assert.deepEqual(await values(), []);
			await driver.transaction((tx) => tx.run(insert, [2]));
			assert.deepEqual(await values(), [2]);
		});

		it('refuses a transaction that is over', async () => {
			const tx = await driver.transaction((inner) => Promise.resolve(inner));
			await assert.rejects(tx.run(insert, [1]), failsWith('MISUSE'));
		});

		it('finishes what was called before it is closed, and refuses what comes after', async () => {
			const before = driver.run(insert, [1]);
			const closed = driver.close();
			await assert.rejects(driver.run(insert, [2]), failsWith('MISUSE'));
			assert.equal(await before, 1);
			await closed;
			await driver.close();
		});

		it('keeps working with more different statements than it keeps prepared', async () => {
			for (let index = 0; index < 200; index++) {
				assert.equal((await driver.get(`SELECT ${index} AS v, ? AS w`, [index]))?.w, index);
			}
		});

		it('survives a throwing listener and a failed statement that nobody looks at', async () => {
			const source = new URL('../../../src/storage/sql/openDriver.ts', import.meta.url).href;
			const program = `
				const { openDriver } = await import(${JSON.stringify(source)});
				const driver = await openDriver(':memory:', { driver: '${kind}' });
				process.on('uncaughtException', (error) => console.log('caught ' + error.message));
				void driver.all('SELECT 1').then(() => { throw new Error('listener'); });
				void driver.run('nonsense');
				const { v } = await driver.get('SELECT 2 AS v');
				setImmediate(() => console.log(v));`;
			const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program]);
			assert.equal(stdout, 'caught listener\n2\n');
			assert.equal(stderr, '');
		});
	});
}

describe('openDriver', () => {
	it('falls back to node:sqlite, without a word to the user, where the native binary does not load', async () => {
		const source = new URL('../../../src/storage/sql/openDriver.ts', import.meta.url).href;
		// A loader hook is the nearest to a platform for which there is no binary.
		const program = `
			import { registerHooks } from 'node:module';
			registerHooks({ resolve(name, context, next) {
				if (name === '@vscode/sqlite3') { throw new Error('no binary for this platform'); }
				return next(name, context);
			} });
			const { openDriver } = await import(${JSON.stringify(source)});
			const told = [];
			const driver = await openDriver(':memory:', { logger: { info: (text) => told.push(text) } });
			console.log(driver.kind, told.length, /no binary/.test(told[0]));
			process.emitWarning('still works');`;
		const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program]);
		assert.equal(stdout, 'node 1 true\n');
		assert.match(stderr, /still works/);
		assert.doesNotMatch(stderr, /SQLite is an experimental feature/);
	});

	it('loads neither library before it is called', async () => {
		const source = new URL('../../../src/storage/index.ts', import.meta.url).href;
		const program = `
			await import(${JSON.stringify(source)});
			const { createRequire } = await import('node:module');
			const loaded = Object.keys(createRequire(${JSON.stringify(source)}).cache).filter((path) => /sqlite/.test(path));
			console.log(loaded.length, process.moduleLoadList.some((name) => /sqlite/.test(name)));`;
		const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program]);
		assert.equal(stdout, '0 false\n');
	});
});
