let strings: Readonly<Record<string, string>> = {};

/** Takes the display language's strings, by the English text. */
export function setStrings(next: Readonly<Record<string, string>>): void {
	strings = next;
}

/**
 * A text in the display language.
 * @param english what the text is looked up by; `{0}`, `{1}` ... stand for the arguments.
 */
export function t(english: string, ...args: readonly (string | number)[]): string {
	const text = Object.hasOwn(strings, english) ? (strings[english] ?? english) : english;
	return text.replace(/\{(\d+)\}/g, (hole, index: string) => String(args[Number(index)] ?? hole));
}
