import { lookup as dnsLookup } from 'node:dns/promises';
import { untilAborted } from './untilAborted.ts';

/** @returns the addresses of a name, best first. @throws as `dns.lookup` does. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** The system's resolver, hosts file included. */
export const systemLookup: Lookup = async (name) => {
	const answers = await dnsLookup(name, { all: true, order: 'verbatim' });
	return answers.map((answer) => answer.address);
};

/** `getaddrinfo` blocks one of the four threads that file access of the whole host also needs: leave it half of them. */
const MAX_LOOKUPS = 2;

/** Looks names up: a few at a time, and each only once when several connections ask together. Remembers nothing. */
export class Resolver {
	readonly #lookup: Lookup;
	readonly #running = new Map<string, Promise<readonly string[]>>();
	readonly #waiting: (() => void)[] = [];
	#free = MAX_LOOKUPS;

	constructor(lookup: Lookup = systemLookup) {
		this.#lookup = lookup;
	}

	/** @throws as the lookup does; the signal's reason when aborted (the lookup itself cannot be stopped). */
	async resolve(name: string, signal: AbortSignal): Promise<readonly string[]> {
		signal.throwIfAborted();
		let running = this.#running.get(name);
		if (running === undefined) {
			running = this.#run(name).finally(() => this.#running.delete(name));
			this.#running.set(name, running);
		}
		return untilAborted(running, signal);
	}

	async #run(name: string): Promise<readonly string[]> {
		if (this.#free > 0) {
			this.#free--;
		} else {
			await new Promise<void>((resolve) => this.#waiting.push(resolve));
		}
		try {
			return await this.#lookup(name);
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) {
				this.#free++;
			} else {
				next();
			}
		}
	}
}
