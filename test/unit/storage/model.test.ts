import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import type { SessionRow } from '../../../src/engine/ports/index.ts';
import type { Event } from '../../../src/protocol/index.ts';
import type { SqliteStore } from '../../../src/storage/store/sqliteStore.ts';
import { message, session, warning } from './events.ts';
import { DRIVERS, openStore, temporaryDirectories } from './support.ts';

const sessionId = fc.constantFrom('a', 'b', 'c');
const action = fc.oneof(
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), sessionId }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), sessionId }) },
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('append' as const),
			sessionId,
			/** Distances from the newest number: 0 and below are wrong. */
			steps: fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 4 }),
			text: fc.string({ unit: 'binary', maxLength: 8 }),
			title: fc.option(fc.string()),
			flush: fc.boolean(),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('output' as const), sessionId, text: fc.string() }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('readNew' as const), sessionId, limit: fc.nat(5) }) },
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constant('readOld' as const), sessionId, limit: fc.nat(5), before: fc.nat(20) }),
	},
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), sessionId }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface ModelSession {
	row: SessionRow;
	events: Event[];
	output: string | undefined;
}

/** What a store should be, in plain words. */
class Model {
	readonly sessions = new Map<string, ModelSession>();

	append(id: string, events: readonly Event[], title: string | null): boolean {
		const found = this.sessions.get(id);
		let last = found?.events.at(-1)?.seq ?? 0;
		for (const { seq } of events) {
			if (seq <= last) {
				return false;
			}
			last = seq;
		}
		if (found === undefined) {
			return false;
		}
		found.events.push(...events);
		found.row = title === null ? found.row : { ...found.row, title };
		return true;
	}
}

function newEvents(model: Model, { sessionId: id, steps, text }: Extract<Action, { do: 'append' }>): Event[] {
	let seq = model.sessions.get(id)?.events.at(-1)?.seq ?? 0;
	return steps.map((step) => {
		seq += step;
		return step === 2 ? message(seq, text) : warning(seq, text);
	});
}

async function apply(store: SqliteStore, model: Model, step: Exclude<Action, { do: 'reopen' }>): Promise<void> {
	const id = step.sessionId;
	const found = model.sessions.get(id);
	const succeeded = (work: Promise<unknown>) =>
		work.then(
			() => true,
			() => false,
		);
	switch (step.do) {
		case 'create':
			assert.equal(await succeeded(store.createSession(session(id))), found === undefined);
			if (found === undefined) {
				model.sessions.set(id, { row: session(id), events: [], output: undefined });
			}
			return;
		case 'delete':
			await store.deleteSession(id);
			model.sessions.delete(id);
			return;
		case 'append': {
			const events = newEvents(model, step);
			const patch = step.title === null ? {} : { session: { title: step.title } };
			const done = await succeeded(store.append(id, events, { flush: step.flush, ...patch }));
			assert.equal(done, model.append(id, events, step.title));
			return;
		}
		case 'output':
			assert.equal(await succeeded(store.saveToolOutput(id, 'i', step.text)), found !== undefined);
			if (found !== undefined) {
				found.output = step.text;
			}
			return;
		case 'readNew': {
			const page = await store.readEvents(id, { before: Infinity, limit: step.limit });
			const all = found?.events ?? [];
			const newest = all.slice(Math.max(0, all.length - step.limit));
			assert.deepEqual(page, { events: newest, skipped: [], more: newest.length < all.length });
			return;
		}
		case 'readOld': {
			const page = await store.readEvents(id, { before: step.before, limit: step.limit });
			const all = (found?.events ?? []).filter(({ seq }) => seq < step.before);
			const wanted = all.slice(Math.max(0, all.length - step.limit));
			assert.deepEqual(page, { events: wanted, skipped: [], more: wanted.length < all.length });
			return;
		}
	}
}

async function compare(store: SqliteStore, model: Model): Promise<void> {
	const rows = await store.listSessions();
	const expected = [...model.sessions.values()].map(({ row }) => row);
	const byId = (a: SessionRow, b: SessionRow) => a.sessionId.localeCompare(b.sessionId);
	assert.deepEqual(rows.toSorted(byId), expected.toSorted(byId));
	for (const id of ['a', 'b', 'c']) {
		const found = model.sessions.get(id);
		const page = await store.readEvents(id, { after: 0 });
		assert.deepEqual(page, { events: found?.events ?? [], skipped: [], more: false });
		assert.equal(await store.readToolOutput(id, 'i'), found?.output);
		assert.equal(await store.lastSeq(id), found?.events.at(-1)?.seq ?? 0);
	}
}

for (const driver of DRIVERS) {
	describe(`Store against a model on ${driver}`, () => {
		const directory = temporaryDirectories();

		it('does what the model does, over restarts', async () => {
			const root = await directory();
			let run = 0;
			await fc.assert(
				fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (steps) => {
					const path = join(root, `${run++}`, 'belay.db');
					let { store } = await openStore(path, { driver });
					const model = new Model();
					try {
						for (const step of steps) {
							if (step.do === 'reopen') {
								await store.close();
								({ store } = await openStore(path, { driver }));
							} else {
								await apply(store, model, step);
							}
						}
						await compare(store, model);
					} finally {
						await store.close();
					}
				}),
				{ numRuns: 25 },
			);
		});
	});
}
