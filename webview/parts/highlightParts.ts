/** A piece of highlighted code. `scope` is the highlighter's class names, empty for plain text. */
export interface CodePart {
	readonly text: string;
	readonly scope: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#x27;': "'",
};

/**
 * Reads the highlighter's output, which is text with `<span class="...">` and five entities, into parts to be drawn as
 * nodes, so that no HTML is ever given to the page.
 */
export function codeParts(html: string): CodePart[] {
	const parts: CodePart[] = [];
	const scopes: string[] = [];
	for (const match of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
		const [, opened, closed, text] = match;
		if (opened !== undefined) {
			scopes.push(opened);
		} else if (closed !== undefined) {
			scopes.pop();
		} else if (text !== undefined) {
			parts.push({
				text: text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity),
				scope: scopes.join(' '),
			});
		}
	}
	return parts;
}
