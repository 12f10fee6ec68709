import type { Clock } from '../engine/ports/index.ts';
import type { ScreenText } from './screenText.ts';
import { TextTail } from './textTail.ts';

/** Between two deltas: 30 a second look live, and cost the panel little. */
const FLUSH_MS = 33;
/** Characters that one flush sends of the beginning and of the end of what came since the last one. */
const HEAD_CHARS = 16 * 1024;
const TAIL_CHARS = 48 * 1024;

/** What a delta's listener is told: what it had from `offset` on is replaced by `text` (see `itemDelta` in the protocol). */
export type OutputListener = (offset: number, text: string) => void;

/**
 * Turns a screen's changes into deltas, at most one flush in {@link FLUSH_MS}. A flush of more than 64 k characters
 * leaves its middle out: its second delta begins past the end of the first.
 */
export class OutputDeltas implements Disposable {
	readonly #clock: Clock;
	readonly #listeners = new Set<OutputListener>();
	#screen: ScreenText | undefined;
	#timer: Disposable | undefined;
	/** Text that was committed since the last flush; begins at #start, and lacks #skipped characters after its head. */
	#head = '';
	readonly #tail = new TextTail(TAIL_CHARS);
	#start = 0;
	#skipped = 0;
	/** Where the end begins that the listeners have whole: changes before it were left out anyway. */
	#knownFrom = 0;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** The screen whose changes are sent. Its committed text comes through {@link committed}. */
	attach(screen: ScreenText): void {
		this.#screen = screen;
	}

	/** A listener is told what changes from now on. */
	subscribe(listener: OutputListener): Disposable {
		this.#listeners.add(listener);
		return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
	}

	committed(text: string): void {
		const room = this.#skipped === 0 && this.#tail.length === 0 ? HEAD_CHARS - this.#head.length : 0;
		this.#head += text.slice(0, Math.max(0, room));
		this.#skipped += this.#tail.push(text.slice(Math.max(0, room)));
	}

	/** The screen was written to: its changes go out soon. */
	changed(): void {
		this.#timer ??= this.#clock.after(FLUSH_MS, () => this.flush());
	}

	/** Sends what is waiting, now. */
	flush(): void {
		this.#timer?.[Symbol.dispose]();
		this.#timer = undefined;
		const screen = this.#screen;
		const dirty = screen?.takeDirty() ?? Infinity;
		if (screen === undefined || dirty === Infinity) {
			return;
		}
		const from = Math.max(dirty, this.#knownFrom, this.#start);
		const end = this.#tail.toString() + screen.rest;
		const cut = this.#skipped > 0 ? Math.max(0, end.length - TAIL_CHARS) : 0;
		const endAt = this.#start + this.#head.length + this.#skipped + cut;
		const skips = this.#skipped + cut > 0;
		if (!skips && end.length + this.#head.length - (from - this.#start) <= HEAD_CHARS + TAIL_CHARS) {
			this.#emit(from, (this.#head + end).slice(from - this.#start));
		} else if (skips) {
			// Also where it is empty: what the listeners have from there on is no longer so.
			this.#emit(from, this.#head.slice(from - this.#start));
			this.#emit(endAt, end.slice(cut));
			this.#knownFrom = endAt;
		} else {
			const text = (this.#head + end).slice(from - this.#start);
			this.#emit(from, text.slice(0, HEAD_CHARS));
			this.#knownFrom = from + text.length - TAIL_CHARS;
			this.#emit(this.#knownFrom, text.slice(-TAIL_CHARS));
		}
		this.#head = '';
		this.#tail.clear();
		this.#skipped = 0;
		this.#start = screen.committed;
	}

	#emit(offset: number, text: string): void {
		for (const listener of this.#listeners) {
			listener(offset, text.toWellFormed());
		}
	}

	[Symbol.dispose](): void {
		this.#timer?.[Symbol.dispose]();
		this.#timer = undefined;
		this.#listeners.clear();
	}
}
