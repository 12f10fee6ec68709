/* Small languages inside commands: is a program in them harmless? What is not understood is not. */

/**
 * @returns whether a sed script only reads and prints: no `w`, `W`, `e`, and no such flags of `s`.
 */
export function isHarmlessSed(script: string): boolean {
	let rest = script;
	while (rest !== '') {
		const next = afterSedCommand(rest.replace(/^[\s;}]+/, ''));
		if (next === undefined) {
			return false;
		}
		rest = next;
	}
	return true;
}

/** An address: a number, `$`, `/re/`, `\cREc`, steps and ranges, perhaps negated. */
const SED_ADDRESS =
	/^(?:(?:\d+(?:[~+]\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/[IM]*|\\(?<c>[^\\\n])(?:(?!\k<c>)[^\\\n]|\\.)*\k<c>[IM]*)(?:\s*,\s*(?:[~+]?\d+|\$|\/(?:[^/\\\n]|\\.)*\/[IM]*))?)?\s*!?\s*/;

function afterSedCommand(text: string): string | undefined {
	if (text === '') {
		return '';
	}
	const rest = text.replace(SED_ADDRESS, '');
	const command = rest.charAt(0);
	if (/[{}=pPdDnNgGhHxzF#]/.test(command)) {
		return command === '#' ? rest.replace(/^[^\n]*/, '') : rest.slice(1);
	}
	if (/[qQl]/.test(command)) {
		return /^.\s*\d*/.exec(rest)?.[0] === undefined ? undefined : rest.replace(/^.\s*\d*/, '');
	}
	if (/[btT:]/.test(command)) {
		return rest.replace(/^.[^;\n}]*/, '');
	}
	if (/[aic]/.test(command)) {
		return rest.replace(/^.(?:[^\n\\]|\\[^])*/, '');
	}
	if (command === 's' || command === 'y') {
		return afterSubstitution(rest);
	}
	return undefined;
}

function afterSubstitution(text: string): string | undefined {
	const delimiter = text.charAt(1);
	if (delimiter === '' || delimiter === '\\' || delimiter === '\n') {
		return undefined;
	}
	let position = 2;
	for (let part = 0; part < 2; part++) {
		while (position < text.length && text.charAt(position) !== delimiter) {
			position += text.charAt(position) === '\\' ? 2 : 1;
		}
		if (position >= text.length) {
			return undefined;
		}
		position++;
	}
	const flags = /^[gpiIM\d]*/.exec(text.slice(position))?.[0] ?? '';
	const rest = text.slice(position + flags.length);
	return rest === '' || /^[\s;}]/.test(rest) ? rest : undefined;
}

/**
 * @returns whether an awk program only reads and prints: no `system`, pipes, files to write, networks, loaded code.
 */
export function isHarmlessAwk(program: string): boolean {
	const code = program
		.replace(/"(?:[^"\\]|\\.)*"/g, (text) => (text.includes('/inet') ? ' system ' : '""'))
		.replace(/#[^\n]*/g, '');
	return (
		!/\bsystem\b|@|\bclose\b|\bfflush\b/.test(code) &&
		!/(?:^|[^|])\|(?:[^|]|$)/.test(code.replace(/\/(?:[^/\\\n]|\\.)+\//g, '//')) &&
		!/\bprintf?\b[^;}\n]*>/.test(code)
	);
}
