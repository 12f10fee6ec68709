const MARK = '\u0001';
/** Fenced code, backticks, straight and curly double quotes, and single quotes that are no apostrophes. */
const QUOTED =
	/\s*```[^\n`]*\n([^]*?)\n?```|`([^`\n]+)`|"([^"\n]*)"|“([^”\n]*)”|(?<=^|[\s(])'([^'\n]+)'(?=$|[\s.,;:!?)])/g;

/** A text in which each quoted part is one mark, so that words in quotes are not taken for orders. */
export class Quoting {
	readonly masked: string;
	readonly #parts: { readonly inner: string; readonly whole: string }[] = [];

	constructor(text: string) {
		this.masked = text
			.replaceAll(MARK, '')
			.replace(QUOTED, (whole: string, ...groups: (string | number | undefined)[]) => {
				const inner = groups.slice(0, 5).find((each) => typeof each === 'string') ?? '';
				this.#parts.push({ inner: inner, whole });
				return `${/^\s/.test(whole) ? ' ' : ''}${MARK}${this.#parts.length - 1}${MARK}`;
			});
	}

	/** @returns what the user meant: an argument that is one quoted part without its quotes, anything else as typed */
	value(argument: string): string {
		const trimmed = argument.trim();
		const whole = /^\u0001(\d+)\u0001$/.exec(trimmed);
		if (whole) {
			return this.#parts[Number(whole[1])]?.inner ?? '';
		}
		return trimmed.replace(/\u0001(\d+)\u0001/g, (_, at: string) => this.#parts[Number(at)]?.whole ?? '');
	}
}
