import type { Clock, Logger, PartialText, Store } from '../ports/index.ts';
import type { EventLog } from './eventLog.ts';

/** DESIGN.md, "The life of a turn": a killed host loses at most this much of a running text. */
const SAVE_EVERY_MS = 250;
/** A running command's text is kept to about this many characters: the rest is in the spool of its process. */
const OUTPUT_KEPT = 64 * 1024;

type ItemType = PartialText['itemType'];
interface LiveText {
	readonly turnId: string;
	readonly itemType: ItemType;
	/** Where `text` starts in all that the item said. */
	base: number;
	text: string;
	/** The lowest offset that changed since the last save. */
	unsavedFrom: number | undefined;
}

export interface LiveItemsParts {
	readonly sessionId: string;
	readonly store: Store;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly log: EventLog;
}

/** The texts of the items that are running: delivered as deltas, and saved four times a second. */
export class LiveItems {
	readonly #parts: LiveItemsParts;
	readonly #texts = new Map<string, LiveText>();
	#timer: Disposable | undefined;

	constructor(parts: LiveItemsParts) {
		this.#parts = parts;
	}

	start(turnId: string, itemId: string, itemType: ItemType): void {
		this.#texts.set(itemId, { turnId, itemType, base: 0, text: '', unsavedFrom: undefined });
	}

	/** Adds to the end of an item's text. */
	append(submissionId: string, itemId: string, text: string): void {
		const live = this.#texts.get(itemId);
		if (live !== undefined) {
			this.write(submissionId, itemId, live.base + live.text.length, text);
		}
	}

	/** Replaces an item's text from `offset` on. Ignored for an item that is not running. */
	write(submissionId: string, itemId: string, offset: number, text: string): void {
		const live = this.#texts.get(itemId);
		if (live === undefined) {
			return;
		}
		const end = live.base + live.text.length;
		if (offset > end || offset < live.base) {
			live.base = offset;
			live.text = text;
		} else {
			live.text = live.text.slice(0, offset - live.base) + text;
		}
		if (live.itemType === 'toolCall' && live.text.length > 2 * OUTPUT_KEPT) {
			live.base += live.text.length - OUTPUT_KEPT;
			live.text = live.text.slice(-OUTPUT_KEPT);
		}
		live.unsavedFrom = Math.max(live.base, Math.min(live.unsavedFrom ?? offset, offset));
		const channel = live.itemType === 'toolCall' ? 'output' : 'text';
		this.#parts.log.emit(submissionId, { type: 'itemDelta', turnId: live.turnId, itemId, channel, offset, text });
		this.#timer ??= this.#parts.clock.after(SAVE_EVERY_MS, () => void this.save());
	}

	text(itemId: string): string {
		return this.#texts.get(itemId)?.text ?? '';
	}

	/** The item is done. @returns its text. */
	end(itemId: string): string {
		const text = this.text(itemId);
		this.#texts.delete(itemId);
		return text;
	}

	snapshot(): { itemId: string; text: string; offset: number }[] {
		return [...this.#texts].map(([itemId, { text, base }]) => ({ itemId, text, offset: base }));
	}

	/** Saves what is not saved yet. */
	async save(): Promise<void> {
		this.#timer?.[Symbol.dispose]();
		this.#timer = undefined;
		const pieces: PartialText[] = [];
		for (const [itemId, live] of this.#texts) {
			if (live.unsavedFrom !== undefined) {
				const { turnId, itemType, unsavedFrom: offset } = live;
				pieces.push({ turnId, itemId, itemType, offset, text: live.text.slice(offset - live.base) });
				live.unsavedFrom = undefined;
			}
		}
		if (pieces.length === 0) {
			return;
		}
		try {
			await this.#parts.store.savePartials(this.#parts.sessionId, pieces);
		} catch (error) {
			this.#parts.logger.error(`Session ${this.#parts.sessionId}: a running text could not be saved`, error);
		}
	}
}
