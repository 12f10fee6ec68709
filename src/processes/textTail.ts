/** Pieces shorter than this are put together, so that output in small writes makes no long list. */
const MERGED_CHARS = 4 * 1024;

/** The end of a text that grows. Copies nothing of it, so that endless output costs little. */
export class TextTail {
	readonly #limit: number;
	#pieces: string[] = [];
	#length = 0;

	/** @param limit how many characters are surely kept; up to one piece more may be. */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Characters that are kept. */
	get length(): number {
		return this.#length;
	}

	/** @returns how many characters were given up for it. */
	push(text: string): number {
		const last = this.#pieces.at(-1);
		if (last !== undefined && last.length < MERGED_CHARS && text.length < MERGED_CHARS) {
			this.#pieces[this.#pieces.length - 1] = last + text;
		} else {
			this.#pieces.push(text);
		}
		this.#length += text.length;
		let dropped = 0;
		for (
			let first = this.#pieces[0];
			first !== undefined && this.#length - first.length >= this.#limit;
			first = this.#pieces[0]
		) {
			this.#pieces.shift();
			this.#length -= first.length;
			dropped += first.length;
		}
		return dropped;
	}

	clear(): void {
		this.#pieces = [];
		this.#length = 0;
	}

	toString(): string {
		return this.#pieces.join('');
	}
}
