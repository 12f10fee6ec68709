import { SqlError, type SqlExecutor, type SqlRow } from '../sql/sqlDriver.ts';

/** Ids that a search for the end of a damaged part passes at once: fewer than a page of events usually holds. */
const STEP = 8;
/** More rows than this are not on a page: where a table's end is not known, its ids are taken to end by it. */
const MAX_ROWS_A_PAGE = 64;

export interface ReadableBatch {
	readonly rows: readonly SqlRow[];
	/** About so many rows before these could not be read: their ids are missing. */
	readonly lost: number;
}

/** Reads a table with an integer key `id` around its damaged pages. */
export class ReadableRows {
	readonly #source: SqlExecutor;
	readonly #table: string;
	readonly #batch: number;

	/** @param batch rows that are read at once, and so are in memory together */
	constructor(source: SqlExecutor, table: string, batch: number) {
		this.#source = source;
		this.#table = table;
		this.#batch = batch;
	}

	/** Every row that SQLite can still reach, in order of `id`. @throws SqlError for anything but damage */
	async *batches(): AsyncGenerator<ReadableBatch> {
		const last = await this.#lastId();
		let next = 1;
		let size = this.#batch;
		let lost = 0;
		for (;;) {
			const rows = await this.#rows(next, size);
			if (rows === undefined) {
				// Smaller first, so that what comes before the damage is not lost with it.
				if (size > 1) {
					size = 1;
					continue;
				}
				const resumeAt = await this.#endOfDamage(next, last);
				if (resumeAt === undefined) {
					yield { rows: [], lost: lost + Math.max(1, (last ?? next) - next + 1) };
					return;
				}
				lost += resumeAt - next;
				next = resumeAt;
				continue;
			}
			if (rows.length > 0) {
				yield { rows, lost };
				lost = 0;
				next = Number(rows.at(-1)?.id) + 1;
			}
			if (rows.length < size) {
				return;
			}
			size = Math.min(this.#batch, size * 2);
		}
	}

	/** @returns the first id after `damaged` from which on reading works, or undefined where nothing more can be read. */
	async #endOfDamage(damaged: number, last: number | undefined): Promise<number | undefined> {
		const smallStepsUpTo = last ?? (await this.#pages()) * MAX_ROWS_A_PAGE;
		let bad = damaged;
		let step = 1;
		for (let id = damaged + 1; id <= (last ?? Number.MAX_SAFE_INTEGER); id += step) {
			if ((await this.#rows(id, 1)) !== undefined) {
				return this.#bisect(bad, id);
			}
			bad = id;
			step = id < smallStepsUpTo ? Math.min(STEP, step * 2) : step * 2;
		}
		return undefined;
	}

	async #bisect(bad: number, good: number): Promise<number> {
		let [low, high] = [bad, good];
		while (high - low > 1) {
			const middle = low + Math.floor((high - low) / 2);
			if ((await this.#rows(middle, 1)) === undefined) {
				low = middle;
			} else {
				high = middle;
			}
		}
		return high;
	}

	#rows(from: number, limit: number): Promise<readonly SqlRow[] | undefined> {
		const sql = `SELECT * FROM ${this.#table} WHERE id >= ? ORDER BY id LIMIT ?`;
		return unlessDamaged(this.#source.all(sql, [from, limit]));
	}

	async #pages(): Promise<number> {
		return Number((await this.#source.get('PRAGMA page_count'))?.page_count ?? 0);
	}

	async #lastId(): Promise<number | undefined> {
		const rows = await unlessDamaged(this.#source.all(`SELECT max(id) AS id FROM ${this.#table}`));
		return rows === undefined ? undefined : Number(rows[0]?.id ?? 0);
	}
}

/** @returns undefined where the database is damaged. */
export async function unlessDamaged<T>(reading: Promise<T>): Promise<T | undefined> {
	try {
		return await reading;
	} catch (error) {
		if (error instanceof SqlError && error.isDamage) {
			return undefined;
		}
		throw error;
	}
}
