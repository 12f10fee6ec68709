/** A piece of text that is about to be approved: `mark` names a character that would not be seen, or would deceive. */
export type VisiblePiece = { readonly text: string } | { readonly mark: string; readonly name: string };

// C0 but tab and newline, DEL, C1; soft hyphen; Arabic letter mark; Mongolian separator; zero-width characters, bidi marks,
// embeddings, overrides and isolates; line and paragraph separators; blanks that are no spaces; variation selectors; BOM;
// interlinear marks; tags. See Unicode TR #36, "Bidirectional Text Spoofing", and CVE-2021-42574.
const HIDDEN =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

const NAMES: Readonly<Record<number, string>> = {
	0x00: 'NUL',
	0x07: 'BEL',
	0x08: 'BS',
	0x0d: 'CR',
	0x1b: 'ESC',
	0x7f: 'DEL',
	0x200b: 'ZWSP',
	0x200c: 'ZWNJ',
	0x200d: 'ZWJ',
	0x200e: 'LRM',
	0x200f: 'RLM',
	0x202a: 'LRE',
	0x202b: 'RLE',
	0x202c: 'PDF',
	0x202d: 'LRO',
	0x202e: 'RLO',
	0x2066: 'LRI',
	0x2067: 'RLI',
	0x2068: 'FSI',
	0x2069: 'PDI',
	0xfeff: 'BOM',
};

/** Makes control, invisible and direction-changing characters visible. Joined, `text` and `mark` hold every character. */
export function visiblePieces(text: string): VisiblePiece[] {
	const pieces: VisiblePiece[] = [];
	let position = 0;
	for (const match of text.matchAll(HIDDEN)) {
		if (match.index > position) {
			pieces.push({ text: text.slice(position, match.index) });
		}
		const code = match[0].codePointAt(0) ?? 0;
		const name = NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
		pieces.push({ mark: match[0], name });
		position = match.index + match[0].length;
	}
	if (position < text.length) {
		pieces.push({ text: text.slice(position) });
	}
	return pieces;
}
