import { once } from 'node:events';
import { createServer } from 'node:net';
import { ModelError, type ModelEvent, type ModelRequest, type ModelToolCall } from '../../../src/engine/ports/index.ts';
import { ChatCompletionsClient, type ChatCompletionsOptions } from '../../../src/models/index.ts';
import type { Usage } from '../../../src/protocol/index.ts';

export const request = (extra: Partial<ModelRequest> = {}): ModelRequest => ({
	model: 'scripted',
	system: 'You are a test.',
	history: [{ role: 'user', text: 'hi' }],
	tools: [],
	cacheKey: 'session-1',
	...extra,
});

export const live = (): AbortSignal => new AbortController().signal;

/** What came out of a stream, in short: texts joined, the end either a reason or an error. */
export interface Seen {
	readonly text: string;
	readonly reasoning: string;
	readonly calls: readonly ModelToolCall[];
	readonly usage: Usage | undefined;
	readonly finish: string | undefined;
	readonly error: ModelError | undefined;
	readonly events: readonly ModelEvent[];
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<Seen> {
	const all: ModelEvent[] = [];
	let error: ModelError | undefined;
	try {
		for await (const event of events) {
			all.push(event);
		}
	} catch (thrown) {
		if (!(thrown instanceof ModelError)) {
			throw thrown;
		}
		error = thrown;
	}
	const of = <T extends ModelEvent['type']>(type: T) =>
		all.filter((event): event is Extract<ModelEvent, { type: T }> => event.type === type);
	return {
		text: of('textDelta')
			.map((each) => each.text)
			.join(''),
		reasoning: of('reasoningDelta')
			.map((each) => each.text)
			.join(''),
		calls: of('toolCall').map((each) => each.call),
		usage: of('usage').at(-1)?.usage,
		finish: of('finished').at(-1)?.reason,
		error,
		events: all,
	};
}

export const clientFor = (baseUrl: string, options: Partial<ChatCompletionsOptions> = {}): ChatCompletionsClient => {
	let made = 0;
	return new ChatCompletionsClient({ label: 'Test server', baseUrl, makeId: () => `made_${++made}`, ...options });
};

/** A fetch that answers with these pieces of an event stream, each as one chunk. */
export function streamFetch(pieces: readonly (string | Uint8Array)[]): typeof fetch {
	return () => {
		const encoder = new TextEncoder();
		const body = new ReadableStream<Uint8Array>({
			start: (controller) => {
				for (const piece of pieces) {
					controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
				}
				controller.close();
			},
		});
		return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
	};
}

export const runStream = (pieces: readonly (string | Uint8Array)[]): Promise<Seen> =>
	collect(clientFor('http://test.invalid/v1', { fetch: streamFetch(pieces) }).stream(request(), live()));

/** A port of this machine at which nothing listens. */
export async function closedPort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as { port: number };
	server.close();
	await once(server, 'close');
	return port;
}
