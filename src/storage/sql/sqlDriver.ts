/** What a column may hold. Integers beyond 2^53 and booleans are not stored: see {@link checkBinds}. */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Statements with `?` placeholders, one value for each. All reject with a {@link SqlError}. */
export interface SqlExecutor {
	/** @returns the number of rows that were changed. */
	run(sql: string, params?: readonly SqlValue[]): Promise<number>;
	all(sql: string, params?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
	get(sql: string, params?: readonly SqlValue[]): Promise<SqlRow | undefined>;
	/** One or more statements without parameters and without a result. */
	exec(sql: string): Promise<void>;
}

/**
 * One connection to one SQLite database. Calls run one after the other, in the order in which they were made.
 */
export interface SqlDriver extends SqlExecutor {
	readonly kind: 'native' | 'node';
	/**
	 * Runs `work` in `BEGIN IMMEDIATE` ... `COMMIT`; calls made elsewhere wait until it is over. Whatever `work` throws
	 * rolls back and is thrown on. Inside, use the executor that is passed: the driver itself would wait for ever.
	 */
	transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T>;
	/** Waits for what was called before; later calls reject. May be called twice. */
	close(): Promise<void>;
}

/** Names of SQLite's primary result codes (sqlite.org/rescode.html) that callers tell apart. */
const RESULT_CODES: Readonly<Record<number, string>> = {
	1: 'ERROR',
	3: 'PERM',
	5: 'BUSY',
	6: 'LOCKED',
	7: 'NOMEM',
	8: 'READONLY',
	10: 'IOERR',
	11: 'CORRUPT',
	13: 'FULL',
	14: 'CANTOPEN',
	15: 'PROTOCOL',
	17: 'SCHEMA',
	18: 'TOOBIG',
	19: 'CONSTRAINT',
	20: 'MISMATCH',
	21: 'MISUSE',
	22: 'NOLFS',
	23: 'AUTH',
	25: 'RANGE',
	26: 'NOTADB',
};

/** A failed statement. `code` is the name of SQLite's primary result code without its prefix, as in `BUSY`. */
export class SqlError extends Error {
	readonly code: string;

	constructor(code: string, message: string, options: { cause?: unknown } = {}) {
		super(message, options);
		this.name = 'SqlError';
		this.code = code;
	}

	/** From an error of either driver: `errno` (native) or `errcode` (node:sqlite), which may be an extended code. */
	static from(error: unknown): SqlError {
		if (error instanceof SqlError) {
			return error;
		}
		const { errno, errcode, message } = error as { errno?: unknown; errcode?: unknown; message?: unknown };
		const number = typeof errcode === 'number' ? errcode : errno;
		const code = typeof number === 'number' ? (RESULT_CODES[number & 0xff] ?? 'ERROR') : 'ERROR';
		return new SqlError(code, typeof message === 'string' ? message : String(error), { cause: error });
	}

	/** The file's content is damaged, or it is no SQLite database at all. */
	get isDamage(): boolean {
		return this.code === 'CORRUPT' || this.code === 'NOTADB';
	}
}

/**
 * Rejects what a driver would store as something else: measured, `@vscode/sqlite3` binds a bigint, undefined and NaN as
 * NULL, and both drivers bind NULL where a value is missing.
 * @throws SqlError `MISUSE`
 */
export function checkBinds(params: readonly unknown[], expected: number): void {
	if (params.length !== expected) {
		throw new SqlError('MISUSE', `The statement has ${expected} placeholders but was given ${params.length} values.`);
	}
	params.forEach((value, index) => {
		const fits =
			value === null ||
			typeof value === 'string' ||
			(typeof value === 'number' && Number.isFinite(value)) ||
			value instanceof Uint8Array;
		if (!fits) {
			const shown = typeof value === 'number' ? String(value) : typeof value;
			throw new SqlError('MISUSE', `Value ${index + 1} cannot be stored: ${shown}.`);
		}
	});
}

/** Counts `?` outside quoted text. */
export function countPlaceholders(sql: string): number {
	return sql.replace(/'[^']*'|"[^"]*"/g, '').split('?').length - 1;
}
