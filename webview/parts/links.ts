/** Where a link in an answer leads. Everything else is drawn as text: `command:` and `javascript:` are no links here. */
export type LinkTarget =
	| { readonly kind: 'web'; readonly href: string }
	| { readonly kind: 'file'; readonly path: string; readonly line?: number };

/** @param href as it stands in the Markdown. */
export function linkTarget(href: string): LinkTarget | null {
	const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
	if (scheme === 'http' || scheme === 'https' || scheme === 'mailto') {
		return URL.canParse(href) ? { kind: 'web', href } : null;
	}
	// One letter before the colon is a drive; `a.ts:12` has a dot before it, which no scheme we would follow has.
	if (scheme !== undefined && scheme.length > 1 && !/\.[a-z0-9]+:\d+/i.test(href)) {
		return null;
	}
	if (href.startsWith('//') || href.startsWith('#') || href === '') {
		return null;
	}
	return fileTarget(decode(href));
}

function decode(href: string): string {
	try {
		return decodeURIComponent(href);
	} catch {
		return href;
	}
}

function fileTarget(text: string): LinkTarget {
	const match = /^(.*?)(?::(\d+)(?::\d+)?(?:-\d+)?|#L(\d+)(?:C\d+)?(?:-L?\d+)?)?$/s.exec(text);
	const line = Number(match?.[2] ?? match?.[3] ?? 0);
	return { kind: 'file', path: match?.[1] ?? text, ...(line > 0 && { line }) };
}

/** Names without a folder count as files only with one of these endings: `console.log` is none. */
const FILE_ENDINGS = new Set(
	(
		'c cc cfg cjs cpp cs css csv cts dart env go gradle graphql h hpp htm html ini java js json jsonc jsx kt less lock lua ' +
		'md mjs mts php pl plist proto ps1 py r rb rs sass scala scss sh sql svelte svg swift tex toml ts tsx txt vue xml yaml yml zig'
	).split(' '),
);

/** @returns the file that inline code names, such as `src/a.ts:12`; null when it names none. */
export function fileInCode(code: string): LinkTarget | null {
	const match =
		/^((?:[a-z]:[\\/]|~\/|\/)?(?:[\w@.+-]+[\\/])*[\w@.+-]*\.?\w+)(?::\d+(?::\d+)?(?:-\d+)?|#L\d+(?:-L?\d+)?)?$/i.exec(
			code,
		);
	const path = match?.[1];
	if (path === undefined) {
		return null;
	}
	const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
	const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
	if (ending === undefined || !FILE_ENDINGS.has(ending) || name.includes('..')) {
		return null;
	}
	return fileTarget(code);
}

const NAMED: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: '\u00a0',
	copy: '©',
	hellip: '…',
	mdash: '—',
	ndash: '–',
	larr: '←',
	rarr: '→',
	times: '×',
};

/** Text tokens of the Markdown lexer still hold entities. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
	if (!text.includes('&')) {
		return text;
	}
	return text.replace(
		/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
		(whole, decimal?: string, hex?: string, name?: string) => {
			if (name !== undefined) {
				return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
			}
			const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
			return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
		},
	);
}
