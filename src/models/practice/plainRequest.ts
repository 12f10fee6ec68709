import { Quoting } from './quoting.ts';

/** What the practice model understands. */
export type PlainRequest =
	| { readonly kind: 'read'; readonly file: string; readonly from?: number; readonly to?: number }
	| { readonly kind: 'list'; readonly dir: string; readonly recursive: boolean }
	| { readonly kind: 'search'; readonly pattern: string; readonly dir: string | undefined }
	| { readonly kind: 'glob'; readonly pattern: string; readonly dir: string | undefined }
	| { readonly kind: 'run'; readonly command: string; readonly background: boolean }
	| {
			readonly kind: 'replace';
			readonly old: string;
			readonly new: string;
			readonly file: string;
			readonly all: boolean;
	  }
	| { readonly kind: 'write'; readonly file: string; readonly text: string; readonly overwrite: boolean }
	| { readonly kind: 'delete'; readonly file: string; readonly recursive: boolean }
	| { readonly kind: 'fetch'; readonly url: string }
	| { readonly kind: 'plan'; readonly todos: readonly string[] }
	| { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] }
	| { readonly kind: 'delegate'; readonly task: string }
	| { readonly kind: 'help' }
	| { readonly kind: 'unknown'; readonly text: string };

type Value = (argument: string | undefined) => string;
type Form = readonly [
	pattern: RegExp,
	read: (groups: Record<string, string | undefined>, value: Value) => PlainRequest[],
];

const one = (request: PlainRequest): PlainRequest[] => [request];
const items = (text: string | undefined, value: Value): string[] =>
	(text ?? '')
		.split(/\s*[,;]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+/)
		.map(value)
		.filter((each) => each !== '');

/** The forms, in order: the first that fits wins. Texts are masked by `Quoting`; an argument is a mark or bare words. */
const FORMS: readonly Form[] = [
	[/^(?:help|\?|what can you do|what do you (?:do|understand))\??$/i, () => one({ kind: 'help' })],
	[
		/^(?:fetch|download|curl|get|open|visit)\s+(?:the\s+)?(?:page\s+|url\s+|site\s+)?(?<url>https?:\/\/\S+|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app)(?:[/:?]\S*)?)$/i,
		({ url }, value) =>
			one({ kind: 'fetch', url: /^https?:/i.test(value(url)) ? value(url) : `https://${value(url)}` }),
	],
	[
		/^(?:fetch|download|curl)\s+(?<url>\S+)$/i,
		({ url }, value) =>
			one({ kind: 'fetch', url: /^https?:/i.test(value(url)) ? value(url) : `https://${value(url)}` }),
	],
	[
		/^(?:ls|list|show)(?:\s+me)?(?:\s+(?:all|the))*(?:\s+(?:files?|folders?|directory|dir|contents?|everything)\b(?:\s+(?:in|of|under))?(?:\s+the)?(?:\s+(?:folder|directory|workspace))?)(?:\s+(?<dir>\S+?))?(?<deep>\s+recursively)?$/i,
		({ dir, deep }, value) => one({ kind: 'list', dir: value(dir) || '.', recursive: deep !== undefined }),
	],
	[
		/^(?:ls|list)(?:\s+(?!recursively)(?<dir>\S+?)\/?)?(?<deep>\s+recursively)?$/i,
		({ dir, deep }, value) => one({ kind: 'list', dir: value(dir) || '.', recursive: deep !== undefined }),
	],
	[
		/^(?:read|show|open|print|cat)(?:\s+me)?\s+lines?\s+(?<from>\d+)(?:\s*(?:-|–|to)\s*(?<to>\d+))?\s+(?:of|in|from)\s+(?<file>\S+)$/i,
		({ from, to, file }, value) => one({ kind: 'read', file: value(file), from: Number(from), to: Number(to ?? from) }),
	],
	[
		/^(?:read|show|open|print|cat|display)(?:\s+me)?(?:\s+(?:the\s+)?(?:files?|contents?\s+of))*\s+(?<files>\S+(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)\S+)*)$/i,
		({ files }, value) => items(files, value).map((file) => ({ kind: 'read', file })),
	],
	[
		/^(?:find|list|glob)\s+(?:all\s+)?(?:files\s+)?(?:named\s+|like\s+|matching\s+)?(?<pattern>\S*[*?]\S*)(?:\s+files)?(?:\s+(?:in|under)\s+(?<dir>\S+))?$/i,
		({ pattern, dir }, value) => one({ kind: 'glob', pattern: value(pattern), dir: value(dir) || undefined }),
	],
	[
		/^(?:search|grep|find|look)(?:\s+for)?\s+(?<pattern>.+?)(?:\s+(?:in|under)\s+(?<dir>\S+))?$/i,
		({ pattern, dir }, value) => one({ kind: 'search', pattern: value(pattern), dir: value(dir) || undefined }),
	],
	[
		/^(?:run|execute)\s+(?:the\s+|my\s+|all\s+)?tests$/i,
		() => one({ kind: 'run', command: 'npm test', background: false }),
	],
	[
		/^(?:run|execute|\$)\s+(?:the\s+command:?\s+)?(?<command>[^]+?)(?<background>\s+in\s+(?:the\s+)?background)?$/i,
		({ command, background }, value) =>
			one({ kind: 'run', command: value(command), background: background !== undefined }),
	],
	[
		/^(?:replace|change|rename|swap)\s+(?<all>(?:all|every)\s+)?(?<old>.+?)\s+(?:with|by|to|for)\s+(?<new>.+?)\s+in\s+(?<file>\S+)(?<everywhere>\s+everywhere)?$/i,
		({ all, old, new: next, file, everywhere }, value) =>
			one({
				kind: 'replace',
				old: value(old),
				new: value(next),
				file: value(file),
				all: (all ?? everywhere) !== undefined,
			}),
	],
	[
		/^(?<verb>create|make|add|overwrite|write)\s+(?:a\s+|an\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:named\s+|called\s+)?(?<file>\S+)\s+(?:with|containing|saying)(?:\s+(?:the\s+)?(?:text|contents?))?:?\s+(?<text>[^]+)$/i,
		({ verb, file, text }, value) =>
			one({ kind: 'write', file: value(file), text: value(text), overwrite: verb?.toLowerCase() === 'overwrite' }),
	],
	[
		/^(?:write|put|save)\s+(?<text>[^]+?)\s+(?:to|into|in)\s+(?:the\s+)?(?:file\s+)?(?<file>\S+)$/i,
		({ file, text }, value) => one({ kind: 'write', file: value(file), text: value(text), overwrite: false }),
	],
	[
		/^(?:create|make|touch)\s+(?:a\s+|an\s+|the\s+)?(?:new\s+)?(?:empty\s+)?file\s+(?:named\s+|called\s+)?(?<file>\S+)$|^(?:create|touch)\s+(?<bare>\S+)$/i,
		({ file, bare }, value) => one({ kind: 'write', file: value(file ?? bare), text: '', overwrite: false }),
	],
	[
		/^(?:delete|remove|rm)\s+(?:the\s+)?(?:file\s+|(?<folder>(?:folder|directory|dir)\s+))?(?<file>\S+)(?<deep>\s+recursively|\s+and everything in it)?$/i,
		({ folder, file, deep }, value) =>
			one({ kind: 'delete', file: value(file), recursive: (folder ?? deep) !== undefined }),
	],
	[
		/^(?:todos?|to-?do(?:\s+list)?|(?:make\s+a\s+)?plan)(?:\s*:\s*|\s+)(?<todos>.+)$/i,
		({ todos }, value) => one({ kind: 'plan', todos: items(todos, value) }),
	],
	[
		/^ask\s+(?:me\s+)?(?<question>[^:]+?)(?:\s*:\s*(?<options>.+))?$/i,
		({ question, options }, value) =>
			one({ kind: 'ask', question: asQuestion(value(question)), options: items(options, value) }),
	],
	[
		/^delegate\s+(?:to\s+an?\s+(?:sub-?)?agent:?\s+)?(?<task>.+)$/i,
		({ task }, value) => one({ kind: 'delegate', task: value(task) }),
	],
];

/** Nobody types longer requests outside quotes; the forms above would take long to find that out. */
const MAX_CLAUSE = 1000;

/**
 * Finds the requests in a message: one each line, or joined by "then".
 * @returns at least one; a part that fits no form is `unknown`
 */
export function parsePlainRequests(message: string): PlainRequest[] {
	const quoting = new Quoting(message);
	const clauses = quoting.masked
		.split(
			/\s*\n+\s*|[,;.]?\s+(?:and\s+)?then\s+|\s*;\s*(?=(?:then\s+)?(?:read|show|list|run|replace|create|write|delete|fetch)\b)/i,
		)
		.map(tidy)
		.filter((clause) => clause !== '');
	const found = clauses.flatMap((clause) => parseClause(clause, quoting));
	return found.length > 0 ? found : [{ kind: 'unknown', text: message }];
}

function parseClause(clause: string, quoting: Quoting): PlainRequest[] {
	const value: Value = (argument) => (argument === undefined ? '' : quoting.value(argument));
	if (clause.length > MAX_CLAUSE) {
		return [{ kind: 'unknown', text: quoting.value(clause) }];
	}
	for (const [pattern, read] of FORMS) {
		const match = pattern.exec(clause);
		if (match) {
			return read(match.groups ?? {}, value);
		}
	}
	return [{ kind: 'unknown', text: quoting.value(clause) }];
}

/** Takes away list marks, courtesy and a final full stop; a dot that is a path stays. */
function tidy(clause: string): string {
	const bare = clause.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, '');
	const question = /^(?:please\s+)?(?:can|could|would|will) you\b/i.test(bare);
	return (question ? bare.replace(/\?$/, '') : bare)
		.replace(
			/^(?:(?:and|now|also|then|ok|please|kindly|first|finally|next|hey|hi)[,:]?\s+|(?:can|could|would|will) you\s+(?:please\s+)?|i want you to\s+|let's\s+)+/i,
			'',
		)
		.replace(/,?\s+(?:please|for me|now|thanks|thank you)(?=[.!?]*$)/i, '')
		.replace(/(?<=[^\s.])[.!]$/, '')
		.replace(/^(read|show|list|search|find|run|execute|fetch|create|delete|delegate):\s+/i, '$1 ')
		.trim();
}

const asQuestion = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\?$/, '')}?`;
