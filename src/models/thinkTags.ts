const OPEN = '<think>';
const CLOSE = '</think>';

export interface Split {
	readonly text: string;
	readonly reasoning: string;
}

/**
 * Takes reasoning out of the text of models whose server leaves it there: `<think>…</think>` at the very start. The
 * same words later are text like any other.
 */
export class ThinkTags {
	#state: 'start' | 'thinking' | 'text' = 'start';
	/** What may be the beginning of a tag. */
	#held = '';

	push(piece: string): Split {
		const text = this.#held + piece;
		this.#held = '';
		switch (this.#state) {
			case 'text':
				return { text, reasoning: '' };
			case 'start':
				return this.#start(text);
			case 'thinking':
				return this.#think(text);
		}
	}

	/** What is left when the stream ends. */
	end(): Split {
		const held = this.#held;
		this.#held = '';
		return this.#state === 'thinking' ? { text: '', reasoning: held } : { text: held, reasoning: '' };
	}

	#start(text: string): Split {
		const begin = text.trimStart();
		if (begin.startsWith(OPEN)) {
			this.#state = 'thinking';
			return this.#think(begin.slice(OPEN.length));
		}
		if (OPEN.startsWith(begin)) {
			this.#held = text;
			return { text: '', reasoning: '' };
		}
		this.#state = 'text';
		return { text, reasoning: '' };
	}

	#think(text: string): Split {
		const at = text.indexOf(CLOSE);
		if (at >= 0) {
			this.#state = 'text';
			return { text: text.slice(at + CLOSE.length).trimStart(), reasoning: text.slice(0, at) };
		}
		let held = Math.min(CLOSE.length - 1, text.length);
		while (!CLOSE.startsWith(text.slice(text.length - held))) {
			held--;
		}
		this.#held = text.slice(text.length - held);
		return { text: '', reasoning: text.slice(0, text.length - held) };
	}
}
