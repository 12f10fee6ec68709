/**
 * A place in an answer where the server stops until the test opens it, so that a test can act in mid stream without
 * sleeping. Used as a part of an answer: `[text('a'), gate, text('b')]`.
 */
export class Gate {
	readonly type = 'gate';
	/** Resolves when all that stands before the gate was written to the socket. */
	readonly reached: Promise<void>;
	/** Resolves when the gate is opened. */
	readonly opened: Promise<void>;
	readonly #reached = Promise.withResolvers<undefined>();
	readonly #opened = Promise.withResolvers<undefined>();

	constructor() {
		this.reached = this.#reached.promise;
		this.opened = this.#opened.promise;
	}

	/** Called by the server. */
	arrive(): void {
		this.#reached.resolve(undefined);
	}

	open(): void {
		this.#opened.resolve(undefined);
	}
}

export const gate = (): Gate => new Gate();
