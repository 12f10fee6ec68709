import type { Word, WordPart } from 'unbash';

/** What the shell would make of a word, as far as that is known before it runs. */
export interface ResolvedWord {
	/** As written. */
	readonly source: string;
	/** Its text; a glob stays as it is written. Undefined where it depends on what is only known at run time. */
	readonly text: string | undefined;
	/** The text before the first part that is not known. */
	readonly prefix: string;
	/** Has a `*`, `?` or `[...]` that is not quoted. */
	readonly isGlob: boolean;
	/** A part is not known and not quoted: it may be several words, or none. */
	readonly splits: boolean;
}

/** @returns the value of a variable, or undefined where it is not known. */
export type VariableLookup = (name: string) => string | undefined;

/** Marks where an unquoted value is split into words. No command has this character. */
const SPLIT = '\0';
const SIMPLE_BRACES = /^\{([^{}'"\\$`]*,[^{}'"\\$`]*)\}$/;
/** Words that braces may make of one word; more than this stay unknown. */
const MAX_WORDS = 64;
/** Parameters that are numbers. */
const NUMERIC = /^\$\{?[?#$!]\}?$/;

interface Draft {
	text: string;
	prefix: string | undefined;
	isGlob: boolean;
	splits: boolean;
}

/**
 * Resolves quotes, escapes, `~`, known variables and simple braces.
 * @param home what `~` means.
 * @returns the words that it becomes: none where an unquoted value is empty.
 */
export function resolveWord(word: Word, lookup: VariableLookup, home: string): readonly ResolvedWord[] {
	let drafts: Draft[] = [{ text: '', prefix: undefined, isGlob: false, splits: false }];
	const parts = word.parts ?? [];
	if (word.parts === undefined) {
		addText(drafts, word.value);
	}
	for (const part of parts) {
		const alternatives = part.type === 'BraceExpansion' ? SIMPLE_BRACES.exec(part.text)?.[1]?.split(',') : undefined;
		if (alternatives !== undefined && alternatives.length * drafts.length <= MAX_WORDS) {
			drafts = drafts.flatMap((draft) =>
				alternatives.map((alternative) => ({ ...draft, text: draft.text + alternative })),
			);
		} else {
			drafts.forEach((draft) => addPart(draft, part, lookup, false));
		}
	}
	if (/^~(?:\/|$)/.test(word.text)) {
		drafts.forEach((draft) => (draft.text = home + draft.text.slice(1)));
	} else if (word.text.startsWith('~')) {
		// Another user's home, or a folder of the shell's stack.
		drafts.forEach((draft) => (draft.text = `/${draft.text}`));
	}
	const isQuoted = parts.some((part) => part.type.endsWith('Quoted') || part.type === 'LocaleString');
	return drafts.flatMap((draft) => finish(draft, word.text, isQuoted));
}

/** @returns the text of a here-document or the like, where all of it is known. */
export function resolveParts(parts: readonly WordPart[], lookup: VariableLookup): string | undefined {
	const draft: Draft = { text: '', prefix: undefined, isGlob: false, splits: false };
	parts.forEach((part) => addPart(draft, part, lookup, true));
	return draft.prefix === undefined ? draft.text : undefined;
}

function finish(draft: Draft, source: string, isQuoted: boolean): readonly ResolvedWord[] {
	const { isGlob, splits } = draft;
	if (draft.prefix !== undefined) {
		return [{ source, text: undefined, prefix: draft.prefix.replaceAll(SPLIT, ' '), isGlob, splits }];
	}
	const texts = draft.text.split(SPLIT).filter((text) => text !== '' || (isQuoted && draft.text === ''));
	return texts.map((text) => ({ source, text, prefix: text, isGlob, splits }));
}

function addText(drafts: readonly Draft[], text: string): void {
	for (const draft of drafts) {
		draft.text += text;
	}
}

function addPart(draft: Draft, part: WordPart, lookup: VariableLookup, quoted: boolean): void {
	switch (part.type) {
		case 'Literal':
		case 'SingleQuoted':
		case 'AnsiCQuoted':
			draft.text += part.value;
			break;
		case 'Glob':
			draft.text += part.text;
			draft.isGlob = true;
			break;
		case 'ExtendedGlob':
			draft.text += part.text;
			draft.isGlob = true;
			break;
		case 'DoubleQuoted':
		case 'LocaleString':
			part.parts.forEach((child) => addPart(draft, child, lookup, true));
			break;
		case 'SimpleExpansion':
			addValue(draft, NUMERIC.test(part.text) ? '0' : lookup(part.text.slice(1)), quoted);
			break;
		case 'ParameterExpansion': {
			const isPlain = part.operation === undefined && part.index === undefined && part.prefix === undefined;
			const isNumber = part.prefix === '#' || NUMERIC.test(part.text);
			addValue(draft, isNumber ? '0' : isPlain ? lookup(part.parameter) : undefined, quoted);
			break;
		}
		case 'ArithmeticExpansion':
			addValue(draft, '0', quoted);
			break;
		case 'CommandExpansion':
		case 'ProcessSubstitution':
		case 'BraceExpansion':
			addValue(draft, undefined, quoted || part.type === 'ProcessSubstitution');
	}
}

function addValue(draft: Draft, value: string | undefined, quoted: boolean): void {
	if (value === undefined) {
		draft.prefix ??= draft.text;
		draft.splits ||= !quoted;
		return;
	}
	draft.text += quoted ? value : value.replace(/\s+/g, SPLIT);
	draft.isGlob ||= !quoted && /[*?[]/.test(value);
}
