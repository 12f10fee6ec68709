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
/** How results of tools that could not do it begin. */
const FAILED =
	/^\W*(error|fail|cannot|can't|could not|couldn't|unable|invalid|not found|no such|does not exist|unknown|refused|there is no)|\b(does not exist|doesn't exist|already exists|was not (found|changed|written|deleted|edited)|not found|nothing was (changed|written|deleted)|no such file|is a directory|not a directory|is not a (file|directory))\b/i;

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
	const [first = ''] = output.split('\n');
	if (FAILED.test(call.tool === 'Read' || call.tool === 'Grep' ? first.slice(0, 120) : first)) {
		return { ok: false, text: `That did not work: ${sentence(output.slice(0, 600))}` };
	}
	const file = `\`${String(call.args.file_path)}\``;
	switch (call.tool) {
		case 'Read':
			return { ok: true, text: `I read ${file}. It begins with:\n\n${excerpt(output)}` };
		case 'List':
		case 'Glob':
		case 'Grep':
			return { ok: true, text: output === '' ? 'I found nothing.' : `This is what I found:\n\n${excerpt(output)}` };
		case 'Edit':
			return { ok: true, text: `I changed ${file}. You can see the diff above, and undo it.` };
		case 'Write':
			return { ok: true, text: `I wrote ${file}.` };
		case 'Delete':
			return { ok: true, text: `I deleted ${file}.` };
		case 'TodoWrite':
			return { ok: true, text: 'The plan is noted.' };
		case 'AskUser':
			return { ok: true, text: output === '' ? 'You gave no answer.' : `Thank you. Your answer: ${sentence(output)}` };
		default:
			return { ok: true, text: `The result:\n\n${excerpt(output)}` };
	}
}

function commandReport(call: Call, output: string): Report {
	const command = `\`${String(call.args.command)}\``;
	if (call.args.background === true) {
		return { ok: true, text: `${command} runs in the background now: you can stop it in the panel.` };
	}
	const code = /exit(?:ed)?(?: with)?(?: code| status)?:?\s*(-?\d+)/i.exec(output)?.[1];
	const detail = output === '' ? '' : `\n\n${excerpt(output)}`;
	if (/timed out/i.test(output.split('\n').slice(0, 3).join('\n'))) {
		return { ok: false, text: `${command} took too long and was stopped.${detail}` };
	}
	if (code === undefined) {
		return { ok: !FAILED.test(output.slice(0, 120)), text: `${command} has ended.${detail}` };
	}
	return code === '0'
		? { ok: true, text: `${command} ended well (exit code 0).${detail}` }
		: { ok: false, text: `${command} failed with exit code ${code}.${detail}` };
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
