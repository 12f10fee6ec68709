import { setTimeout as wait } from 'node:timers/promises';
import { PracticeRequestSchema, replyTo, type PracticeReply } from './conversation.ts';
import { PRACTICE_MODEL } from './practiceModel.ts';

export interface PracticeOptions {
	/** Milliseconds between two words, so that a newcomer sees an answer grow. Default 15. */
	readonly paceMs?: number | undefined;
}

/**
 * The practice model as a `fetch`: it answers `/chat/completions` with the bytes that OpenAI would stream, and
 * `/models`, in this process, so that it takes the same way as a real model.
 */
export function createPracticeFetch(options: PracticeOptions = {}): typeof fetch {
	const paceMs = options.paceMs ?? 15;
	return async (input, init) => {
		const url = input instanceof Request ? input.url : input.toString();
		if (url.endsWith('/models')) {
			return json(200, { object: 'list', data: [{ id: PRACTICE_MODEL, object: 'model', owned_by: 'belay' }] });
		}
		const body = await new Response(init?.body ?? null).text();
		const request = PracticeRequestSchema.safeParse(parseJson(body));
		if (!url.endsWith('/chat/completions') || !request.success) {
			return json(400, { error: { message: 'The practice model does not understand this request.' } });
		}
		init?.signal?.throwIfAborted();
		const events = sseEvents(replyTo(request.data), Math.ceil(body.length / 4));
		return new Response(paced(events, paceMs, init?.signal ?? undefined), {
			headers: { 'content-type': 'text/event-stream' },
		});
	};
}

/** Each event after `paceMs`, and an error as soon as the request is aborted. */
function paced(events: Iterator<string>, paceMs: number, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream<Uint8Array>(
		{
			pull: async (controller) => {
				if (paceMs > 0) {
					await wait(paceMs, undefined, signal && { signal });
				}
				signal?.throwIfAborted();
				const next = events.next();
				if (next.done) {
					controller.close();
				} else {
					controller.enqueue(encoder.encode(next.value));
				}
			},
		},
		{ highWaterMark: 0 },
	);
}

function* sseEvents(reply: PracticeReply, promptTokens: number): Generator<string> {
	const head = { id: 'chatcmpl-practice', object: 'chat.completion.chunk', created: 0, model: PRACTICE_MODEL };
	const choice = (delta: object, finish: string | null = null) =>
		sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
	// The first of them tells the role, as OpenAI's does.
	yield choice({ role: 'assistant', content: '' });
	for (const [word] of reply.text.matchAll(/\s*\S+/g)) {
		yield choice({ content: word });
	}
	if (reply.call) {
		const { name, args } = reply.call;
		// Ids only have to differ within a session: they count what was said so far.
		const id = `call_practice_${promptTokens}_${args.length}`;
		yield choice({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] });
		yield choice({ tool_calls: [{ index: 0, function: { arguments: args } }] });
	}
	yield choice({}, reply.call ? 'tool_calls' : 'stop');
	const completion = Math.ceil((reply.text.length + (reply.call?.args.length ?? 0)) / 4);
	yield sse({
		...head,
		choices: [],
		usage: { prompt_tokens: promptTokens, completion_tokens: completion, total_tokens: promptTokens + completion },
	});
	yield 'data: [DONE]\n\n';
}

const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const json = (status: number, value: unknown): Response =>
	new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
