type Access = 'unknown' | 'shared' | 'exclusive';
interface Entry {
	access: Access;
	wake: (() => void) | undefined;
}

/**
 * Keeps the tool calls of a turn apart: shared calls run beside each other, an exclusive one runs alone, and everyone
 * keeps the order in which the model made the calls. A call whose access is not known yet counts as exclusive.
 */
export class CallGate {
	readonly #entries: Entry[] = [];

	/** Takes the next place in the order. Dispose it when the call is over, whether it ran or not. */
	place(): GatePlace {
		const entry: Entry = { access: 'unknown', wake: undefined };
		this.#entries.push(entry);
		return {
			enter: async (access) => {
				entry.access = access;
				this.#wakeAll();
				while (!this.#mayRun(entry)) {
					await new Promise<void>((resolve) => {
						entry.wake = resolve;
					});
				}
			},
			afterEarlier: async () => {
				while (this.#entries[0] !== entry && this.#entries.includes(entry)) {
					await new Promise<void>((resolve) => {
						entry.wake = resolve;
					});
				}
			},
			isFirst: () => this.#entries[0] === entry,
			[Symbol.dispose]: () => {
				const index = this.#entries.indexOf(entry);
				if (index >= 0) {
					this.#entries.splice(index, 1);
				}
				entry.wake?.();
				this.#wakeAll();
			},
		};
	}

	#mayRun(entry: Entry): boolean {
		const index = this.#entries.indexOf(entry);
		const earlier = this.#entries.slice(0, Math.max(index, 0));
		return earlier.length === 0 || (entry.access === 'shared' && earlier.every(({ access }) => access === 'shared'));
	}

	#wakeAll(): void {
		for (const entry of this.#entries) {
			const { wake } = entry;
			entry.wake = undefined;
			wake?.();
		}
	}
}

export interface GatePlace extends Disposable {
	/** Settles when the call may run. */
	enter(access: 'shared' | 'exclusive'): Promise<void>;
	/** Settles when every earlier call is over. */
	afterEarlier(): Promise<void>;
	isFirst(): boolean;
}
