import assert from 'node:assert/strict';
import { join } from 'node:path';
import { StoreError, type EgressRow, type StoredEvent } from '../../../src/engine/ports/index.ts';
import { openDriver } from '../../../src/storage/sql/openDriver.ts';
import type { SqliteStore } from '../../../src/storage/store/sqliteStore.ts';
import { message, session, warning, warnings } from './events.ts';
import { DRIVERS, openStore, temporaryDirectories } from './support.ts';

function fails(code: StoreError['code']): (error: unknown) => boolean {
	return (error) => error instanceof StoreError && error.code === code;
}

function seqs(events: readonly StoredEvent[]): number[] {
	return events.map(({ seq }) => seq);
}

for (const driver of DRIVERS) {
	describe(`Store on ${driver}`, () => {
		const directory = temporaryDirectories();
		let path: string;
		let store: SqliteStore;

		beforeEach(async () => {
			path = join(await directory(), 'belay.db');
			({ store } = await openStore(path, { driver }));
			await store.createSession(session('s'));
		});
		afterEach(() => store.close());

		async function reopen(): Promise<void> {
			await store.close();
			({ store } = await openStore(path, { driver }));
		}

		/** Changes the database behind the store's back. */
		async function tamper(sql: string): Promise<void> {
			await store.close();
			const direct = await openDriver(path, { driver });
			await direct.exec(sql);
			await direct.close();
			({ store } = await openStore(path, { driver }));
		}

		describe('sessions', () => {
			it('come back as they were saved, also after the database is closed', async () => {
				const row = session('unusual', {
					title: "Bobby'); DROP TABLE sessions;-- \u{1F9D7} \0 end",
					updatedAt: 1_900_000_000_000.5,
					archived: true,
					state: 'waiting',
				});
				await store.createSession(row);
				await reopen();
				assert.deepEqual(await store.getSession('unusual'), row);
			});

			it('are listed newest first, filtered and limited', async () => {
				await store.createSession(session('old', { updatedAt: 1 }));
				await store.createSession(session('new', { updatedAt: 2e12 }));
				await store.createSession(session('gone', { updatedAt: 3e12, archived: true }));
				const ids = async (query?: Parameters<typeof store.listSessions>[0]) =>
					(await store.listSessions(query)).map(({ sessionId }) => sessionId);
				assert.deepEqual(await ids(), ['gone', 'new', 's', 'old']);
				assert.deepEqual(await ids({ archived: false, limit: 2 }), ['new', 's']);
				assert.deepEqual(await ids({ archived: true }), ['gone']);
			});

			it('keep every field that a patch does not name', async () => {
				await store.updateSession('s', { archived: true });
				await store.updateSession('s', { title: '' });
				assert.deepEqual(await store.getSession('s'), session('s', { archived: true, title: '' }));
				await store.updateSession('nobody', { title: 'x' });
				assert.equal(await store.getSession('nobody'), undefined);
			});

			it('are made once', async () => {
				await assert.rejects(store.createSession(session('s')), fails('invalid'));
			});

			it('are listed also when their settings and state cannot be read', async () => {
				await tamper("UPDATE sessions SET settings = '{', state = 'levitating'");
				const [row] = await store.listSessions();
				assert.equal(row?.title, 'Title of s');
				assert.equal(row.settings.trustMode, 'safe');
				assert.equal(row.state, 'interrupted');
			});

			it('take everything of theirs along when they are deleted, and nothing of others', async () => {
				await store.createSession(session('other'));
				for (const id of ['s', 'other']) {
					await store.append(id, [message(1, 'findable words')]);
					await store.saveToolOutput(id, 'i', 'text');
					await store.savePartials(id, [{ turnId: 't', itemId: 'p', itemType: 'reasoning', offset: 0, text: 'x' }]);
					await store.appendEgress([egress(id, 'example.com')]);
				}
				await store.deleteSession('s');
				assert.equal(await store.getSession('s'), undefined);
				assert.equal(await store.lastSeq('s'), 0);
				assert.equal(await store.readToolOutput('s', 'i'), undefined);
				assert.deepEqual(await store.readPartials('s'), []);
				assert.deepEqual(await store.readEgress('s', 10), []);
				assert.deepEqual(
					(await store.search('findable', 10)).map(({ sessionId }) => sessionId),
					['other'],
				);
				assert.equal(await store.readToolOutput('other', 'i'), 'text');
				await assert.rejects(store.append('s', [warning(2)]), fails('invalid'));
			});
		});

		describe('events', () => {
			it('come back whole, whatever is in their text', async () => {
				const texts = ['', '\0\u0001', '\ud800 alone', '\'"\\', '\u{1F9D7}'.repeat(3), 'x'.repeat(300_000)];
				const events = texts.map((text, index) => message(index + 1, text));
				await store.append('s', events);
				await reopen();
				assert.deepEqual((await store.readEvents('s', { after: 0 })).events, events);
			});

			it('are read forward and backward in pages', async () => {
				await store.append('s', warnings(1, 10));
				const forward = await store.readEvents('s', { after: 3, limit: 4 });
				assert.deepEqual([seqs(forward.events), forward.more], [[4, 5, 6, 7], true]);
				const end = await store.readEvents('s', { after: 6, limit: 4 });
				assert.deepEqual([seqs(end.events), end.more], [[7, 8, 9, 10], false]);
				const newest = await store.readEvents('s', { before: Infinity, limit: 3 });
				assert.deepEqual([seqs(newest.events), newest.more], [[8, 9, 10], true]);
				const oldest = await store.readEvents('s', { before: 4, limit: 3 });
				assert.deepEqual([seqs(oldest.events), oldest.more], [[1, 2, 3], false]);
				const none = await store.readEvents('nobody', { after: 0 });
				assert.deepEqual(none, { events: [], skipped: [], more: false });
			});

			it('of a newer version are kept as unknown ones', async () => {
				const event = { type: 'hologramShown', id: 'x', seq: 1, at: 5, depth: 3 };
				await store.append('s', [event as never]);
				assert.deepEqual((await store.readEvents('s', { after: 0 })).events, [
					{ type: 'unknown', kind: 'hologramShown', id: 'x', seq: 1, at: 5, raw: event },
				]);
			});

			it('that cannot be read are reported, stay, and hide no other', async () => {
				await store.append('s', warnings(1, 5));
				await tamper(`UPDATE rollout SET payload = '{"type":' WHERE seq = 2;
					UPDATE rollout SET payload = '[]' WHERE seq = 3;
					UPDATE rollout SET payload = (SELECT payload FROM rollout WHERE seq = 1) WHERE seq = 4`);
				for (const query of [{ after: 0 }, { before: Infinity, limit: 10 }]) {
					const page = await store.readEvents('s', query);
					assert.deepEqual(seqs(page.events), [1, 5]);
					assert.deepEqual(page.skipped.map(({ seq }) => seq).toSorted(), [2, 3, 4]);
				}
				assert.equal(await store.lastSeq('s'), 5);
			});

			it('out of order are refused, and leave the store as it was', async () => {
				await store.append('s', warnings(1, 3));
				for (const wrong of [[warning(3)], [warning(5), warning(4)], [warning(0)], [warning(4.5)], [warning(NaN)]]) {
					await assert.rejects(store.append('s', wrong, { session: { title: 'no' } }), fails('invalid'));
				}
				await assert.rejects(store.append('nobody', [warning(1)]), fails('invalid'));
				assert.equal(await store.lastSeq('s'), 3);
				assert.equal((await store.getSession('s'))?.title, 'Title of s');
			});

			it('keep the order of their sessions over a restart', async () => {
				await store.append('s', warnings(1, 3));
				await reopen();
				await assert.rejects(store.append('s', [warning(3)]), fails('invalid'));
				await store.append('s', [warning(4)]);
				assert.deepEqual(seqs((await store.readEvents('s', { after: 0 })).events), [1, 2, 3, 4]);
			});

			it('refused in a burst do not take others with them', async () => {
				const results = await Promise.allSettled([
					store.append('s', [warning(1)]),
					store.append('s', [warning(1)]),
					store.append('s', [{ ...warning(2), at: null } as never]),
					store.append('s', [warning(3)], { flush: true }),
					store.append('s', [warning(4)], { session: { title: 'late' } }),
				]);
				assert.deepEqual(
					results.map(({ status }) => status),
					['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
				);
				assert.deepEqual(seqs((await store.readEvents('s', { after: 0 })).events), [1, 3, 4]);
				assert.equal((await store.getSession('s'))?.title, 'late');
			});

			it('are seen by a read that was asked for after them, awaited or not', async () => {
				const appended = store.append('s', [warning(1)]);
				assert.equal(await store.lastSeq('s'), 1);
				await appended;
			});

			it('are written as they were when they were handed over', async () => {
				const event = warning(1, 'before');
				const appended = store.append('s', [event]);
				event.message = 'after';
				await appended;
				assert.deepEqual((await store.readEvents('s', { after: 0 })).events, [warning(1, 'before')]);
			});

			it('that are no JSON are refused', async () => {
				await assert.rejects(store.append('s', [{ ...warning(1), big: 1n } as never]), fails('invalid'));
			});

			it('may change the session alone', async () => {
				await store.append('s', [], { session: { state: 'running' } });
				assert.equal((await store.getSession('s'))?.state, 'running');
			});
		});

		describe('partial texts', () => {
			const piece = (itemId: string, offset: number, text: string) =>
				({ turnId: 't', itemId, itemType: 'agentMessage', offset, text }) as const;

			it('are joined per item, in the order in which the items began', async () => {
				await store.savePartials('s', [piece('b', 0, 'Hello '), piece('a', 0, 'other')]);
				await store.savePartials('s', [piece('b', 6, 'wrld'), piece('b', 7, 'orld')]);
				await store.savePartials('s', [piece('b', 0, 'Hello worl'), piece('b', 10, 'd')]);
				await reopen();
				assert.deepEqual(await store.readPartials('s'), [piece('b', 0, 'Hello world'), piece('a', 0, 'other')]);
			});

			it('may be cut anywhere, also within a character', async () => {
				const text = 'a\u{1F9D7}b';
				await store.savePartials('s', [piece('a', 0, text.slice(0, 2)), piece('a', 2, text.slice(2))]);
				assert.deepEqual(await store.readPartials('s'), [piece('a', 0, text)]);
			});

			it('go when their item is complete', async () => {
				await store.savePartials('s', [piece('item1', 0, 'x'), piece('item2', 0, 'y')]);
				await store.append('s', [message(1, 'x and the rest')]);
				assert.deepEqual(await store.readPartials('s'), [piece('item2', 0, 'y')]);
			});
		});

		it('keeps the newest full output of a tool call', async () => {
			const output = `head \0 tail\r\n${'line\n'.repeat(100_000)}`;
			await store.saveToolOutput('s', 'i', 'first');
			await store.saveToolOutput('s', 'i', output);
			await reopen();
			assert.equal(await store.readToolOutput('s', 'i'), output);
			assert.equal(await store.readToolOutput('s', 'other'), undefined);
			await assert.rejects(store.saveToolOutput('nobody', 'i', ''), fails('invalid'));
		});

		it('keeps the egress log, newest first', async () => {
			const rows = ['a.com', 'b.com', 'c.com'].map((host) => egress('s', host));
			await store.appendEgress(rows);
			assert.deepEqual(await store.readEgress('s', 2), [rows[2], rows[1]]);
		});

		it('finds messages by words and beginnings of words, and takes no input for syntax', async () => {
			await store.append('s', [
				message(1, 'Please fix the flaky Übersicht test', 'userMessage'),
				message(2, 'The test is fixed: it raced "with" the clock'),
				warning(3, 'this test is no message'),
			]);
			const found = async (typed: string) => seqs((await store.search(typed, 10)) as never).toSorted();
			assert.deepEqual(await found('test'), [1, 2]);
			assert.deepEqual(await found('TEST fix'), [1, 2]);
			assert.deepEqual(await found('ubersicht'), [1]);
			assert.deepEqual(await found('the cloc'), [2]);
			assert.deepEqual(await found('flaky clock'), []);
			for (const odd of ['', '  ', '"', '*', 'NOT', 'a AND', '(', 'text:x', "'; --", 'NEAR(a b)']) {
				await found(odd);
			}
			const [match] = await store.search('flaky', 1);
			assert.deepEqual(match?.snippet, [
				{ text: 'Please fix the ', match: false },
				{ text: 'flaky', match: true },
				{ text: ' Übersicht test', match: false },
			]);
		});

		it('finishes what was asked for before it is closed, and refuses what comes later', async () => {
			const appended = store.append('s', [warning(1)]);
			const closed = store.close();
			await assert.rejects(store.append('s', [warning(2)]), fails('closed'));
			await assert.rejects(store.listSessions(), fails('closed'));
			await Promise.all([appended, closed, store.close()]);
			({ store } = await openStore(path, { driver }));
			assert.equal(await store.lastSeq('s'), 1);
		});

		it('refuses limits that are none', async () => {
			await assert.rejects(store.readEvents('s', { after: 0, limit: -1 }), fails('invalid'));
			await assert.rejects(store.readEgress('s', 1.5), fails('invalid'));
		});
	});
}

function egress(sessionId: string, host: string): EgressRow {
	return {
		at: 1_700_000_000_000.25,
		sessionId,
		itemId: null,
		host,
		port: 443,
		protocol: 'connect',
		verdict: 'denied',
		rule: 'not in the allowlist',
		bytesUp: 2 ** 40,
		bytesDown: 0,
		durationMs: 12.5,
	};
}
