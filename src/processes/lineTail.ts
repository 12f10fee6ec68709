import { startOfLastLines } from './screenText.ts';
import { TextTail } from './textTail.ts';

/** Characters kept of a tail, so that a few endless lines need no memory: 50 lines of 2.6 k. */
const MAX_TAIL_CHARS = 128 * 1024;

/** Counts the lines of a text that comes in pieces, and keeps the last ones. */
export class LineTail {
	readonly #limit: number;
	readonly #tail = new TextTail(MAX_TAIL_CHARS);
	#isInLine = false;
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
		this.#tail.push(text);
		this.#isInLine = text === '' ? this.#isInLine : !text.endsWith('\n');
	}

	/** @param rest what follows what was pushed, and may still change. */
	lines(rest: string): readonly string[] {
		const text = this.#tail.toString() + rest;
		const lines = text.slice(startOfLastLines(text, this.#limit)).split('\n');
		if (lines.at(-1) === '') {
			lines.pop();
		}
		return lines.slice(-this.#limit);
	}

	/** @param rest what follows what was pushed, and may still change. */
	count(rest: string): number {
		const inLine = rest === '' ? this.#isInLine : !rest.endsWith('\n');
		return this.#lineEnds + rest.split('\n').length - 1 + (inLine ? 1 : 0);
	}
}
