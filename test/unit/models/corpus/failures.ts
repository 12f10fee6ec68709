import { sse, say, end, start, more, DONE, type StreamCase } from './streamCase.ts';

export const FAILED_STREAMS: readonly StreamCase[] = [
	{
		name: 'no finish reason',
		sse: sse(say('Hi'), DONE),
		text: 'Hi',
		error: ['stream', /before the model had finished/],
	},
	{
		name: 'no finish reason after a call',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), DONE),
		error: ['stream', /before the model had finished/],
	},
	{
		name: 'no finish reason in the second call: the first stays',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), start(1, 'b', 'List', '{"p":2}')),
		calls: ['a Read {"p":1}'],
		error: ['stream', /before the model had finished/],
	},
	{ name: 'an empty stream', sse: '', error: ['stream', /without sending anything/] },
	{ name: '[DONE] alone', sse: sse(DONE), error: ['stream', /without sending anything/] },
	{
		name: 'cut JSON reported as tool_calls (hermes PR#7693)',
		sse: sse(start(0, 'a', 'Write', '{"content":"ab'), end('tool_calls')),
		error: ['stream', /arguments of Write are not complete/],
	},
	{
		name: 'a call without a name',
		sse: sse(start(0, 'a', undefined, '{}'), end('tool_calls')),
		error: ['stream', /no name/],
	},
	{
		name: 'a call that goes on after its end',
		sse: sse(
			start(0, 'a', 'Read', '{}'),
			start(1, 'b', 'List', '{"p":1}'),
			start(2, 'c', 'List', '{"p":2}'),
			more(1, '{"p":3}'),
			end('tool_calls'),
		),
		calls: ['a Read {}', 'b List {"p":1}'],
		error: ['stream', /List went on after its end/],
	},
	{
		name: 'a chunk that is no JSON',
		sse: sse(say('Hi'), '{"choices":[{"delta":', end()),
		text: 'Hi',
		error: ['stream', /broke while the answer came in/],
	},
	{
		name: 'a chunk that is no object',
		sse: sse(say('Hi'), '"oops"', end()),
		text: 'Hi',
		error: ['stream', /not part of a chat completion/],
	},
	{
		name: 'finish reason error (OpenRouter)',
		sse: sse(say('Hi'), end('error')),
		text: 'Hi',
		error: ['stream', /gave up \(error\)/],
	},
	{
		name: 'an error object in mid stream',
		sse: sse(say('Hi'), { error: { message: 'The engine died', type: 'server_error' } }),
		text: 'Hi',
		error: ['server', /The engine died/],
	},
	{
		name: 'an error text in mid stream',
		sse: sse(say('Hi'), { error: 'CUDA out of memory' }),
		text: 'Hi',
		error: ['server', /CUDA out of memory/],
	},
	{
		name: 'an error event',
		sse: `event: error\n${sse({ error: { message: 'Overloaded', type: 'overloaded_error' } })}`,
		error: ['server', /Overloaded/],
	},
	{
		name: 'a rate limit in mid stream',
		sse: sse(say('Hi'), { error: { code: 429, message: 'Provider returned error' } }),
		text: 'Hi',
		error: ['rateLimited', /Provider returned error/],
	},
	{
		name: 'an overflow in mid stream (llama.cpp)',
		sse: sse({
			error: {
				code: 400,
				message: 'the request exceeds the available context size. try increasing it',
				type: 'exceed_context_size_error',
			},
		}),
		error: ['contextOverflow', /available context size/],
	},
	{
		name: 'an error beside a choice (OpenRouter)',
		sse: sse({
			choices: [{ delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'Upstream died' } }],
		}),
		error: ['server', /Upstream died/],
	},
	{
		name: 'an error as vLLM wrote it',
		sse: sse({ object: 'error', message: 'bad thing', type: 'BadRequestError', code: 400 }),
		error: ['server', /bad thing/],
	},
	{
		name: 'an error object with status 200',
		sse: JSON.stringify({ error: { message: 'Insufficient credits', code: 402 } }),
		error: ['usageLimit', /Insufficient credits/],
	},
	{
		name: 'a web page with status 200',
		sse: '<!DOCTYPE html><html><body>Log in</body></html>',
		error: ['network', /Test server \(http:\/\/test\.invalid\/v1\) answered with a web page/],
	},
	{ name: 'damaged JSON in one piece', sse: '{"choices": [', error: ['network', /neither JSON nor an event stream/] },
];
