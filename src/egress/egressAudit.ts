import type { Clock, EgressRow, Logger } from '../engine/ports/index.ts';

/** Where rows go for good: `Store.appendEgress`. */
export type RecordEgress = (rows: readonly EgressRow[]) => Promise<void> | void;

const BATCH_MS = 250;
/** Rows kept while they cannot be written. Beyond it the oldest are dropped, and the log says how many. */
const MAX_KEPT = 5_000;

/** Collects a row for each connection and hands them on together, four times a second at most. */
export class EgressAudit implements AsyncDisposable {
	readonly #record: RecordEgress;
	readonly #clock: Clock;
	readonly #logger: Logger;
	readonly #denied = new Set<(row: EgressRow) => void>();
	#rows: EgressRow[] = [];
	#timer: Disposable | undefined;
	#writing: Promise<void> = Promise.resolve();

	constructor(record: RecordEgress, clock: Clock, logger: Logger) {
		this.#record = record;
		this.#clock = clock;
		this.#logger = logger;
	}

	/** Calls back at once for each connection that was not let through. */
	onDenied(listener: (row: EgressRow) => void): Disposable {
		this.#denied.add(listener);
		return { [Symbol.dispose]: () => void this.#denied.delete(listener) };
	}

	add(row: EgressRow): void {
		this.#rows.push(row);
		this.#timer ??= this.#clock.after(BATCH_MS, () => void this.flush());
		if (row.verdict === 'denied') {
			this.#denied.forEach((listener) => listener(row));
		}
	}

	/** Writes what has been collected. Rows that cannot be written are kept for the next time. Never rejects. */
	flush(): Promise<void> {
		this.#timer?.[Symbol.dispose]();
		this.#timer = undefined;
		this.#writing = this.#writing.then(() => this.#write());
		return this.#writing;
	}

	async #write(): Promise<void> {
		const rows = this.#rows;
		if (rows.length === 0) {
			return;
		}
		this.#rows = [];
		try {
			await this.#record(rows);
		} catch (error) {
			const kept = [...rows, ...this.#rows];
			this.#rows = kept.slice(-MAX_KEPT);
			const dropped = kept.length - this.#rows.length;
			this.#logger.error(`Egress log: ${rows.length} rows could not be written, ${dropped} were dropped.`, error);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.flush();
		this.#denied.clear();
	}
}
