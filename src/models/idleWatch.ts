/** Aborts when nothing has happened for a while. */
export class IdleWatch implements Disposable {
	readonly #controller = new AbortController();
	#timer: NodeJS.Timeout | undefined;
	#ms: number;
	#disposed = false;

	/** @param ms how long nothing may happen. Starts at once */
	constructor(ms: number) {
		this.#ms = ms;
		this.touch();
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	get expired(): boolean {
		return this.#controller.signal.aborted;
	}

	/** Something happened: the time starts anew. */
	touch(): void {
		clearTimeout(this.#timer);
		if (!this.#disposed) {
			this.#timer = setTimeout(() => this.#controller.abort(), this.#ms);
		}
	}

	/** Waits no longer than this from now on. */
	shorten(ms: number): void {
		this.#ms = Math.min(this.#ms, ms);
		this.touch();
	}

	/** Nothing is waited for until the next touch. */
	pause(): void {
		clearTimeout(this.#timer);
	}

	[Symbol.dispose](): void {
		this.#disposed = true;
		clearTimeout(this.#timer);
	}
}
