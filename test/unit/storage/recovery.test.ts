import assert from 'node:assert/strict';
import { chmod, cp, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreError } from '../../../src/engine/ports/index.ts';
import { openDatabase } from '../../../src/storage/database/openDatabase.ts';
import { MIGRATIONS } from '../../../src/storage/database/schema.ts';
import { memoryStore } from '../../../src/storage/index.ts';
import { openDriver } from '../../../src/storage/sql/openDriver.ts';
import { SqliteStore } from '../../../src/storage/store/sqliteStore.ts';
import { message, session, warning, warnings } from './events.ts';
import { DRIVERS, openStore, temporaryDirectories } from './support.ts';

const PAGE = 4096;

async function overwrite(path: string, offset: number, bytes: Uint8Array): Promise<void> {
	const file = await open(path, 'r+');
	await file.write(bytes, 0, bytes.length, offset);
	await file.close();
}

for (const driver of DRIVERS) {
	describe(`Recovery on ${driver}`, function () {
		this.timeout(30_000);
		const directory = temporaryDirectories();
		let path: string;

		beforeEach(async () => {
			path = join(await directory(), 'belay.db');
		});

		let filled: Buffer | undefined;

		/** 4,000 events in two sessions, closed cleanly. */
		async function fill(): Promise<void> {
			filled ??= await fillNew();
			await writeFile(path, filled);
		}

		async function fillNew(): Promise<Buffer> {
			const { store } = await openStore(path, { driver });
			await store.createSession(session('a'));
			await store.createSession(session('b'));
			for (let seq = 1; seq <= 2000; seq += 100) {
				await store.append('a', warnings(seq, seq + 99));
				await store.append('b', [...warnings(seq, seq + 98), message(seq + 99, `needle ${seq + 99}`)]);
			}
			await store.saveToolOutput('a', 'i', 'output');
			await store.close();
			return readFile(path);
		}

		async function rootPageOf(table: string): Promise<number> {
			const direct = await openDriver(path, { driver });
			const row = await direct.get('SELECT rootpage FROM sqlite_schema WHERE name = ?', [table]);
			await direct.close();
			return Number(row?.rootpage);
		}

		/** What a host that was killed leaves behind: the next one checks. */
		const markUnclean = () => writeFile(`${path}.suspect`, '');

		const readAll = async (store: SqliteStore, id: string) =>
			(await store.readEvents(id, { after: 0 })).events.map(({ seq }) => seq);

		it('keeps the damaged database and everything around overwritten pages in the middle', async () => {
			await fill();
			const { size } = await stat(path);
			// Runs of pages in the middle, with good ones between them.
			for (const at of [0.4, 0.5, 0.51, 0.6]) {
				await overwrite(path, Math.floor((size * at) / PAGE) * PAGE, Buffer.alloc(2 * PAGE, 0xa5));
			}
			const damaged = await readFile(path);
			await markUnclean();
			const { store, report } = await openStore(path, { driver });
			assert.ok(report.recovery);
			assert.deepEqual(await readFile(report.recovery.setAside), damaged);
			const [a, b] = [await readAll(store, 'a'), await readAll(store, 'b')];
			assert.equal(report.recovery.recovered.sessions, 2);
			assert.equal(report.recovery.recovered.events, a.length + b.length);
			// Eight pages hold less than 400 events.
			assert.ok(a.length + b.length >= 3600, `${a.length + b.length} of 4000`);
			assert.ok(a.length + b.length + report.recovery.lost.rows >= 4000);
			assert.equal(new Set(a).size, a.length);
			assert.equal((await store.search('needle', 1000)).length, b.filter((seq) => seq % 100 === 0).length);
			await store.append('a', [warning(9999)]);
			await store.close();
			const again = await openStore(path, { driver });
			assert.deepEqual(again.report, {});
			assert.equal(await again.store.lastSeq('a'), 9999);
			await again.store.close();
		});

		it('gets all rows back where the first page is lost', async () => {
			await fill();
			await overwrite(path, 0, Buffer.alloc(PAGE));
			const { store, report } = await openStore(path, { driver });
			assert.deepEqual(report.recovery?.recovered, { sessions: 2, events: 4000 });
			assert.equal(report.recovery.lost.rows, 0);
			assert.deepEqual(await store.getSession('b'), session('b'));
			assert.equal(await store.readToolOutput('a', 'i'), 'output');
			await store.close();
		});

		it('makes the rows of sessions again from their events', async () => {
			const { store } = await openStore(path, { driver });
			await store.createSession(session('a'));
			const settings = { providerId: 'p', model: 'm', trustMode: 'plan' as const };
			const head = { id: '', at: 7 };
			await store.append('a', [
				{ type: 'sessionConfigured', ...head, seq: 1, settings, cwd: '/here', version: 1 },
				{ type: 'titleChanged', ...head, seq: 2, title: 'Found again' },
			]);
			await store.close();
			await overwrite(path, ((await rootPageOf('sessions')) - 1) * PAGE, Buffer.alloc(PAGE, 0xff));
			await markUnclean();
			const recovered = await openStore(path, { driver });
			assert.deepEqual(await recovered.store.listSessions(), [
				session('a', {
					title: 'Found again',
					createdAt: 7,
					updatedAt: 7,
					state: 'interrupted',
					settings,
					cwd: '/here',
				}),
			]);
			assert.deepEqual(recovered.report.recovery?.lost.tables, ['sessions']);
			await recovered.store.close();
		});

		it('starts anew beside a file that is no database at all, and keeps it', async () => {
			for (const content of ['this is a text file\n'.repeat(1000), 'short', Buffer.alloc(50_000, 7)]) {
				path = join(await directory(), 'belay.db');
				await writeFile(path, content);
				const { store, report } = await openStore(path, { driver });
				assert.deepEqual(report.recovery?.recovered, { sessions: 0, events: 0 });
				assert.deepEqual(await readFile(report.recovery.setAside), Buffer.from(content));
				await store.createSession(session('new'));
				await store.close();
			}
		});

		it('takes what was not checkpointed along, from the log of a killed host', async () => {
			await fill();
			const { store } = await openStore(path, { driver });
			await store.append('a', warnings(2001, 2100));
			const killed = join(await directory(), 'belay.db');
			for (const suffix of ['', '-wal']) {
				await cp(path + suffix, killed + suffix);
			}
			await store.close();
			path = killed;
			// Only the file: the log stays whole.
			await overwrite(path, Math.floor((await stat(path)).size / 2 / PAGE) * PAGE, Buffer.alloc(PAGE, 0xa5));
			const recovered = await openStore(path, { driver });
			assert.ok(recovered.report.recovery);
			assert.equal(await recovered.store.lastSeq('a'), 2100);
			await recovered.store.close();
		});

		it('that was cut off between its renames goes on where it was', async () => {
			await fill();
			const rebuilt = join(await directory(), 'belay.db');
			const { store } = await openStore(rebuilt, { driver });
			await store.createSession(session('rescued'));
			await store.close();
			await rename(rebuilt, `${path}.rebuilt-20300101T000000000Z`);
			await rename(path, `${path}.damaged-20300101T000000000Z`);
			await writeFile(`${path}-wal`, 'log of the damaged one');
			const { store: finished } = await openStore(path, { driver });
			assert.deepEqual(
				(await finished.listSessions()).map(({ sessionId }) => sessionId),
				['rescued'],
			);
			await finished.close();
			assert.equal(await readFile(`${path}.damaged-20300101T000000000Z-wal`, 'utf8'), 'log of the damaged one');
		});

		it('comes at the next opening where damage was met while the store was open', async () => {
			await fill();
			const { size } = await stat(path);
			await overwrite(path, Math.floor(size / 2 / PAGE) * PAGE, Buffer.alloc(8 * PAGE, 0xa5));
			const direct = await openDriver(path, { driver });
			const store = new SqliteStore(direct, path, { damaged: markUnclean });
			await assert.rejects(
				Promise.all([store.readEvents('a', { after: 0 }), store.readEvents('b', { after: 0 })]),
				(error: StoreError) => error.code === 'corrupt' && /Reload/.test(error.remedy ?? ''),
			);
			await store.close();
			const recovered = await openStore(path, { driver });
			assert.ok(recovered.report.recovery);
			await recovered.store.close();
		});

		it('keeps a log whose database is gone', async () => {
			await writeFile(`${path}-wal`, 'all that is left');
			const { store } = await openStore(path, { driver });
			await store.close();
			const kept = (await readdir(dirname(path))).find((name) => name.endsWith('-wal'));
			assert.equal(await readFile(join(dirname(path), kept!), 'utf8'), 'all that is left');
		});

		describe('of versions', () => {
			const older = [
				{
					version: 1,
					sql: 'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) STRICT; CREATE TABLE old (x TEXT) STRICT',
				},
			];
			const newer = [...older, { version: 2, sql: 'ALTER TABLE old RENAME TO renamed' }];

			it('copies an older database before it changes it', async () => {
				const { driver: first } = await openDatabase(path, { driver, migrations: older });
				await first.run('INSERT INTO old VALUES (?)', ['kept']);
				await first.close();
				const { driver: second, report } = await openDatabase(path, { driver, migrations: newer });
				assert.equal((await second.get('SELECT x FROM renamed'))?.x, 'kept');
				await second.close();
				assert.equal(report.migration?.from, 1);
				const backup = await openDriver(report.migration.backup, { driver });
				assert.equal((await backup.get('SELECT x FROM old'))?.x, 'kept');
				await backup.close();
			});

			it('leaves a database as it was where a step fails', async () => {
				const { driver: first } = await openDatabase(path, { driver, migrations: older });
				await first.close();
				const broken = [...older, { version: 2, sql: 'DROP TABLE old; CREATE TABLE meta (x)' }];
				await assert.rejects(openDatabase(path, { driver, migrations: broken }), StoreError);
				const { driver: again, report } = await openDatabase(path, { driver, migrations: older });
				assert.deepEqual(report, {});
				assert.deepEqual(await again.all('SELECT * FROM old'), []);
				await again.close();
			});

			it('refuses a newer database and does not touch a byte of it', async () => {
				const version = MIGRATIONS.length + 1;
				const { driver: first } = await openDatabase(path, {
					driver,
					migrations: [...MIGRATIONS, { version, sql: 'CREATE TABLE future (x TEXT) STRICT' }],
				});
				await first.close();
				// A log that a newer version left, too.
				await writeFile(`${path}-wal`, 'not to be touched');
				const before = await readFile(path);
				await assert.rejects(openStore(path, { driver }), (error: StoreError) => {
					assert.equal(error.code, 'newerSchema');
					assert.match(error.remedy ?? '', /Update/);
					return true;
				});
				assert.deepEqual(await readFile(path), before);
				assert.equal(await readFile(`${path}-wal`, 'utf8'), 'not to be touched');
			});
		});

		describe('of errors', () => {
			it('says what to do when the disk is full, and goes on when there is space again', async () => {
				await (await openStore(path, { driver })).store.close();
				const direct = await openDriver(path, { driver });
				const store = new SqliteStore(direct, path);
				await store.createSession(session('a'));
				const pages = Number((await direct.get('PRAGMA page_count'))?.page_count);
				await direct.exec(`PRAGMA max_page_count = ${pages + 2}`);
				const big = 'x'.repeat(20_000);
				await assert.rejects(store.append('a', [warning(1, big)]), (error: StoreError) => {
					assert.equal(error.code, 'full');
					assert.match(error.remedy ?? '', /Free some disk space/);
					return true;
				});
				await direct.exec('PRAGMA max_page_count = 100000');
				await store.append('a', [warning(1, big)]);
				await store.close();
			});

			it('says what to do when the directory cannot be used', async () => {
				await writeFile(path, 'a file');
				const remedy = (error: StoreError) => error.code === 'io' && /writable/.test(error.remedy ?? '');
				await assert.rejects(openStore(join(path, 'sub', 'belay.db'), { driver }), remedy);
				if (process.getuid?.() !== 0) {
					const locked = await directory();
					await chmod(locked, 0o500);
					await assert.rejects(openStore(join(locked, 'belay.db'), { driver }), remedy);
					await chmod(locked, 0o700);
				}
				assert.deepEqual(await readFile(path, 'utf8'), 'a file');
			});
		});

		it('reads the newest events of a long session', async () => {
			const { driver: direct } = await openDatabase(path, { driver });
			const store = new SqliteStore(direct, path);
			await store.createSession(session('long'));
			await direct.exec(`INSERT INTO rollout (session_id, seq, kind, at, payload)
				WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < 100000)
				SELECT 'long', seq, 'warning', 0,
				json_object('type', 'warning', 'id', '', 'seq', seq, 'at', 0, 'message', 'm') FROM n`);
			const page = await store.readEvents('long', { before: Infinity, limit: 200 });
			assert.deepEqual([page.events[0]?.seq, page.events.at(-1)?.seq, page.more], [99_801, 100_000, true]);
			await store.close();
			assert.deepEqual(await readdir(join(path, '..')), ['belay.db']);
		});

		it('has nothing to do for a store in memory', async () => {
			const store = await memoryStore({ driver });
			await store.createSession(session('a'));
			await store.append('a', [message(1, 'gone soon')], { flush: true });
			assert.equal((await store.search('gone', 5)).length, 1);
			await store.close();
		});
	});
}
