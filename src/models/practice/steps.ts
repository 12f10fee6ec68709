import type { PlainRequest } from './plainRequest.ts';
import { DELEGATE_TEXT, helpText, unknownText } from './texts.ts';

/** One thing to do: call a tool, after a sentence that says so; or only say something, which ends the requests. */
export type Step =
	| {
			readonly type: 'call';
			readonly tool: string;
			readonly args: Readonly<Record<string, unknown>>;
			readonly intro: string;
	  }
	| { readonly type: 'say'; readonly text: string };

const call = (tool: string, args: Readonly<Record<string, unknown>>, intro: string): Step => ({
	type: 'call',
	tool,
	args,
	intro,
});
const optional = (name: string, value: unknown) => (value === undefined || value === false ? {} : { [name]: value });

/** @returns what to do for a request, in order */
export function stepsFor(request: PlainRequest): Step[] {
	switch (request.kind) {
		case 'read':
		case 'list':
		case 'search':
		case 'glob':
			return [lookStep(request)];
		case 'replace':
			return replaceSteps(request);
		case 'write':
			return [writeStep(request)];
		case 'delete': {
			const args = { file_path: request.file, ...optional('recursive', request.recursive) };
			return [call('Delete', args, `I will delete \`${request.file}\`.`)];
		}
		case 'run': {
			const args = { command: request.command, ...optional('background', request.background) };
			return [
				call('Bash', args, `I will run \`${request.command}\`${request.background ? ' in the background' : ''}.`),
			];
		}
		case 'fetch': {
			const intro = `I will fetch ${request.url} with curl. It goes through this session's egress proxy, which may ask you.`;
			return [call('Bash', { command: `curl -sS ${shellWord(request.url)}` }, intro)];
		}
		case 'plan':
			return [planStep(request.todos)];
		case 'ask': {
			const { question, options } = request;
			return [call('AskUser', { question, ...(options.length > 0 && { options }) }, 'I have a question for you.')];
		}
		case 'delegate':
			return [call('InvokeAgent', { prompt: request.task }, `I will give this to a sub-agent: ${request.task}`)];
		case 'help':
			return [{ type: 'say', text: helpText() }];
		case 'unknown':
			return [{ type: 'say', text: unknownText() }];
	}
}

type Request<K extends PlainRequest['kind']> = Extract<PlainRequest, { kind: K }>;

function lookStep(request: Request<'read' | 'list' | 'search' | 'glob'>): Step {
	switch (request.kind) {
		case 'read': {
			const { file, from, to } = request;
			const range = from !== undefined &&
				to !== undefined && { start_line: from, num_lines: Math.max(1, to - from + 1) };
			return call('Read', { file_path: file, ...range }, `I will read \`${file}\`.`);
		}
		case 'list': {
			const what = request.dir === '.' ? 'the workspace' : `\`${request.dir}\``;
			return call('List', { path: request.dir, ...optional('recursive', request.recursive) }, `I will list ${what}.`);
		}
		case 'search': {
			const where = request.dir === undefined ? '' : ` in \`${request.dir}\``;
			const args = { pattern: escapeRegExp(request.pattern), ...optional('path', request.dir) };
			return call('Grep', args, `I will search for \`${request.pattern}\`${where}.`);
		}
		case 'glob': {
			const args = { pattern: request.pattern, ...optional('path', request.dir) };
			return call('Glob', args, `I will look for files like \`${request.pattern}\`.`);
		}
	}
}

/** Edit wants to have seen the file. */
function replaceSteps({ file, old, new: next, all }: Request<'replace'>): Step[] {
	const replacements = [{ old_str: old, new_str: next, ...optional('replace_all', all) }];
	return [
		call('Read', { file_path: file }, `I will read \`${file}\` first.`),
		call('Edit', { file_path: file, replacements }, `Now I will replace \`${old}\` with \`${next}\` in it.`),
	];
}

function writeStep({ file, text, overwrite }: Request<'write'>): Step {
	const content = text === '' || text.endsWith('\n') ? text : `${text}\n`;
	const args = { file_path: file, content, ...optional('overwrite', overwrite) };
	return call('Write', args, `I will write \`${file}\`.`);
}

function planStep(contents: readonly string[]): Step {
	const todos = contents.map((content, index) => ({
		content,
		status: index === 0 ? 'in_progress' : 'pending',
		priority: 'medium',
	}));
	return call('TodoWrite', { todos }, 'I will note the plan.');
}

/** @returns what to say where a tool is not among those that were offered */
export function notOffered(tool: string): string {
	return tool === 'InvokeAgent'
		? DELEGATE_TEXT
		: `I cannot do that here: the tool \`${tool}\` is not offered to me in this session. In plan mode only reading is.`;
}

/** Safe as one word of a POSIX shell. */
function shellWord(text: string): string {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
