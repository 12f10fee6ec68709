import assert from 'node:assert/strict';
import type { StreamCase } from './corpus/streamCase.ts';
import { STREAM_CASES } from './corpus/streams.ts';
import { runStream, type Seen } from './harness.ts';

/** A stream's outcome in the shape of a case. */
function outcome(seen: Seen): Omit<StreamCase, 'name' | 'sse' | 'error'> {
	const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = seen.usage ?? {};
	return {
		text: seen.text,
		reasoning: seen.reasoning,
		calls: seen.calls.map((call) => `${call.callId} ${call.name} ${call.args}`),
		...(seen.usage && { usage: [inputTokens!, cachedInputTokens!, outputTokens!, reasoningTokens!] as const }),
		...(seen.finish && { finish: seen.finish as NonNullable<StreamCase['finish']> }),
	};
}

function check(seen: Seen, expected: StreamCase): void {
	const { text = '', reasoning = '', calls = [], usage, finish, error } = expected;
	assert.deepEqual(outcome(seen), { text, reasoning, calls, ...(usage && { usage }), ...(finish && { finish }) });
	assert.equal(seen.error?.code, error?.[0], seen.error?.message);
	if (error) {
		assert.match(seen.error?.message ?? '', error[1]);
		assert.equal(seen.finish, undefined);
	} else {
		assert.equal(seen.events.at(-1)?.type, 'finished');
	}
}

describe('streams of real servers', () => {
	for (const each of STREAM_CASES) {
		it(each.name, async () => check(await runStream([each.sse]), each));
	}

	it('come out the same byte by byte', async () => {
		const encoder = new TextEncoder();
		for (const each of STREAM_CASES) {
			check(await runStream(Array.from(encoder.encode(each.sse), (byte) => Uint8Array.of(byte))), each);
		}
	});

	it('gives a call out when the next one starts, before the answer ends', async () => {
		const twoCalls = STREAM_CASES.find(({ name }) => name === 'two calls')!;
		const order = (await runStream([twoCalls.sse])).events.map((event) =>
			event.type === 'toolCallDelta' ? `${event.type} ${event.index}` : event.type,
		);
		assert.ok(order.indexOf('toolCall') < order.indexOf('toolCallDelta 1'), order.join());
	});

	it('tells of a broken stream that it can be tried again', async () => {
		const cut = STREAM_CASES.find(({ name }) => name === 'no finish reason')!;
		assert.equal((await runStream([cut.sse])).error?.retryable, true);
	});
});
