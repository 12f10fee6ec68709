/** A run of command output in one style. `fg` and `bg` are the terminal's colours 0 to 15. */
export interface AnsiSpan {
	readonly text: string;
	readonly fg?: number;
	readonly bg?: number;
	readonly bold?: boolean;
	readonly dim?: boolean;
	readonly italic?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
}
type Style = Omit<AnsiSpan, 'text'>;

// CSI sequences; OSC strings up to BEL or ST; other two-character escapes; and what of C0 is never text.
const CONTROL =
	/\u001b\[([0-9;:?<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;

/**
 * Splits output into styled runs. SGR colours and weights (ECMA-48, 8.3.117) are honoured; 256 and true colours beyond the
 * 16 of the theme are drawn in the default colour; every other control sequence is left out.
 */
export function parseAnsi(text: string): AnsiSpan[] {
	const spans: AnsiSpan[] = [];
	let style: Style = {};
	let position = 0;
	const push = (end: number) => {
		if (end > position) {
			spans.push({ ...style, text: text.slice(position, end) });
		}
	};
	for (const match of text.matchAll(CONTROL)) {
		push(match.index);
		position = match.index + match[0].length;
		if (match[2] === 'm') {
			style = applySgr(style, match[1] ?? '');
		}
	}
	push(text.length);
	return spans;
}

function applySgr(before: Style, parameters: string): Style {
	let style: Style = before;
	const codes = parameters.split(/[;:]/).map(Number);
	for (let index = 0; index < codes.length; index++) {
		const code = codes[index] ?? 0;
		if (code === 38 || code === 48) {
			const indexed = codes[index + 1] === 5;
			style = withColour(style, code === 38 ? 'fg' : 'bg', indexed ? (codes[index + 2] ?? 16) : 16);
			index += indexed ? 2 : 4;
		} else {
			style = applyCode(style, code);
		}
	}
	return style;
}

function withColour(style: Style, key: 'fg' | 'bg', colour: number | undefined): Style {
	const { fg, bg, ...weights } = style;
	const other = key === 'fg' ? { ...(bg !== undefined && { bg }) } : { ...(fg !== undefined && { fg }) };
	const rest = { ...weights, ...other };
	return colour !== undefined && colour < 16 ? { ...rest, [key]: colour } : rest;
}

function applyCode(style: Style, code: number): Style {
	switch (code) {
		case 0:
			return {};
		case 1:
			return { ...style, bold: true };
		case 2:
			return { ...style, dim: true };
		case 3:
			return { ...style, italic: true };
		case 4:
			return { ...style, underline: true };
		case 7:
			return { ...style, inverse: true };
		case 22:
			return { ...style, bold: false, dim: false };
		case 23:
			return { ...style, italic: false };
		case 24:
			return { ...style, underline: false };
		case 27:
			return { ...style, inverse: false };
		case 39:
			return withColour(style, 'fg', undefined);
		case 49:
			return withColour(style, 'bg', undefined);
		default:
			return applyColourCode(style, code);
	}
}

function applyColourCode(style: Style, code: number): Style {
	if (code >= 30 && code <= 37) {
		return withColour(style, 'fg', code - 30);
	}
	if (code >= 40 && code <= 47) {
		return withColour(style, 'bg', code - 40);
	}
	if (code >= 90 && code <= 97) {
		return withColour(style, 'fg', code - 82);
	}
	return code >= 100 && code <= 107 ? withColour(style, 'bg', code - 92) : style;
}
