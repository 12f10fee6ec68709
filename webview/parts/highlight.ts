import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { codeParts, type CodePart } from './highlightParts.ts';

/** Characters above which code stays plain: 20 kB take about 14 ms (spec/libraries.md), a frame has 16. */
const LIMIT = 20_000;

const LANGUAGES = {
	bash,
	cpp,
	css,
	diff,
	go,
	java,
	javascript,
	json,
	markdown,
	python,
	rust,
	sql,
	typescript,
	xml,
	yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) {
	hljs.registerLanguage(name, language);
}
hljs.registerAliases(['shell', 'console', 'shellsession'], { languageName: 'bash' });
hljs.registerAliases(['jsonc', 'json5'], { languageName: 'json' });
hljs.registerAliases(['vue', 'svelte'], { languageName: 'xml' });

/** @param language as it stands after the fence; unknown ones and long code give one plain part. */
export function highlight(code: string, language: string): readonly CodePart[] {
	if (code.length > LIMIT || hljs.getLanguage(language) === undefined) {
		return [{ text: code, scope: '' }];
	}
	return codeParts(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}
