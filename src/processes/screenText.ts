/** Rows that a cursor movement can still reach. Progress displays rewrite a few dozen rows at most. */
const MAX_ROWS = 64;
/** A row longer than this is taken as final but for its end, so that output without line ends needs no memory. */
const MAX_ROW_CHARS = 16 * 1024;
const KEPT_ROW_CHARS = 4 * 1024;
/** An escape sequence that goes on longer than this is not one. */
const MAX_SEQUENCE_CHARS = 4 * 1024;

/** Anything that {@link ScreenText} has to look at more closely than at plain lines. */
const SPECIAL =
	/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/;
/** Characters that reorder or hide text: a reader must see that they are there ("Trojan Source", CVE-2021-42574). */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g;
/** One control character or one complete escape sequence (ECMA-48: CSI, OSC, DCS and its like, others). */
const TOKEN =
	/\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*([0-OQ-WYZ\\`-~]))|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** An escape sequence whose end may come with the next chunk. */
const UNFINISHED = /^\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/;

/**
 * Makes characters that reorder or hide text visible as `<U+202E>`.
 * @returns the text itself where there are none.
 */
export function revealHidden(text: string): string {
	return text.replace(
		HIDDEN,
		(char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
	);
}

/**
 * What a terminal would show of a stream, as lines: carriage returns, backspaces, cursor movements and erasures are
 * carried out, colours and all other sequences are dropped, characters that hide or reorder text are made visible.
 * Rows that a movement cannot reach any more are handed to `commit` as final text, so memory is bounded whatever comes.
 */
export class ScreenText {
	readonly #commit: (text: string) => void;
	#rows: string[] = [''];
	#row = 0;
	#column = 0;
	#saved = { row: 0, column: 0 };
	#committed = 0;
	#dirty = Infinity;
	#held = '';

	/** @param commit is given final text, in order; it contains its line ends. */
	constructor(commit: (text: string) => void) {
		this.#commit = commit;
	}

	/** Characters that were committed: the offset at which {@link rest} begins. */
	get committed(): number {
		return this.#committed;
	}

	/** The text that may still change. */
	get rest(): string {
		return this.#rows.join('\n').toWellFormed();
	}

	/** @returns the offset of the first character that changed since the last call; Infinity where none did. */
	takeDirty(): number {
		const dirty = this.#dirty;
		this.#dirty = Infinity;
		return dirty;
	}

	/** @param chunk whole characters: a surrogate pair is never split. Sequences may be split anywhere. */
	write(chunk: string): void {
		if (this.#held === '' && !SPECIAL.test(chunk)) {
			this.#print(chunk);
			return;
		}
		const text = revealHidden((this.#held + chunk).replaceAll('\r\n', '\n'));
		this.#held = '';
		TOKEN.lastIndex = 0;
		let position = 0;
		for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
			if (token.index > position) {
				this.#print(text.slice(position, token.index));
			}
			if (token[0] === '\x1b' && this.#isUnfinished(text, token.index)) {
				this.#held = text.slice(token.index);
				return;
			}
			this.#obey(token);
			position = TOKEN.lastIndex;
		}
		if (position < text.length) {
			this.#print(text.slice(position));
		}
	}

	#isUnfinished(text: string, index: number): boolean {
		return text.length - index <= MAX_SEQUENCE_CHARS && UNFINISHED.test(text.slice(index));
	}

	#obey(token: RegExpExecArray): void {
		const [whole, parameters, final, single] = token;
		if (final !== undefined) {
			this.#control(final, parameters ?? '');
		} else if (whole === '\r') {
			this.#column = 0;
		} else if (whole === '\b') {
			this.#column = Math.max(0, this.#column - 1);
		} else if (whole === '\v' || whole === '\f') {
			this.#lineFeed();
		} else if (single === '7') {
			this.#saved = { row: this.#row, column: this.#column };
		} else if (single === '8') {
			this.#moveTo(this.#saved.row, this.#saved.column);
		} else if (single === 'M') {
			this.#moveTo(this.#row - 1, this.#column);
		}
	}

	/** Carries out a CSI sequence (ECMA-48, 8.3; xterm's ctlseqs). Unknown ones do nothing. */
	#control(final: string, parameters: string): void {
		const [first, second] = parameters.split(';').map((part) => Number.parseInt(part, 10));
		const count = Math.max(1, first === undefined || Number.isNaN(first) ? 1 : first);
		const column = Math.max(1, second === undefined || Number.isNaN(second) ? 1 : second);
		switch (final) {
			case 'A':
				this.#moveTo(this.#row - count, this.#column);
				break;
			case 'B':
				this.#moveTo(this.#row + count, this.#column);
				break;
			case 'C':
				this.#moveTo(this.#row, this.#column + count);
				break;
			case 'D':
				this.#moveTo(this.#row, this.#column - count);
				break;
			case 'E':
				this.#moveTo(this.#row + count, 0);
				break;
			case 'F':
				this.#moveTo(this.#row - count, 0);
				break;
			case 'G':
			case '`':
				this.#moveTo(this.#row, count - 1);
				break;
			case 'H':
			case 'f':
				this.#growTo(count);
				this.#moveTo(count - 1, column - 1);
				break;
			case 'J':
				this.#eraseDisplay(Number.parseInt(parameters, 10) || 0);
				break;
			case 'K':
				this.#eraseLine(Number.parseInt(parameters, 10) || 0);
				break;
			case 's':
				this.#saved = { row: this.#row, column: this.#column };
				break;
			case 'u':
				this.#moveTo(this.#saved.row, this.#saved.column);
				break;
			default:
		}
	}

	#growTo(rows: number): void {
		while (this.#rows.length < Math.min(rows, MAX_ROWS)) {
			this.#mark(this.#rows.length - 1, Infinity);
			this.#rows.push('');
		}
	}

	#moveTo(row: number, column: number): void {
		this.#row = Math.min(Math.max(0, row), this.#rows.length - 1);
		this.#column = Math.min(Math.max(0, column), MAX_ROW_CHARS);
	}

	#eraseLine(mode: number): void {
		const line = this.#rows[this.#row] ?? '';
		if (mode === 0) {
			this.#replaceRow(line.slice(0, this.#column), this.#column);
		} else if (mode === 1) {
			this.#replaceRow(' '.repeat(Math.min(this.#column + 1, line.length)) + line.slice(this.#column + 1), 0);
		} else {
			this.#replaceRow('', 0);
		}
	}

	#eraseDisplay(mode: number): void {
		if (mode === 0) {
			this.#eraseLine(0);
			if (this.#rows.length > this.#row + 1) {
				this.#mark(this.#row, Infinity);
				this.#rows.length = this.#row + 1;
			}
		} else if (mode >= 2) {
			// A record loses nothing: what was on the screen stays above the new one.
			if (this.#rows.some((row) => row !== '')) {
				this.#mark(this.#rows.length - 1, Infinity);
				this.#give(`${this.#rows.join('\n')}\n`);
				this.#rows = [''];
			}
			this.#moveTo(0, 0);
		}
	}

	#print(text: string): void {
		if (this.#row === this.#rows.length - 1 && this.#column === this.#rows[this.#row]?.length) {
			this.#append(text);
			return;
		}
		const [first = '', ...others] = text.split('\n');
		this.#overwrite(first);
		if (others.length > 0) {
			this.#lineFeed();
			this.#print(others.join('\n'));
		}
	}

	#append(text: string): void {
		this.#mark(this.#row, this.#column);
		const start = startOfLastLines(text, MAX_ROWS - 1);
		if (start > 0) {
			this.#give(`${this.#rows.join('\n')}${text.slice(0, start)}`);
			this.#rows = text.slice(start).split('\n');
		} else {
			const [first = '', ...others] = text.split('\n');
			this.#rows[this.#row] = (this.#rows[this.#row] ?? '') + first;
			this.#rows.push(...others);
			this.#commitRows(this.#rows.length - MAX_ROWS);
		}
		this.#row = this.#rows.length - 1;
		this.#column = this.#rows[this.#row]?.length ?? 0;
		this.#shortenRow();
	}

	#overwrite(text: string): void {
		const line = this.#rows[this.#row] ?? '';
		const padded = line.padEnd(this.#column);
		const rest = padded.slice(this.#column + text.length);
		this.#replaceRow(padded.slice(0, this.#column) + text + rest, Math.min(this.#column, line.length));
		this.#column += text.length;
		this.#shortenRow();
	}

	#lineFeed(): void {
		if (this.#row === this.#rows.length - 1) {
			this.#mark(this.#row, Infinity);
			this.#rows.push('');
			this.#row++;
			this.#commitRows(this.#rows.length - MAX_ROWS);
		} else {
			this.#row++;
		}
		this.#column = 0;
	}

	/** A row that grows without end: what stands above it is final, and so is all of it but its end. */
	#shortenRow(): void {
		const line = this.#rows[this.#row] ?? '';
		if (line.length <= MAX_ROW_CHARS || this.#column <= KEPT_ROW_CHARS) {
			return;
		}
		this.#commitRows(this.#row);
		let cut = Math.min(line.length, this.#column) - KEPT_ROW_CHARS;
		const code = line.charCodeAt(cut);
		cut += code >= 0xdc00 && code <= 0xdfff ? 1 : 0;
		this.#give(line.slice(0, cut));
		this.#rows[this.#row] = line.slice(cut);
		this.#column -= cut;
	}

	#commitRows(count: number): void {
		if (count > 0) {
			this.#give(`${this.#rows.splice(0, count).join('\n')}\n`);
			this.#row = Math.max(0, this.#row - count);
			this.#saved.row = Math.max(0, this.#saved.row - count);
		}
	}

	#give(text: string): void {
		this.#committed += text.length;
		this.#commit(text.toWellFormed());
	}

	#replaceRow(line: string, from: number): void {
		if (line !== this.#rows[this.#row]) {
			this.#mark(this.#row, from);
			this.#rows[this.#row] = line;
		}
	}

	#mark(row: number, column: number): void {
		let offset = this.#committed + Math.min(column, this.#rows[row]?.length ?? 0);
		for (let index = 0; index < row; index++) {
			offset += (this.#rows[index]?.length ?? 0) + 1;
		}
		this.#dirty = Math.min(this.#dirty, offset);
	}
}

/** @returns where the last `count` line ends and what follows begin, or 0 where there are no more than that. */
export function startOfLastLines(text: string, count: number): number {
	let position = text.length;
	for (let seen = 0; seen <= count; seen++) {
		position = text.lastIndexOf('\n', position - 1);
		if (position <= 0) {
			return position === 0 && seen === count ? 1 : 0;
		}
	}
	return position + 1;
}
