import type { Database, Statement } from '@vscode/sqlite3';
import type { NativeSqlite } from './loadNativeSqlite.ts';
import type { SqlConnection } from './queuedDriver.ts';
import { checkBinds, SqlError, type SqlRow, type SqlValue } from './sqlDriver.ts';
import { StatementCache, type CachedStatement } from './statementCache.ts';

/**
 * `@vscode/sqlite3` with its hazards closed (measured on 5.1.14-vscode): an error without a callback, or a throw inside
 * one, aborts the process. So every call has a callback, and a callback does nothing but schedule.
 */
export class NativeConnection implements SqlConnection {
	readonly kind = 'native';
	readonly #database: Database;
	readonly #statements = new StatementCache<Statement>((statement) => statement.finalize(() => undefined));

	private constructor(database: Database) {
		this.#database = database;
	}

	/** @throws SqlError */
	static async open(sqlite: NativeSqlite, path: string): Promise<NativeConnection> {
		const database = await new Promise<Database>((resolve, reject) => {
			const opened: Database = new sqlite.Database(
				path,
				sqlite.OPEN_READWRITE | sqlite.OPEN_CREATE | sqlite.OPEN_FULLMUTEX,
				(error: Error | null) => settle(error, () => resolve(opened), reject),
			);
		});
		return new NativeConnection(database);
	}

	async run(sql: string, params: readonly SqlValue[]): Promise<number> {
		const { statement, placeholders } = await this.#prepare(sql);
		checkBinds(params, placeholders);
		return new Promise((resolve, reject) => {
			statement.run(params.map(bindable), function (error) {
				const { changes } = this;
				settle(error, () => resolve(changes), reject);
			});
		});
	}

	async all(sql: string, params: readonly SqlValue[]): Promise<readonly SqlRow[]> {
		const { statement, placeholders } = await this.#prepare(sql);
		checkBinds(params, placeholders);
		return new Promise((resolve, reject) => {
			statement.all(params.map(bindable), (error: Error | null, rows: readonly SqlRow[]) =>
				settle(error, () => resolve(rows), reject),
			);
		});
	}

	exec(sql: string): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#database.exec(sql, (error) => settle(error, resolve, reject));
		});
	}

	close(): Promise<void> {
		this.#statements.clear();
		return new Promise((resolve, reject) => {
			this.#database.close((error) => settle(error, resolve, reject));
		});
	}

	async #prepare(sql: string): Promise<CachedStatement<Statement>> {
		const cached = this.#statements.get(sql);
		if (cached !== undefined) {
			return cached;
		}
		const statement = await new Promise<Statement>((resolve, reject) => {
			const prepared = this.#database.prepare(sql, (error: Error | null) =>
				settle(error, () => resolve(prepared), reject),
			);
		});
		return this.#statements.add(sql, statement);
	}
}

/** Outside the native callback: what a listener throws there would abort the process. */
function settle(error: Error | null, resolve: () => void, reject: (error: SqlError) => void): void {
	setImmediate(() => {
		if (error === null) {
			resolve();
		} else {
			reject(SqlError.from(error));
		}
	});
}

/** The library takes Buffers only. */
function bindable(value: SqlValue): unknown {
	return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
