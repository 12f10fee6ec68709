import type { ProgramRule } from './programRule.ts';
import type { ResolvedWord } from './words.ts';

/** One option that was found among the words of a command. */
interface FoundOption {
	/** As it stands in the table of programs: `-o` or `--output`. */
	readonly name: string;
	readonly value: ResolvedWord | undefined;
}

/** The words after a program's name, told apart. */
export interface ParsedWords {
	/** Options of the table that are there. */
	readonly found: readonly FoundOption[];
	readonly operands: readonly ResolvedWord[];
	/** Where the operands begin: the index of the first, or the number of words. */
	readonly firstOperand: number;
	/** Words that were taken as values of options. */
	readonly values: readonly ResolvedWord[];
	/** A word may be an option, or several, that nobody knows. */
	readonly hasUnknown: boolean;
	/** `--` was there: how many operands stood before it. */
	readonly operandsBeforeDashes: number | undefined;
}

/**
 * Tells options from operands by a program's rule.
 * @param stopAtOperand what follows the first operand are operands: subcommands and wrapped commands have their own options.
 */
export function parseWords(rule: ProgramRule, words: readonly ResolvedWord[], stopAtOperand: boolean): ParsedWords {
	const reader = new OptionReader(rule);
	const operands: ResolvedWord[] = [];
	let firstOperand = words.length;
	let operandsBeforeDashes: number | undefined;
	for (let index = 0; index < words.length; index++) {
		const word = words[index];
		if (word === undefined) {
			continue;
		}
		if (operandsBeforeDashes === undefined && word.text === '--') {
			operandsBeforeDashes = operands.length;
			continue;
		}
		const isOption =
			operandsBeforeDashes === undefined && reader.isOption(word) && !(stopAtOperand && operands.length > 0);
		if (isOption) {
			index += reader.read(word, words[index + 1]) ? 1 : 0;
			continue;
		}
		if (operandsBeforeDashes === undefined && word.text === undefined && word.prefix === '') {
			reader.hasUnknown ||= word.splits;
		}
		firstOperand = Math.min(firstOperand, index);
		operands.push(word);
	}
	const { found, values, hasUnknown } = reader;
	return { found, operands, firstOperand, values, hasUnknown, operandsBeforeDashes };
}

class OptionReader {
	readonly found: FoundOption[] = [];
	readonly values: ResolvedWord[] = [];
	hasUnknown = false;
	readonly #exact: boolean;
	readonly #takeValue: ReadonlySet<string>;
	readonly #names: readonly string[];

	constructor(rule: ProgramRule) {
		const withValue = Object.entries(rule.options ?? {}).filter(([, option]) => typeof option === 'string');
		this.#exact = rule.exact === true;
		this.#names = [...Object.keys(rule.options ?? {}), rule.inline ?? '', rule.folder ?? ''].flatMap((names) =>
			names.split(' '),
		);
		this.#takeValue = new Set(
			[rule.values ?? '', rule.folder ?? '', ...withValue.map(([names]) => names)].flatMap((n) => n.split(' ')),
		);
	}

	/** Only shells have options with a plus sign. */
	isOption(word: ResolvedWord): boolean {
		return /^-./.test(word.prefix) || (word.prefix.startsWith('+') && this.#takeValue.has(word.prefix));
	}

	/** @returns whether the next word is the option's value. */
	read(word: ResolvedWord, next: ResolvedWord | undefined): boolean {
		const text = word.text ?? word.prefix;
		if (word.text === undefined) {
			this.hasUnknown ||= word.splits;
		}
		if (this.#exact) {
			const isKnown = this.#names.includes(text);
			const takesNext = this.#takeValue.has(text);
			return this.#take(isKnown ? text : undefined, takesNext ? next : undefined, takesNext);
		}
		return text.startsWith('--') ? this.#long(word, text, next) : this.#bundle(word, text, next);
	}

	#long(word: ResolvedWord, text: string, next: ResolvedWord | undefined): boolean {
		const end = text.indexOf('=');
		const given = end < 0 ? text : text.slice(0, end);
		const isShortened = (name: string) => name.startsWith('--') && given.length > 2 && name.startsWith(given);
		const name = this.#names.find((known) => known === given) ?? this.#names.find(isShortened);
		if (end >= 0) {
			return this.#take(name, part(word, end + 1), false);
		}
		const takesNext = this.#takeValue.has(name ?? given);
		return this.#take(name, takesNext ? next : undefined, takesNext);
	}

	/** `-abc`, `-ofile`, and single-dash long options, which are taken as a whole first. */
	#bundle(word: ResolvedWord, text: string, next: ResolvedWord | undefined): boolean {
		if (this.#names.includes(text) || this.#takeValue.has(text)) {
			const takesNext = this.#takeValue.has(text);
			return this.#take(this.#names.includes(text) ? text : undefined, takesNext ? next : undefined, takesNext);
		}
		for (let index = 1; index < text.length; index++) {
			const letter = `-${text.charAt(index)}`;
			const name = this.#names.includes(letter) ? letter : undefined;
			if (this.#takeValue.has(letter)) {
				const isLast = index === text.length - 1 && word.text !== undefined;
				return this.#take(name, isLast ? next : part(word, index + 1), isLast);
			}
			this.#take(name, undefined, false);
		}
		return false;
	}

	#take(name: string | undefined, value: ResolvedWord | undefined, usesNext: boolean): boolean {
		if (name !== undefined) {
			this.found.push({ name, value });
		}
		if (usesNext && value !== undefined) {
			this.values.push(value);
		}
		return usesNext;
	}
}

/** The rest of a word: the value in `--output=value`. */
function part(word: ResolvedWord, start: number): ResolvedWord {
	const { text, prefix, ...rest } = word;
	return { ...rest, text: text?.slice(start), prefix: prefix.slice(start) };
}
