import { z } from 'zod';
import { parsePlainRequests } from './plainRequest.ts';
import { reportOn, type Report } from './report.ts';
import { notOffered, stepsFor, type Step } from './steps.ts';

const MessageSchema = z.discriminatedUnion('role', [
	z.object({ role: z.literal('system'), content: z.string() }),
	z.object({ role: z.literal('user'), content: z.string() }),
	z.object({
		role: z.literal('assistant'),
		content: z.string().nullish(),
		tool_calls: z.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) })).optional(),
	}),
	z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
/** The part of a chat completions request that the practice model looks at. */
export const PracticeRequestSchema = z.object({
	messages: z.array(MessageSchema),
	tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});
export type PracticeRequest = z.infer<typeof PracticeRequestSchema>;
type Message = PracticeRequest['messages'][number];

/** What the practice model answers: a text, and perhaps one tool call. */
export interface PracticeReply {
	readonly text: string;
	readonly call: { readonly name: string; readonly args: string } | undefined;
}

/**
 * Answers as a model would, from the request alone: it finds out from the messages of the running turn what was asked,
 * what is done, and what comes next.
 */
export function replyTo(request: PracticeRequest): PracticeReply {
	const offered = new Set(request.tools.map((tool) => tool.function.name));
	const { report, next, left } = replay(request.messages);
	const before = report === undefined ? '' : report.text;
	if (report?.ok === false) {
		const rest = left > 0 ? ' I leave out what was to follow.' : '';
		const steered = next ? `\n\n${introOf(next, offered)}` : '';
		return { text: `${before}${rest}${steered}`, call: callOf(next, offered) };
	}
	const text = next ? introOf(next, offered) : before === '' ? 'There is nothing left to do.' : '';
	return { text: [before, text].filter(Boolean).join('\n\n'), call: callOf(next, offered) };
}

function introOf(step: Step, offered: ReadonlySet<string>): string {
	if (step.type === 'say') {
		return step.text;
	}
	return offered.has(step.tool) ? step.intro : notOffered(step.tool);
}

function callOf(step: Step | undefined, offered: ReadonlySet<string>): PracticeReply['call'] {
	return step?.type === 'call' && offered.has(step.tool)
		? { name: step.tool, args: JSON.stringify(step.args) }
		: undefined;
}

interface Progress {
	/** On the newest message, where that is a tool's result. */
	readonly report: Report | undefined;
	readonly next: Step | undefined;
	/** Steps that a failure has made pointless. */
	readonly left: number;
}

/** Goes through the turn again: each user message brings steps, each result takes the first of them. */
function replay(messages: readonly Message[]): Progress {
	let queue: Step[][] = [];
	let report: Report | undefined;
	let left = 0;
	for (const message of currentTurn(messages)) {
		report = undefined;
		if (message.role === 'user') {
			queue.push(parsePlainRequests(message.content).flatMap(stepsFor));
		} else if (message.role === 'tool') {
			const [group = []] = queue;
			const step = group.shift();
			if (step?.type === 'call') {
				report = reportOn(step, message.content);
			}
			left = report?.ok === false ? group.length : 0;
			if (report?.ok === false) {
				queue = queue.slice(1);
			}
		}
		queue = queue.filter((group) => group.length > 0);
	}
	return { report, next: queue[0]?.[0], left };
}

/**
 * The messages after the last answer without a tool call. Of several user messages at its start only the last counts:
 * the others belong to turns that were interrupted before the model said anything.
 */
function currentTurn(messages: readonly Message[]): readonly Message[] {
	const turn = messages.slice(
		messages.findLastIndex((each) => each.role === 'assistant' && (each.tool_calls ?? []).length === 0) + 1,
	);
	const start = turn.findIndex((each) => each.role === 'user');
	const end = turn.findIndex((each, index) => index > start && each.role !== 'user');
	const leading = end === -1 ? turn.length : end;
	return turn.slice(Math.max(0, leading - 1));
}
