import type { EgressRow } from '../engine/ports/index.ts';
import { untilAborted } from './untilAborted.ts';

/** What the user is asked when no rule speaks of a host. */
export interface EgressQuestion {
	readonly host: string;
	readonly port: number;
	readonly protocol: EgressRow['protocol'];
	/** The tool call whose command wants to connect, where that is known. */
	readonly itemId: string | null;
	/** Set when the host was allowed but leads to this address in the local network: asked once more, with it. */
	readonly address?: string;
}

/**
 * `allowOnce`: for this command, however often it connects. `deny`: the same. `unavailable`: nobody can be asked now
 * (plan mode, no panel); nothing is remembered.
 */
export type EgressAnswer = 'allowOnce' | 'allowForSession' | 'deny' | 'unavailable';

/** Puts a question to the user. `signal` is aborted when nobody waits for the answer any more. */
export type AskEgress = (question: EgressQuestion & { readonly signal: AbortSignal }) => Promise<EgressAnswer>;

/** Told when a command starts and stops waiting for the user, so that its clock can be paused. */
export type AskingListener = (asking: boolean, itemId: string | null) => void;

/** More at a time than anyone reads; a command that scans hosts must not bury the panel. */
const MAX_OPEN = 16;

interface OpenQuestion {
	readonly answer: Promise<EgressAnswer>;
	readonly abandon: AbortController;
	waiting: number;
}

/** Open questions to the user. Identical ones that come together are one. */
export class Questions {
	readonly #ask: AskEgress;
	readonly #open = new Map<string, OpenQuestion>();
	readonly #waitingItems = new Map<string | null, number>();
	readonly #listeners = new Set<AskingListener>();

	constructor(ask: AskEgress) {
		this.#ask = ask;
	}

	onAsking(listener: AskingListener): Disposable {
		this.#listeners.add(listener);
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
	}

	/**
	 * @param key questions with the same key share one prompt.
	 * @returns undefined when too many questions are open. @throws the signal's reason when aborted, or as `ask` does.
	 */
	async put(key: string, question: EgressQuestion, signal: AbortSignal): Promise<EgressAnswer | undefined> {
		signal.throwIfAborted();
		const open = this.#open.get(key) ?? (this.#open.size < MAX_OPEN ? this.#start(key, question) : undefined);
		if (open === undefined) {
			return undefined;
		}
		open.waiting++;
		this.#count(question.itemId, 1);
		try {
			return await untilAborted(open.answer, signal);
		} finally {
			this.#count(question.itemId, -1);
			open.waiting--;
			if (open.waiting === 0 && this.#open.get(key) === open) {
				this.#open.delete(key);
				open.abandon.abort();
			}
		}
	}

	#start(key: string, question: EgressQuestion): OpenQuestion {
		const abandon = new AbortController();
		const ask = async () => {
			try {
				return await this.#ask({ ...question, signal: abandon.signal });
			} finally {
				if (this.#open.get(key) === open) {
					this.#open.delete(key);
				}
			}
		};
		const open: OpenQuestion = { answer: Promise.resolve().then(ask), abandon, waiting: 0 };
		// When all who waited are gone, nobody is left to see it fail.
		open.answer.catch(() => undefined);
		this.#open.set(key, open);
		return open;
	}

	#count(itemId: string | null, change: 1 | -1): void {
		const before = this.#waitingItems.get(itemId) ?? 0;
		const after = before + change;
		if (after === 0) {
			this.#waitingItems.delete(itemId);
		} else {
			this.#waitingItems.set(itemId, after);
		}
		if (before === 0 || after === 0) {
			this.#listeners.forEach((listener) => listener(after > 0, itemId));
		}
	}
}
