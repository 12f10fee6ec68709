import type { Clock } from '../engine/ports/index.ts';

/** Calls back once when its time has run out; time does not run while anybody holds a pause. */
export class PausableTimer implements Disposable {
	readonly #clock: Clock;
	readonly #callback: () => void;
	#left: number;
	#pauses = 0;
	#running: { readonly since: number; readonly timer: Disposable } | undefined;
	#over = false;

	/** @param ms milliseconds until `callback`. */
	constructor(clock: Clock, ms: number, callback: () => void) {
		this.#clock = clock;
		this.#left = ms;
		this.#callback = callback;
		this.#resume();
	}

	/** Stops the time until the result is disposed. Pauses may overlap. */
	pause(): Disposable {
		this.#pauses++;
		this.#stop();
		let held = true;
		return {
			[Symbol.dispose]: () => {
				if (held) {
					held = false;
					this.#pauses--;
					this.#resume();
				}
			},
		};
	}

	#resume(): void {
		if (this.#pauses > 0 || this.#over || this.#running !== undefined) {
			return;
		}
		const timer = this.#clock.after(this.#left, () => {
			this.#over = true;
			this.#running = undefined;
			this.#callback();
		});
		this.#running = { since: this.#clock.now(), timer };
	}

	#stop(): void {
		if (this.#running !== undefined) {
			this.#running.timer[Symbol.dispose]();
			this.#left = Math.max(0, this.#left - (this.#clock.now() - this.#running.since));
			this.#running = undefined;
		}
	}

	[Symbol.dispose](): void {
		this.#over = true;
		this.#stop();
	}
}
