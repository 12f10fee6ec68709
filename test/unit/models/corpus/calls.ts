import { sse, delta, say, end, call, start, more, usage, type StreamCase } from './streamCase.ts';

export const CALL_STREAMS: readonly StreamCase[] = [
	{
		name: 'one call in pieces',
		sse: sse(start(0, 'a', 'Read'), more(0, '{"file_'), more(0, 'path":"x"}'), end('tool_calls')),
		calls: ['a Read {"file_path":"x"}'],
		finish: 'toolCalls',
	},
	{
		name: 'two calls',
		sse: sse(start(0, 'a', 'Read'), more(0, '{"p":1}'), start(1, 'b', 'List'), more(1, '{"p":2}'), end('tool_calls')),
		calls: ['a Read {"p":1}', 'b List {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'two calls in one chunk',
		sse: sse(
			delta({
				tool_calls: [
					{ index: 0, id: 'a', function: { name: 'Read', arguments: '{"p":1}' } },
					{ index: 1, id: 'b', function: { name: 'List', arguments: '{"p":2}' } },
				],
			}),
			end('tool_calls'),
		),
		calls: ['a Read {"p":1}', 'b List {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'pieces of two calls mixed',
		sse: sse(
			start(0, 'a', 'Read'),
			start(1, 'b', 'List'),
			more(0, '{"p":'),
			more(1, '{"p":'),
			more(0, '1}'),
			more(1, '2}'),
			end('tool_calls'),
		),
		calls: ['a Read {"p":1}', 'b List {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'finish reason stop after a call (Ollama)',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), end('stop')),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'a call in the chunk of the finish reason',
		sse: sse(delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } }] }, 'tool_calls')),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'no index (term-llm PR#314)',
		sse: sse(
			start(undefined, 'a', 'Read'),
			more(undefined, '{"p"'),
			more(undefined, ':1}'),
			start(undefined, 'b', 'List'),
			more(undefined, '{"p":2}'),
			end('tool_calls'),
		),
		calls: ['a Read {"p":1}', 'b List {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'no index, the id again in each piece',
		sse: sse(start(undefined, 'a', undefined, '{"p"'), start(undefined, 'a', 'Read', ':1}'), end('tool_calls')),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'index as a text',
		sse: sse(
			call({ index: '0', id: 'a', function: { name: 'Read', arguments: '{' } }),
			call({ index: '0', function: { arguments: '}' } }),
			end('tool_calls'),
		),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'all calls numbered 0 (Gemini)',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), start(0, 'b', 'List', '{"p":2}'), end('stop')),
		calls: ['a Read {"p":1}', 'b List {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'all calls numbered 0, the same tool',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), start(0, 'b', 'Read', '{"p":2}'), end('stop')),
		calls: ['a Read {"p":1}', 'b Read {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'all calls numbered 0, without ids',
		sse: sse(start(0, undefined, 'Read', '{"p":1}'), start(0, undefined, 'Read', '{"p":2}'), end('stop')),
		calls: ['made_1 Read {"p":1}', 'made_2 Read {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'numbers that begin with 1',
		sse: sse(start(1, 'a', 'Read'), more(1, '{}'), end('tool_calls')),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'id only in the first piece (codex#7517)',
		sse: sse(
			start(0, 'a', 'Read'),
			call({ index: 0, id: '', function: { name: '', arguments: '{}' } }),
			end('tool_calls'),
		),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'id in a later piece',
		sse: sse(start(0, undefined, 'Read'), start(0, 'a', undefined, '{}'), end('tool_calls')),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'no id (continue#13225)',
		sse: sse(start(0, undefined, 'Read'), more(0, '{}'), end('tool_calls')),
		calls: ['made_1 Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'null id and name in later pieces',
		sse: sse(
			start(0, 'a', 'Read'),
			call({ index: 0, id: null, type: null, function: { name: null, arguments: '{}' } }),
			end('tool_calls'),
		),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'another id in each piece',
		sse: sse(start(0, 'a', 'Read'), start(0, 'b', 'Read', '{"p"'), start(0, 'c', 'Read', ':1}'), end('tool_calls')),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'one id for two calls',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), start(1, 'a', 'List', '{"p":2}'), end('tool_calls')),
		calls: ['a Read {"p":1}', 'made_1 List {"p":2}'],
		finish: 'toolCalls',
	},
	{
		name: 'the name again in each piece',
		sse: sse(
			start(0, 'a', 'Read'),
			start(0, 'a', 'Read', '{"p"'),
			start(0, undefined, 'Read', ':1}'),
			end('tool_calls'),
		),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'the name again after the arguments',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), start(0, undefined, 'Read', ''), end('tool_calls')),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'the name in pieces',
		sse: sse(start(0, 'a', 'Re'), start(0, undefined, 'ad'), more(0, '{}'), end('tool_calls')),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'the name growing',
		sse: sse(start(0, 'a', 'Re'), start(0, undefined, 'Read'), more(0, '{}'), end('tool_calls')),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'no arguments at all',
		sse: sse(start(0, 'a', 'List'), end('tool_calls')),
		calls: ['a List {}'],
		finish: 'toolCalls',
	},
	{
		name: 'blank and null arguments',
		sse: sse(start(0, 'a', 'List', null), more(0, '  '), end('tool_calls')),
		calls: ['a List {}'],
		finish: 'toolCalls',
	},
	{
		name: 'arguments as an object',
		sse: sse(start(0, 'a', 'Read', { p: 1 }), end('tool_calls')),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'an empty object before the arguments',
		sse: sse(start(0, 'a', 'Read', '{}'), more(0, '{"p"'), more(0, ':1}'), end('tool_calls')),
		calls: ['a Read {"p":1}'],
		finish: 'toolCalls',
	},
	{
		name: 'arguments encoded twice',
		sse: sse(start(0, 'a', 'Read', JSON.stringify('{"p":"x"}')), end('tool_calls')),
		calls: ['a Read {"p":"x"}'],
		finish: 'toolCalls',
	},
	{
		name: 'tool_calls as an object',
		sse: sse(
			delta({ tool_calls: { index: 0, id: 'a', function: { name: 'Read', arguments: '{}' } } }),
			end('tool_calls'),
		),
		calls: ['a Read {}'],
		finish: 'toolCalls',
	},
	{
		name: 'an answer in one piece',
		sse: JSON.stringify(
			{
				object: 'chat.completion',
				choices: [
					{
						message: {
							role: 'assistant',
							content: 'Hi',
							tool_calls: [{ id: 'a', type: 'function', function: { name: 'Read', arguments: '{}' } }],
						},
						finish_reason: 'tool_calls',
					},
				],
				usage: usage(5, 2),
			},
			null,
			2,
		),
		text: 'Hi',
		calls: ['a Read {}'],
		usage: [5, 0, 2, 0],
		finish: 'toolCalls',
	},

	{
		name: 'length within arguments (pi PR#6285): no call',
		sse: sse(say('Hi'), start(0, 'a', 'Write'), more(0, '{"content":"ab'), end('length')),
		text: 'Hi',
		finish: 'length',
	},
	{
		name: 'length after what looks complete: no call',
		sse: sse(start(0, 'a', 'Bash', '{"command":"rm a"}'), end('length')),
		finish: 'length',
	},
	{
		name: 'length in the second call: the first stays',
		sse: sse(start(0, 'a', 'Read', '{"p":1}'), start(1, 'b', 'Write', '{"c":"'), end('length')),
		calls: ['a Read {"p":1}'],
		finish: 'length',
	},
];
