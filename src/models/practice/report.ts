import type { Step } from './steps.ts';

type Call = Extract<Step, { type: 'call' }>;

/** What the practice model makes of a tool's result. */
export interface Report {
	/** False: what was to follow is left out. */
	readonly ok: boolean;
	/** One or two plain sentences, perhaps with a piece of what was found. */
	readonly text: string;
}

const SHOWN_LINES = 8;
/**
 * How the result of each tool begins when it did what it should: the model is told no more than the text.
 * test/unit/models/practice/realTools.test.ts keeps this true.
 */
const SUCCESS: Readonly<Record<string, RegExp>> = {
	Read: /^\d+\t|is unchanged since|^\(?The file is empty|^\(?Lines \d/,
	List: /^.* \(\d+ /,
	Grep: /^.+:\d+:|^No matches/,
	Glob: /^(?!.*(does not exist|failed:|is not a directory))/,
	Edit: /^(Edited|No change)/,
	Write: /^(Created|Overwrote|No change)/,
	Delete: /^Deleted/,
	TodoWrite: /^The plan/,
	AskUser: /^The user (answers|gave)/,
};

/** @param output the result as the model is told it */
export function reportOn(call: Call, output: string): Report {
	return refusal(call, output) ?? result(call, output.trim());
}

/** The texts are those of the engine's approvals and interrupts. */
function refusal(call: Call, output: string): Report | undefined {
	if (/^the user denied/i.test(output)) {
		const feedback = /The user says: ([^]*?)\s*Do not try the same/.exec(output)?.[1] ?? '';
		const said = feedback === '' ? 'You denied it' : `You denied it and said: "${feedback}"`;
		return { ok: false, text: `${said}. So I will not ${deed(call)}.` };
	}
	if (/^blocked/i.test(output)) {
		const why = output.replace(/^blocked[^.]*\.\s*/i, '').replace(/\s*Do not try[^]*$/, '');
		return { ok: false, text: `It was blocked, and not done. ${why}`.trim() };
	}
	if (/^interrupted/i.test(output)) {
		return { ok: false, text: 'It was interrupted before it finished.' };
	}
	return undefined;
}

function result(call: Call, output: string): Report {
	if (call.tool === 'Bash') {
		return commandReport(call, output);
	}
	if (SUCCESS[call.tool]?.test(output) === false) {
		return { ok: false, text: `That did not work: ${sentence(output.slice(0, 600))}` };
	}
	return { ok: true, text: success(call, output) };
}

function success(call: Call, output: string): string {
	switch (call.tool) {
		case 'Read':
			return /^\d+\t/.test(output)
				? `I read \`${String(call.args.file_path)}\`. It begins with:\n\n${excerpt(output.replace(/^\d+\t/gm, ''))}`
				: `I read \`${String(call.args.file_path)}\`. ${sentence(output)}`;
		case 'List':
		case 'Glob':
		case 'Grep':
			return output.startsWith('No ') ? `I found nothing. ${output}` : `This is what I found:\n\n${excerpt(output)}`;
		case 'Edit':
		case 'Write':
			return `${sentence(output)} The card above shows the difference.`;
		case 'AskUser':
			return output.startsWith('The user gave') ? 'You gave no answer.' : `Thank you. ${sentence(output)}`;
		case 'Delete':
		case 'TodoWrite':
			return sentence(output);
		default:
			return `The result:\n\n${excerpt(output)}`;
	}
}

/** The first line says how the command ended, the rest is notes and output. */
function commandReport(call: Call, output: string): Report {
	const command = `\`${String(call.args.command)}\``;
	const [how = '', ...rest] = output.split('\n');
	const body = rest.join('\n').trim();
	const detail = body === '' || body === '(no output)' ? '' : `\n\n${excerpt(body)}`;
	const code = /^Exit code: (-?\d+)/.exec(how)?.[1];
	if (code === '0') {
		return { ok: true, text: `${command} ended well (exit code 0).${detail}` };
	}
	if (code !== undefined) {
		return { ok: false, text: `${command} failed with exit code ${code}.${detail}` };
	}
	if (how.startsWith('Running')) {
		return { ok: true, text: `${command} runs in the background now. You can stop it in the panel.` };
	}
	return how.startsWith('Ended')
		? { ok: false, text: `${command} did not get to its end.${detail}` }
		: { ok: false, text: `That did not work: ${sentence(output.slice(0, 600))}` };
}

function deed(call: Call): string {
	switch (call.tool) {
		case 'Bash':
			return `run \`${String(call.args.command)}\``;
		case 'Edit':
			return `change \`${String(call.args.file_path)}\``;
		case 'Write':
			return `write \`${String(call.args.file_path)}\``;
		case 'Delete':
			return `delete \`${String(call.args.file_path)}\``;
		default:
			return 'do it';
	}
}

const sentence = (text: string): string => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** The first lines as a code block, whose fence is longer than any in the text. */
function excerpt(text: string): string {
	const lines = text.split('\n');
	const more = lines.length - SHOWN_LINES;
	const shown = lines.slice(0, more > 1 ? SHOWN_LINES : SHOWN_LINES + 1).map((line) => line.slice(0, 200));
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}text\n${shown.join('\n')}\n${fence}${more > 1 ? `\n\nand ${more} lines more.` : ''}`;
}
