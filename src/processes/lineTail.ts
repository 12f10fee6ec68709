import { startOfLastLines } from './screenText.ts';

/** Characters kept of a tail, so that a few endless lines need no memory. */
const MAX_TAIL_CHARS = 256 * 1024;

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
		this.#tail = this.#last(this.#tail + text);
	}

	/** @param rest what follows what was pushed, and may still change. */
	lines(rest: string): readonly string[] {
		const lines = this.#last(this.#tail + rest).split('\n');
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

	#last(text: string): string {
		const start = Math.max(startOfLastLines(text, this.#limit), text.length - MAX_TAIL_CHARS);
		return start === 0 ? text : text.slice(start);
	}
}
