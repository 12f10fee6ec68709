import { lexer, type Token } from 'marked';

/** What is drawn: blocks that will not change any more, and the tail that still may. */
export interface MarkdownBlocks {
	readonly settled: readonly Token[];
	readonly tail: readonly Token[];
}

/**
 * Lexes a text that grows at its end without lexing all of it again: a block is settled as soon as another one follows
 * it. Settled tokens keep their identity, so that what they draw can be kept too.
 * A link definition (`[name]: url`) counts only for text in the same block and the tail.
 */
export class GrowingMarkdown {
	#settledText = '';
	#settled: Token[] = [];

	/** @param source the whole text so far; when it is not a continuation, all is lexed anew. */
	update(source: string): MarkdownBlocks {
		const text = normalise(source);
		if (!text.startsWith(this.#settledText)) {
			this.#settledText = '';
			this.#settled = [];
		}
		const tokens = lexSafely(text.slice(this.#settledText.length));
		const last = tokens.findLastIndex((token) => token.type !== 'space');
		const done = tokens.slice(0, Math.max(0, last));
		if (done.length > 0) {
			this.#settledText += done.map((token) => token.raw).join('');
			this.#settled = [...this.#settled, ...done.filter((token) => token.type !== 'space')];
		}
		return { settled: this.#settled, tail: tokens.slice(Math.max(0, last)).filter(({ type }) => type !== 'space') };
	}
}

/** As marked does it, so that the lengths of raw tokens add up to positions in this text. */
function normalise(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Text that the lexer cannot take (nested too deep) is shown as it is. */
function lexSafely(text: string): Token[] {
	try {
		const tokens: Token[] = lexer(text);
		return tokens.map((token) => token.raw).join('') === text ? tokens : [plain(text)];
	} catch {
		return [plain(text)];
	}
}

function plain(text: string): Token {
	return { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] };
}
