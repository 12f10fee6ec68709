import {
	StoreError,
	type EgressRow,
	type EventPage,
	type EventQuery,
	type PartialText,
	type SessionPatch,
	type SessionRow,
	type Store,
	type StoredEvent,
} from '../../engine/ports/index.ts';
import type { Event } from '../../protocol/index.ts';
import type { SqlDriver, SqlRow, SqlValue } from '../sql/sqlDriver.ts';
import { toStoreError } from '../storeErrors.ts';
import { AppendWriter, type PendingAppend } from './appendWriter.ts';
import { fromRow, toRecord, type EventRecord } from './eventRows.ts';
import { GroupingQueue } from './groupingQueue.ts';
import { MATCH_END, MATCH_START, toFtsQuery, toParts, type SnippetPart } from './searchQuery.ts';
import { READ_PARTIALS, savePartials, toPartials } from './partials.ts';
import {
	egressValues,
	INSERT_EGRESS,
	INSERT_SESSION,
	patchValues,
	sessionValues,
	toEgress,
	toSession,
	UPDATE_SESSION,
} from './sessionRows.ts';

/** Appends that are committed together at most: bounds how long one transaction takes. */
const MAX_GROUP = 500;
/** Words of a found message's text that are shown. */
const SNIPPET_WORDS = 24;

const SEARCH = `SELECT r.session_id, r.seq, r.at,
	snippet(messages_fts, 0, '${MATCH_START}', '${MATCH_END}', '…', ${SNIPPET_WORDS}) AS snippet
	FROM messages_fts JOIN rollout r ON r.id = messages_fts.rowid
	WHERE messages_fts MATCH ? ORDER BY rank, r.id DESC LIMIT ?`;

export interface MessageMatch {
	readonly sessionId: string;
	readonly seq: number;
	readonly at: number;
	readonly snippet: readonly SnippetPart[];
}

export interface StoreHooks {
	/** After the database is closed, whether that went well or not. */
	readonly closed?: () => Promise<void>;
	/** SQLite found damage: the database should be checked when it is opened next. */
	readonly damaged?: () => Promise<void>;
}

/**
 * The sessions in a SQLite database with the newest schema. Calls take effect in the order in which they are made, so
 * that a read sees what was appended before it, awaited or not.
 */
export class SqliteStore implements Store {
	readonly #driver: SqlDriver;
	readonly #path: string;
	readonly #hooks: StoreHooks;
	readonly #writer: AppendWriter;
	readonly #queue: GroupingQueue<PendingAppend>;
	#closing: Promise<void> | undefined;
	#damageReported = false;

	/** `path` is for messages alone. */
	constructor(driver: SqlDriver, path: string, hooks: StoreHooks = {}) {
		this.#driver = driver;
		this.#path = path;
		this.#hooks = hooks;
		this.#writer = new AppendWriter(driver, path);
		this.#queue = new GroupingQueue((group) => this.#writer.write(group), MAX_GROUP);
	}

	async createSession(row: SessionRow): Promise<void> {
		await this.#run(() => this.#driver.run(INSERT_SESSION, sessionValues(row)));
	}

	async updateSession(sessionId: string, patch: SessionPatch): Promise<void> {
		const values = patchValues(sessionId, patch);
		await this.#run(() => this.#driver.run(UPDATE_SESSION, values));
	}

	async getSession(sessionId: string): Promise<SessionRow | undefined> {
		const row = await this.#run(() => this.#driver.get('SELECT * FROM sessions WHERE session_id = ?', [sessionId]));
		return row === undefined ? undefined : toSession(row);
	}

	async listSessions(query: { readonly limit?: number; readonly archived?: boolean } = {}): Promise<SessionRow[]> {
		const filter = query.archived === undefined ? '' : 'WHERE archived = ?';
		const params: SqlValue[] = query.archived === undefined ? [] : [Number(query.archived)];
		const sql = `SELECT * FROM sessions ${filter} ORDER BY updated_at DESC, id DESC LIMIT ?`;
		const rows = await this.#run(() => this.#driver.all(sql, [...params, limitValue(query.limit)]));
		return rows.map(toSession);
	}

	async deleteSession(sessionId: string): Promise<void> {
		await this.#run(async () => {
			await this.#driver.transaction(async (tx) => {
				await tx.run('DELETE FROM messages_fts WHERE rowid IN (SELECT id FROM rollout WHERE session_id = ?)', [
					sessionId,
				]);
				await tx.run('DELETE FROM egress_log WHERE session_id = ?', [sessionId]);
				// Everything else that belongs to the session goes with its row.
				await tx.run('DELETE FROM sessions WHERE session_id = ?', [sessionId]);
			});
			this.#writer.forget(sessionId);
		});
	}

	async append(
		sessionId: string,
		events: readonly Event[],
		options: { readonly flush?: boolean; readonly session?: SessionPatch } = {},
	): Promise<void> {
		this.#checkOpen();
		const records = this.#records(events);
		return new Promise((resolve, reject) => {
			this.#queue.append({
				sessionId,
				records,
				session: options.session,
				flush: options.flush ?? false,
				settle: (error) => {
					if (error === undefined) {
						resolve();
					} else {
						this.#noteDamage(error);
						reject(error);
					}
				},
			});
		});
	}

	async readEvents(sessionId: string, query: EventQuery): Promise<EventPage> {
		const forward = 'after' in query;
		const bound = forward ? query.after : Math.min(query.before, Number.MAX_SAFE_INTEGER);
		const limit = limitValue(query.limit);
		const sql = `SELECT seq, payload FROM rollout WHERE session_id = ? AND seq ${forward ? '>' : '<'} ?
			ORDER BY seq ${forward ? 'ASC' : 'DESC'} LIMIT ?`;
		// One more than asked for tells whether there is more.
		const oneMore = limit === -1 ? -1 : limit + 1;
		const rows = await this.#run(() => this.#driver.all(sql, [sessionId, bound, oneMore]));
		const wanted = limit === -1 ? rows : rows.slice(0, limit);
		return toPage(forward ? wanted : wanted.toReversed(), wanted.length < rows.length);
	}

	async lastSeq(sessionId: string): Promise<number> {
		const row = await this.#run(() =>
			this.#driver.get('SELECT max(seq) AS seq FROM rollout WHERE session_id = ?', [sessionId]),
		);
		return Number(row?.seq ?? 0);
	}

	async savePartials(sessionId: string, pieces: readonly PartialText[]): Promise<void> {
		const copies = [...pieces];
		await this.#run(() => this.#driver.transaction((tx) => savePartials(tx, sessionId, copies)));
	}

	async readPartials(sessionId: string): Promise<PartialText[]> {
		return toPartials(await this.#run(() => this.#driver.all(READ_PARTIALS, [sessionId])));
	}

	async saveToolOutput(sessionId: string, itemId: string, text: string): Promise<void> {
		const sql = `INSERT INTO tool_outputs (session_id, item_id, text) VALUES (?, ?, ?)
			ON CONFLICT (session_id, item_id) DO UPDATE SET text = excluded.text`;
		await this.#run(() => this.#driver.run(sql, [sessionId, itemId, text]));
	}

	async readToolOutput(sessionId: string, itemId: string): Promise<string | undefined> {
		const sql = 'SELECT text FROM tool_outputs WHERE session_id = ? AND item_id = ?';
		const row = await this.#run(() => this.#driver.get(sql, [sessionId, itemId]));
		return row === undefined ? undefined : String(row.text);
	}

	async appendEgress(rows: readonly EgressRow[]): Promise<void> {
		const values = rows.map(egressValues);
		await this.#run(() =>
			this.#driver.transaction(async (tx) => {
				for (const row of values) {
					await tx.run(INSERT_EGRESS, row);
				}
			}),
		);
	}

	async readEgress(sessionId: string, limit: number): Promise<EgressRow[]> {
		const sql = 'SELECT * FROM egress_log WHERE session_id = ? ORDER BY id DESC LIMIT ?';
		const rows = await this.#run(() => this.#driver.all(sql, [sessionId, limitValue(limit)]));
		return rows.map(toEgress);
	}

	/**
	 * Finds messages of the user and of the agent that have every word of `typed`, best match first. The last word may
	 * be unfinished.
	 */
	async search(typed: string, limit: number): Promise<MessageMatch[]> {
		const query = toFtsQuery(typed);
		if (query === undefined) {
			return [];
		}
		const rows = await this.#run(() => this.#driver.all(SEARCH, [query, limitValue(limit)]));
		return rows.map((row) => ({
			sessionId: String(row.session_id),
			seq: Number(row.seq),
			at: Number(row.at),
			snippet: toParts(String(row.snippet)),
		}));
	}

	close(): Promise<void> {
		this.#closing ??= this.#queue.run(() => this.#close());
		return this.#closing;
	}

	async #close(): Promise<void> {
		try {
			await this.#driver.close();
		} catch (error) {
			throw toStoreError(error, this.#path);
		} finally {
			await this.#hooks.closed?.();
		}
	}

	async #run<T>(work: () => Promise<T>): Promise<T> {
		this.#checkOpen();
		try {
			return await this.#queue.run(work);
		} catch (error) {
			const storeError = toStoreError(error, this.#path);
			this.#noteDamage(storeError);
			throw storeError;
		}
	}

	#checkOpen(): void {
		if (this.#closing !== undefined) {
			throw new StoreError('closed', 'The sessions are closed in this window.', {
				remedy: 'Reload the window to open them again.',
			});
		}
	}

	#records(events: readonly Event[]): EventRecord[] {
		try {
			return events.map(toRecord);
		} catch (error) {
			throw new StoreError('invalid', `An event cannot be stored: ${(error as Error).message}`, { cause: error });
		}
	}

	#noteDamage(error: StoreError): void {
		if (error.code === 'corrupt' && !this.#damageReported) {
			this.#damageReported = true;
			// The caller is told of the damage itself; failing to leave a note about it is no second error.
			this.#hooks.damaged?.().catch(() => undefined);
		}
	}
}

/** -1 is SQLite's word for no limit. @throws StoreError `invalid` */
function limitValue(limit: number | undefined): number {
	if (limit === undefined) {
		return -1;
	}
	if (!Number.isSafeInteger(limit) || limit < 0) {
		throw new StoreError('invalid', `${limit} is not a number of rows.`);
	}
	return limit;
}

function toPage(rows: readonly SqlRow[], more: boolean): EventPage {
	const events: StoredEvent[] = [];
	const skipped: { seq: number; reason: string }[] = [];
	for (const row of rows) {
		const read = fromRow(row);
		if ('event' in read) {
			events.push(read.event);
		} else {
			skipped.push({ seq: Number(row.seq), reason: read.reason });
		}
	}
	return { events, skipped, more };
}
