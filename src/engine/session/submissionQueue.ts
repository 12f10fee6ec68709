/** The queue is bounded so that a caller that submits faster than the session works is slowed, and nothing is dropped. */
export const QUEUE_CAPACITY = 64;

/** A bounded queue with one consumer. */
export class SubmissionQueue<T> {
	readonly #capacity: number;
	readonly #items: T[] = [];
	readonly #waitingForRoom: { resolve: () => void; reject: (error: Error) => void }[] = [];
	#waitingForItem: (() => void) | undefined;
	#closed = false;

	constructor(capacity = QUEUE_CAPACITY) {
		this.#capacity = capacity;
	}

	/** Settles when the item is in the queue; waits for room where it is full. @throws when the queue is closed. */
	async push(item: T): Promise<void> {
		while (this.#items.length >= this.#capacity && !this.#closed) {
			await new Promise<void>((resolve, reject) => this.#waitingForRoom.push({ resolve, reject }));
		}
		if (this.#closed) {
			throw new SessionClosedError();
		}
		this.#items.push(item);
		this.#waitingForItem?.();
	}

	/** @returns the next item, or undefined when the queue is closed. */
	async next(): Promise<T | undefined> {
		while (this.#items.length === 0 && !this.#closed) {
			await new Promise<void>((resolve) => {
				this.#waitingForItem = resolve;
			});
			this.#waitingForItem = undefined;
		}
		if (this.#closed) {
			return undefined;
		}
		const item = this.#items.shift();
		this.#waitingForRoom.shift()?.resolve();
		return item;
	}

	/** Drops what is queued; pushers that wait are refused. */
	close(): void {
		this.#closed = true;
		this.#items.length = 0;
		this.#waitingForItem?.();
		for (const waiter of this.#waitingForRoom.splice(0)) {
			waiter.reject(new SessionClosedError());
		}
	}
}

export class SessionClosedError extends Error {
	constructor() {
		super('This session is closed. Open it again from the session list.');
		this.name = 'SessionClosedError';
	}
}
