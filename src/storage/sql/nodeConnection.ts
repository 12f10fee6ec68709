import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { NodeSqlite } from './loadNodeSqlite.ts';
import type { SqlConnection } from './queuedDriver.ts';
import { checkBinds, SqlError, type SqlRow, type SqlValue } from './sqlDriver.ts';
import { StatementCache, type CachedStatement } from './statementCache.ts';

/** `node:sqlite`: synchronous, so that each call holds up the process for as long as it takes. */
export class NodeConnection implements SqlConnection {
	readonly kind = 'node';
	readonly #database: DatabaseSync;
	/** Statements of this library are finalized with the database, or when they are collected. */
	readonly #statements = new StatementCache<StatementSync>(() => undefined);

	/** @throws SqlError */
	constructor(sqlite: NodeSqlite, path: string) {
		this.#database = translate(() => new sqlite.DatabaseSync(path));
	}

	run(sql: string, params: readonly SqlValue[]): Promise<number> {
		return attempt(() => Number(this.#prepare(sql, params).run(...params).changes));
	}

	all(sql: string, params: readonly SqlValue[]): Promise<readonly SqlRow[]> {
		return attempt(() => this.#prepare(sql, params).all(...params) as SqlRow[]);
	}

	exec(sql: string): Promise<void> {
		return attempt(() => this.#database.exec(sql));
	}

	close(): Promise<void> {
		return attempt(() => {
			this.#statements.clear();
			this.#database.close();
		});
	}

	#prepare(sql: string, params: readonly SqlValue[]): StatementSync {
		const cached: CachedStatement<StatementSync> =
			this.#statements.get(sql) ?? this.#statements.add(sql, this.#database.prepare(sql));
		checkBinds(params, cached.placeholders);
		return cached.statement;
	}
}

function translate<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw SqlError.from(error);
	}
}

/** A promise, so that a synchronous throw becomes a rejection. */
function attempt<T>(work: () => T): Promise<T> {
	return new Promise((resolve) => resolve(translate(work)));
}
