import { startOfLastLines } from './screenText.ts';

/** Characters kept of a tail, so that a few endless lines need no memory: 50 lines of 2.6 k. */
const MAX_TAIL_CHARS = 128 * 1024;

/** Counts the lines of a text that comes in pieces, and keeps the last ones. */
export class LineTail {
	readonly #limit: number;
	#tail = '';
	#lineEnds = 0;

	/** @param limit how many lines are kept. */
	constructor(limit: number) {
		this.#limit = limit;
	}

	push(text: string): void {
		for (let index = 0; index < text.length; index++) {
			if (text.charCodeAt(index) === 10) {
				this.#lineEnds++;
			}
		}
		this.#tail = lastChars(this.#tail, text, MAX_TAIL_CHARS);
	}

	/** @param rest what follows what was pushed, and may still change. */
	lines(rest: string): readonly string[] {
		const text = this.#tail + rest;
		const lines = text.slice(startOfLastLines(text, this.#limit)).split('\n');
		if (lines.at(-1) === '') {
			lines.pop();
		}
		return lines.slice(-this.#limit);
	}

	/** @param rest what follows what was pushed, and may still change. */
	count(rest: string): number {
		const end = rest === '' ? this.#tail : rest;
		const inLine = end !== '' && !end.endsWith('\n');
		return this.#lineEnds + rest.split('\n').length - 1 + (inLine ? 1 : 0);
	}
}

/**
 * The end of a text that grows.
 * @returns the last `limit` to `2 * limit` characters of both: cutting only now and then costs least.
 */
export function lastChars(text: string, added: string, limit: number): string {
	if (added.length >= limit) {
		return added.slice(-limit);
	}
	const both = text + added;
	return both.length > 2 * limit ? both.slice(-limit) : both;
}
