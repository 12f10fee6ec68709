import { StoreError, type SessionPatch } from '../../engine/ports/index.ts';
import type { SqlDriver, SqlValue } from '../sql/sqlDriver.ts';
import { toStoreError } from '../storeErrors.ts';
import type { EventRecord } from './eventRows.ts';
import { REMOVE_PARTIALS } from './partials.ts';
import { patchValues, UPDATE_SESSION } from './sessionRows.ts';

/** One call of `Store.append`, waiting to be written. */
export interface PendingAppend {
	readonly sessionId: string;
	readonly records: readonly EventRecord[];
	readonly session: SessionPatch | undefined;
	readonly flush: boolean;
	readonly settle: (error: StoreError | undefined) => void;
}

/** Rows of one INSERT: few different statements, so that all stay prepared. */
const CHUNKS = [64, 16, 8, 4, 3, 2, 1] as const;

/** Writes groups of appends, and knows the newest `seq` of the sessions it wrote to. */
export class AppendWriter {
	readonly #driver: SqlDriver;
	readonly #path: string;
	readonly #lastSeq = new Map<string, number>();
	#nextId: number | undefined;

	constructor(driver: SqlDriver, path: string) {
		this.#driver = driver;
		this.#path = path;
	}

	/** The session's events are gone, or may be. */
	forget(sessionId: string): void {
		this.#lastSeq.delete(sessionId);
	}

	/** Settles each append of the group. Never rejects. */
	async write(group: readonly PendingAppend[]): Promise<void> {
		try {
			const accepted = await this.#accept(group);
			await this.#commitOrSplit(accepted);
		} catch (error) {
			settleAll(group, toStoreError(error, this.#path));
		}
	}

	/** Turns down what breaks the order of its session; the others are not held up by it. */
	async #accept(group: readonly PendingAppend[]): Promise<PendingAppend[]> {
		const newest = new Map<string, number>();
		const accepted: PendingAppend[] = [];
		for (const append of group) {
			const last = newest.get(append.sessionId) ?? (await this.#lastSeqOf(append.sessionId));
			const refusal = last === undefined ? 'there is no such session' : outOfOrder(append.records, last);
			if (refusal !== undefined) {
				append.settle(new StoreError('invalid', `Events cannot be added to session ${append.sessionId}: ${refusal}.`));
				continue;
			}
			newest.set(append.sessionId, append.records.at(-1)?.seq ?? last ?? 0);
			accepted.push(append);
		}
		return accepted;
	}

	async #commitOrSplit(group: readonly PendingAppend[]): Promise<void> {
		if (group.length === 0) {
			return;
		}
		try {
			await this.#commit(group);
			settleAll(group, undefined);
		} catch (error) {
			const storeError = toStoreError(error, this.#path);
			if (storeError.code !== 'invalid' || group.length === 1) {
				settleAll(group, storeError);
				return;
			}
			for (const append of group) {
				await this.#commitOrSplit([append]);
			}
		}
	}

	async #commit(group: readonly PendingAppend[]): Promise<void> {
		const flush = group.some((append) => append.flush);
		const firstId = this.#nextId ?? (await this.#readNextId());
		const { statements, nextId } = statementsFor(group, firstId);
		if (flush) {
			await this.#driver.exec('PRAGMA synchronous = FULL');
		}
		try {
			await execute(this.#driver, statements);
			this.#nextId = nextId;
		} finally {
			if (flush) {
				// What is committed is committed, whatever becomes of this: the next flush sets it back again.
				await this.#driver.exec('PRAGMA synchronous = NORMAL').catch(() => undefined);
			}
		}
		for (const { sessionId, records } of group) {
			const last = records.at(-1);
			if (last !== undefined) {
				this.#lastSeq.set(sessionId, last.seq);
			}
		}
	}

	async #lastSeqOf(sessionId: string): Promise<number | undefined> {
		const known = this.#lastSeq.get(sessionId);
		if (known !== undefined) {
			return known;
		}
		const row = await this.#driver.get(
			`SELECT (SELECT max(seq) FROM rollout WHERE session_id = sessions.session_id) AS seq
			FROM sessions WHERE session_id = ?`,
			[sessionId],
		);
		if (row === undefined) {
			return undefined;
		}
		const last = Number(row.seq ?? 0);
		this.#lastSeq.set(sessionId, last);
		return last;
	}

	async #readNextId(): Promise<number> {
		const row = await this.#driver.get('SELECT coalesce(max(id), 0) + 1 AS id FROM rollout');
		return Number(row?.id);
	}
}

interface Statement {
	readonly sql: string;
	readonly params: readonly SqlValue[];
}

/** What writes a group, in order; the events get ids from `firstId` on. */
function statementsFor(group: readonly PendingAppend[], firstId: number): { statements: Statement[]; nextId: number } {
	const events: SqlValue[][] = [];
	const messages: SqlValue[][] = [];
	const others: Statement[] = [];
	let id = firstId;
	for (const { sessionId, records, session } of group) {
		for (const { seq, turnId, kind, at, payload, searchText, completedItemId } of records) {
			events.push([id, sessionId, seq, turnId, kind, at, payload]);
			if (searchText !== undefined) {
				messages.push([id, searchText]);
			}
			if (completedItemId !== undefined) {
				others.push({ sql: REMOVE_PARTIALS, params: [sessionId, completedItemId] });
			}
			id += 1;
		}
		if (session !== undefined && Object.keys(session).length > 0) {
			others.push({ sql: UPDATE_SESSION, params: patchValues(sessionId, session) });
		}
	}
	const statements = [
		...inserts('INSERT INTO rollout (id, session_id, seq, turn_id, kind, at, payload) VALUES ', events),
		...inserts('INSERT INTO messages_fts (rowid, text) VALUES ', messages),
		...others,
	];
	return { statements, nextId: id };
}

function* inserts(head: string, rows: readonly SqlValue[][]): Generator<Statement> {
	let done = 0;
	for (const size of CHUNKS) {
		while (rows.length - done >= size) {
			const chunk = rows.slice(done, done + size);
			const values = chunk.map((row) => `(${row.map(() => '?').join(',')})`).join(',');
			yield { sql: head + values, params: chunk.flat() };
			done += size;
		}
	}
}

/** A single statement is a transaction already: half of the appends save the two round trips. */
async function execute(driver: SqlDriver, statements: readonly Statement[]): Promise<void> {
	const [only] = statements;
	if (only !== undefined && statements.length === 1) {
		await driver.run(only.sql, only.params);
	} else if (statements.length > 0) {
		await driver.transaction(async (tx) => {
			for (const { sql, params } of statements) {
				await tx.run(sql, params);
			}
		});
	}
}

function outOfOrder(records: readonly EventRecord[], last: number): string | undefined {
	let newest = last;
	for (const { seq } of records) {
		if (!Number.isSafeInteger(seq) || seq <= newest) {
			return `number ${seq} does not come after ${newest}`;
		}
		newest = seq;
	}
	return undefined;
}

function settleAll(group: readonly PendingAppend[], error: StoreError | undefined): void {
	for (const { settle } of group) {
		settle(error);
	}
}
