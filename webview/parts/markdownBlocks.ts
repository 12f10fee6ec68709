import { Lexer, type Token } from 'marked';

/** What is drawn: blocks that will not change any more, and the tail that still may. */
export interface MarkdownBlocks {
	readonly settled: readonly Token[];
	readonly tail: readonly Token[];
}

/** Runs of marks in one paragraph beyond which it is shown as it is: marked takes 17 s for 13,000 of them. */
const MARKS = 1000;

/** Quotes and lists nested deeper than any text means it: marked's recursion ends in a stack overflow. */
const TOO_DEEP = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m;

class BoundedLexer extends Lexer {
	override inlineTokens(source: string, tokens: Token[] = []): Token[] {
		const marks = source.match(/[*_~`[<]+/g)?.length ?? 0;
		if (marks > MARKS) {
			tokens.push({ type: 'text', raw: source, text: source });
			return tokens;
		}
		return super.inlineTokens(source, tokens);
	}
}

/**
 * Lexes a text that grows at its end without lexing all of it again: a block is settled once another one, of which the
 * first line is whole, follows it (until then `2` may become `2.`, the next item of a list). Settled tokens keep their
 * identity, so that what they draw can be kept too.
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
		const rest = text.slice(this.#settledText.length);
		const tokens = lexSafely(rest);
		let open = firstOpen(tokens);
		const done = tokens.slice(0, open);
		const doneText = done.map((token) => token.raw).join('');
		// Where marked left characters out, positions are not known: all of it stays open.
		open = rest.startsWith(doneText) ? open : 0;
		if (open > 0) {
			this.#settledText += doneText;
			this.#settled = [...this.#settled, ...done.filter((token) => token.type !== 'space')];
		}
		return { settled: this.#settled, tail: tokens.slice(open).filter(({ type }) => type !== 'space') };
	}
}

/** @returns the index of the first block that what comes may still change. */
function firstOpen(tokens: readonly Token[]): number {
	const blocks = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
	const last = blocks.at(-1);
	if (last === undefined) {
		return 0;
	}
	const hasWholeLine = tokens
		.slice(last)
		.map((token) => token.raw)
		.join('')
		.includes('\n');
	return (hasWholeLine ? last : blocks.at(-2)) ?? 0;
}

/** As marked does it, so that the lengths of raw tokens add up to positions in this text. */
function normalise(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Text that the lexer cannot take is shown as it is. */
function lexSafely(text: string): Token[] {
	try {
		return TOO_DEEP.test(text) ? [plain(text)] : new BoundedLexer().lex(text);
	} catch {
		return [plain(text)];
	}
}

function plain(text: string): Token {
	return { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] };
}
