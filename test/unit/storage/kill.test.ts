import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDriver } from '../../../src/storage/sql/openDriver.ts';
import { Child, DRIVERS, openStore, temporaryDirectories } from './support.ts';

/** Databases that one process writes to: each kill hits all of them. Together 25. */
const ROUNDS = 5;
const DATABASES = { native: 3, node: 2 };

interface Line {
	directory: string;
	opened?: number;
	recovered?: boolean;
	acknowledged?: number;
}

for (const driver of DRIVERS) {
	describe(`A killed owner on ${driver}`, () => {
		const directory = temporaryDirectories();

		it('loses nothing that was acknowledged', async function () {
			this.timeout(60_000);
			const paths = await Promise.all(Array.from({ length: DATABASES[driver] }, directory));
			const acknowledged = new Map(paths.map((path) => [path, 0]));
			for (let round = 0; round < ROUNDS; round++) {
				const child = await Child.start('appender', [driver, ...paths]);
				for (const path of paths) {
					const start = await child.line<Line>((line) => line.directory === path && line.opened !== undefined);
					assert.equal(start.recovered, false);
					assert.ok(start.opened! >= acknowledged.get(path)!, `${start.opened} of ${acknowledged.get(path)}`);
				}
				await Promise.all(
					paths.map((path) => child.line<Line>((line) => line.directory === path && line.acknowledged! > 0)),
				);
				// Any moment will do: this wait is what is tested, not what is waited for.
				await sleep(Math.random() * 25);
				await child.kill();
				for (const { directory: path, acknowledged: seq = 0 } of child.lines as Line[]) {
					acknowledged.set(path, Math.max(seq, acknowledged.get(path)!));
				}
			}
			for (const [path, seq] of acknowledged) {
				await checkDatabase(join(path, 'belay.db'), driver, seq);
			}
		});
	});
}

async function checkDatabase(path: string, driver: (typeof DRIVERS)[number], acknowledged: number): Promise<void> {
	const { store, report } = await openStore(path, { driver });
	const { events, skipped } = await store.readEvents('s', { after: 0 });
	await store.close();
	assert.deepEqual(report, {});
	assert.deepEqual(skipped, []);
	assert.ok(events.length >= acknowledged);
	events.forEach(({ seq }, index) => assert.equal(seq, index + 1));
	const direct = await openDriver(path, { driver });
	assert.deepEqual(
		(await direct.all('PRAGMA integrity_check')).map((row) => Object.values(row)[0]),
		['ok'],
	);
	const counts = await direct.get(
		`SELECT (SELECT count(*) FROM messages_fts) AS indexed,
		(SELECT count(*) FROM rollout WHERE kind = 'itemCompleted') AS messages`,
	);
	assert.equal(counts?.indexed, counts?.messages);
	await direct.close();
}
