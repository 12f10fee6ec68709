import { SqlError, type SqlDriver, type SqlExecutor, type SqlRow, type SqlValue } from './sqlDriver.ts';

/** What a SQLite library must offer; {@link QueuedDriver} calls it with one statement at a time. */
export interface SqlConnection {
	readonly kind: SqlDriver['kind'];
	run(sql: string, params: readonly SqlValue[]): Promise<number>;
	all(sql: string, params: readonly SqlValue[]): Promise<readonly SqlRow[]>;
	exec(sql: string): Promise<void>;
	close(): Promise<void>;
}

/** Gives a connection the order and the transactions that {@link SqlDriver} promises. */
export class QueuedDriver implements SqlDriver {
	readonly #connection: SqlConnection;
	#tail: Promise<unknown> = Promise.resolve();
	#closing: Promise<void> | undefined;

	constructor(connection: SqlConnection) {
		this.#connection = connection;
	}

	get kind(): SqlDriver['kind'] {
		return this.#connection.kind;
	}

	run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
		return this.#enqueue(() => this.#connection.run(sql, params));
	}

	all(sql: string, params: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
		return this.#enqueue(() => this.#connection.all(sql, params));
	}

	async get(sql: string, params: readonly SqlValue[] = []): Promise<SqlRow | undefined> {
		return (await this.all(sql, params))[0];
	}

	exec(sql: string): Promise<void> {
		return this.#enqueue(() => this.#connection.exec(sql));
	}

	transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
		return this.#enqueue(async () => {
			await this.#connection.run('BEGIN IMMEDIATE', []);
			const tx = new Transaction(this.#connection);
			try {
				const result = await work(tx);
				tx.end();
				await this.#connection.run('COMMIT', []);
				return result;
			} catch (error) {
				tx.end();
				// A full disk or an I/O error may have rolled back already; the first error is the one to report.
				await this.#connection.run('ROLLBACK', []).catch(() => undefined);
				throw error;
			}
		});
	}

	close(): Promise<void> {
		this.#closing ??= this.#enqueue(() => this.#connection.close());
		return this.#closing;
	}

	#enqueue<T>(work: () => Promise<T>): Promise<T> {
		if (this.#closing !== undefined) {
			return Promise.reject(closedError());
		}
		const result = this.#tail.then(work);
		this.#tail = result.catch(() => undefined);
		return result;
	}
}

class Transaction implements SqlExecutor {
	readonly #connection: SqlConnection;
	#ended = false;

	constructor(connection: SqlConnection) {
		this.#connection = connection;
	}

	end(): void {
		this.#ended = true;
	}

	async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
		this.#check();
		return this.#connection.run(sql, params);
	}

	async all(sql: string, params: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
		this.#check();
		return this.#connection.all(sql, params);
	}

	async get(sql: string, params: readonly SqlValue[] = []): Promise<SqlRow | undefined> {
		return (await this.all(sql, params))[0];
	}

	async exec(sql: string): Promise<void> {
		this.#check();
		return this.#connection.exec(sql);
	}

	#check(): void {
		if (this.#ended) {
			throw new SqlError('MISUSE', 'The transaction is over.');
		}
	}
}

function closedError(): SqlError {
	return new SqlError('MISUSE', 'The database is closed.');
}
