import { countPlaceholders } from './sqlDriver.ts';

/** A store has some thirty statements; a recovery adds a few for each table. */
const CAPACITY = 64;

export interface CachedStatement<S> {
	readonly statement: S;
	readonly placeholders: number;
}

/** Prepared statements by their text: the one used longest ago is finalized when there are too many. */
export class StatementCache<S> {
	readonly #entries = new Map<string, CachedStatement<S>>();
	readonly #finalize: (statement: S) => void;

	constructor(finalize: (statement: S) => void) {
		this.#finalize = finalize;
	}

	get(sql: string): CachedStatement<S> | undefined {
		const found = this.#entries.get(sql);
		if (found !== undefined) {
			this.#entries.delete(sql);
			this.#entries.set(sql, found);
		}
		return found;
	}

	add(sql: string, statement: S): CachedStatement<S> {
		const entry = { statement, placeholders: countPlaceholders(sql) };
		this.#entries.set(sql, entry);
		const oldest = this.#entries.entries().next().value;
		if (this.#entries.size > CAPACITY && oldest !== undefined) {
			this.#entries.delete(oldest[0]);
			this.#finalize(oldest[1].statement);
		}
		return entry;
	}

	clear(): void {
		for (const { statement } of this.#entries.values()) {
			this.#finalize(statement);
		}
		this.#entries.clear();
	}
}
