import { TRANSIENT_EVENTS, type Event, type EventBody } from '../../protocol/index.ts';
import type { Clock, Logger, SessionPatch, Store } from '../ports/index.ts';
import { sessionPatchOf } from './sessionPatch.ts';

type Listener = (events: readonly Event[]) => void;

export interface EventLogParts {
	readonly sessionId: string;
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	/** The place of the newest event that is stored already. */
	readonly lastSeq: number;
}

/**
 * The way out of a session: gives each event its place, stores it, and only then delivers it. Events that arrive
 * together are committed together.
 */
export class EventLog {
	readonly #parts: EventLogParts;
	readonly #listeners = new Set<Listener>();
	#pending: { event: Event; flush: boolean }[] = [];
	/** Events whose commit failed: delivered, and stored with the next commit that works. */
	#unsaved: Event[] = [];
	#seq: number;
	#pump: Promise<void> | undefined;
	#frozen = false;

	constructor(parts: EventLogParts) {
		this.#parts = parts;
		this.#seq = parts.lastSeq;
	}

	/** The place of the newest stored or emitted event. */
	get seq(): number {
		return this.#seq;
	}

	/**
	 * Takes an event; it is delivered after it is stored.
	 * @param submissionId the submission that caused it, '' for none.
	 * @param options flush: on the disk before it is delivered, for what must survive a power cut.
	 */
	emit(submissionId: string, body: EventBody, options: { flush?: boolean } = {}): Event {
		const transient = TRANSIENT_EVENTS.has(body.type);
		const seq = transient || this.#frozen ? 0 : ++this.#seq;
		const event: Event = { ...body, id: submissionId, seq, at: this.#parts.clock.now() };
		if (!this.#frozen) {
			this.#pending.push({ event, flush: options.flush === true });
			this.#pump ??= this.#run();
		}
		return event;
	}

	/** @param listener gets events in order, in batches, after they are stored. */
	listen(listener: Listener): Disposable {
		this.#listeners.add(listener);
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
	}

	/** Settles when all that was emitted so far is stored and delivered. */
	async settled(): Promise<void> {
		while (this.#pump !== undefined) {
			await this.#pump;
		}
	}

	/** Stores and delivers what was emitted; from now on nothing more is taken. */
	async freeze(): Promise<void> {
		this.#frozen = true;
		await this.settled();
	}

	async #run(): Promise<void> {
		// One turn of the microtask queue: what is emitted in one go is committed in one go.
		await Promise.resolve();
		while (this.#pending.length > 0) {
			const batch = this.#pending;
			this.#pending = [];
			const events = batch.map(({ event }) => event);
			await this.#save(
				events.filter(({ type }) => !TRANSIENT_EVENTS.has(type)),
				batch.some(({ flush }) => flush),
			);
			this.#deliver(events);
		}
		this.#pump = undefined;
	}

	async #save(events: readonly Event[], flush: boolean): Promise<void> {
		const batch = [...this.#unsaved, ...events];
		if (batch.length === 0) {
			return;
		}
		const { sessionId, store, logger } = this.#parts;
		const session: SessionPatch = sessionPatchOf(batch);
		try {
			await store.append(sessionId, batch, { flush, session });
			this.#unsaved = [];
		} catch (error) {
			const first = this.#unsaved.length === 0;
			this.#unsaved = batch;
			logger.error(`Session ${sessionId}: ${batch.length} events could not be saved`, error);
			if (first) {
				this.#deliver([this.#storageError(error)]);
			}
		}
	}

	#storageError(error: unknown): Event {
		return {
			type: 'error',
			id: '',
			seq: 0,
			at: this.#parts.clock.now(),
			code: 'storage',
			message: `This session can't be saved: ${error instanceof Error ? error.message : String(error)}`,
			remedy: 'It goes on, and is saved as soon as that works again. Check the free disk space.',
		};
	}

	#deliver(events: readonly Event[]): void {
		for (const listener of this.#listeners) {
			try {
				listener(events);
			} catch (error) {
				this.#parts.logger.error('A listener of session events failed', error);
			}
		}
	}
}
