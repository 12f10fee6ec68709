import type { Event, ToPanel } from '../../protocol/index.ts';

/** DESIGN.md, "The life of a turn": one message a frame, however many deltas a model sends. */
const FRAME_MS = 16;

/** Sends the events of the session that is shown, those of one frame together. */
export class EventFeed implements Disposable {
	readonly #post: (message: ToPanel) => void;
	#sessionId: string | undefined;
	#seq = 0;
	#events: Event[] = [];
	#held = true;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(post: (message: ToPanel) => void) {
		this.#post = post;
	}

	get sessionId(): string | undefined {
		return this.#sessionId;
	}

	/**
	 * From now on the events of this session are kept, and sent after `release`.
	 * @param seq the newest event that is part of what the panel is being sent.
	 */
	show(sessionId: string | undefined, seq: number): void {
		this.#stopTimer();
		this.#events = [];
		this.#sessionId = sessionId;
		this.#seq = seq;
		this.#held = true;
	}

	/** The panel has what came before: sends what was kept. */
	release(): void {
		this.#held = false;
		this.flush();
	}

	push(sessionId: string, events: readonly Event[]): void {
		if (sessionId !== this.#sessionId) {
			return;
		}
		for (const event of events) {
			// What came while the session was being opened is part of what was sent then.
			if (event.seq === 0 || event.seq > this.#seq) {
				this.#add(event);
			}
		}
		this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
	}

	/** Sends what waits, now. */
	flush(): void {
		this.#stopTimer();
		if (!this.#held && this.#events.length > 0 && this.#sessionId !== undefined) {
			const events = this.#events;
			this.#events = [];
			this.#post({ type: 'events', sessionId: this.#sessionId, seq: this.#seq, events });
		}
	}

	[Symbol.dispose](): void {
		this.#stopTimer();
	}

	#add(event: Event): void {
		this.#seq = Math.max(this.#seq, event.seq);
		const last = this.#events.at(-1);
		const merged = last === undefined ? undefined : mergeDeltas(last, event);
		if (merged === undefined) {
			this.#events.push(event);
		} else {
			this.#events[this.#events.length - 1] = merged;
		}
	}

	#stopTimer(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}
}

/** @returns one delta that does what the two do, where the second goes on where the first ended. */
function mergeDeltas(first: Event, second: Event): Event | undefined {
	if (first.type !== 'itemDelta' || second.type !== 'itemDelta') {
		return undefined;
	}
	const sameText = first.itemId === second.itemId && first.channel === second.channel;
	return sameText && second.offset === first.offset + first.text.length
		? { ...first, text: first.text + second.text }
		: undefined;
}
