import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ModelError, type ModelEvent } from '../../../src/engine/ports/index.ts';
import {
	chunk,
	drop,
	errorStatus,
	gate,
	html,
	ScriptedModel,
	status,
	stream,
	text,
	toolCall,
	type AnswerLike,
} from '../../support/scriptedModel/index.ts';
import { clientFor, closedPort, collect, live, request } from './harness.ts';

describe('ChatCompletionsClient', () => {
	describe('what it sends', () => {
		it('writes the history, the tools and the system prompt as the API wants them', async () => {
			await using model = await ScriptedModel.start();
			model.reply('ok');
			const parameters = { type: 'object', properties: { file_path: { type: 'string' } } };
			const seen = await collect(
				clientFor(model.url).stream(
					request({
						system: 'Be brief.',
						history: [
							{ role: 'user', text: 'read a' },
							{
								role: 'assistant',
								text: '',
								calls: [
									{ callId: 'c1', name: 'Read', args: '{"file_path":"a"}' },
									{ callId: 'c2', name: 'List', args: ' ' },
								],
							},
							{ role: 'tool', callId: 'c1', output: 'A' },
							{ role: 'tool', callId: 'c2', output: '' },
							{ role: 'assistant', text: 'Done.', calls: [] },
							{ role: 'assistant', text: '', calls: [] },
							{ role: 'user', text: 'thanks' },
						],
						tools: [{ name: 'Read', description: 'Reads.', parameters }],
					}),
					live(),
				),
			);
			assert.equal(seen.finish, 'stop');
			const call = (id: string, name: string, args: string) => ({
				id,
				type: 'function',
				function: { name, arguments: args },
			});
			assert.deepEqual(model.lastRequest.body, {
				model: 'scripted',
				messages: [
					{ role: 'system', content: 'Be brief.' },
					{ role: 'user', content: 'read a' },
					{
						role: 'assistant',
						content: null,
						tool_calls: [call('c1', 'Read', '{"file_path":"a"}'), call('c2', 'List', '{}')],
					},
					{ role: 'tool', tool_call_id: 'c1', content: 'A' },
					{ role: 'tool', tool_call_id: 'c2', content: '' },
					{ role: 'assistant', content: 'Done.' },
					{ role: 'user', content: 'thanks' },
				],
				tools: [{ type: 'function', function: { name: 'Read', description: 'Reads.', parameters } }],
				stream: true,
				stream_options: { include_usage: true },
			});
		});

		it('says what the dialect of the server asks for, and nothing of it elsewhere', async () => {
			await using model = await ScriptedModel.start();
			model.reply('a', 'b');
			const history = [
				{ role: 'user' as const, text: 'x' },
				{ role: 'assistant' as const, text: '', reasoning: 'hm', calls: [{ callId: 'c1', name: 'List', args: '{}' }] },
				{ role: 'tool' as const, callId: 'c1', output: '' },
			];
			await collect(clientFor(model.url).stream(request({ history }), live()));
			assert.equal(model.lastRequest.body['prompt_cache_key'], undefined);
			assert.equal(model.lastRequest.body.messages[2]?.reasoning_content, undefined);
			const dialect = { cacheKey: true, reasoningField: 'reasoning_content' as const, callExtra: { extra_content: 1 } };
			await collect(clientFor(model.url, { dialect }).stream(request({ history }), live()));
			assert.equal(model.lastRequest.body['prompt_cache_key'], 'session-1');
			assert.equal(model.lastRequest.body.messages[2]?.reasoning_content, 'hm');
			assert.match(JSON.stringify(model.lastRequest.body.messages[2]), /"extra_content":1/);
		});

		it('sends the key of this provider alone, and nothing about the machine', async () => {
			await using model = await ScriptedModel.start();
			model.reply('a', 'b');
			const others = {
				OPENAI_API_KEY: 'other-key',
				OPENAI_ORG_ID: 'other-org',
				OPENAI_PROJECT_ID: 'other-project',
				OPENAI_BASE_URL: 'http://other.invalid',
			};
			const before = Object.keys(others).map((name) => [name, process.env[name]] as const);
			Object.assign(process.env, others);
			try {
				await collect(clientFor(model.url).stream(request(), live()));
				assert.equal(model.lastRequest.headers.authorization, undefined);
				await collect(clientFor(model.url, { getKey: () => Promise.resolve(' my-key\n') }).stream(request(), live()));
			} finally {
				for (const [name, value] of before) {
					if (value === undefined) {
						Reflect.deleteProperty(process.env, name);
					} else {
						process.env[name] = value;
					}
				}
			}
			const { headers } = model.lastRequest;
			assert.equal(headers.authorization, 'Bearer my-key');
			assert.doesNotMatch(JSON.stringify(headers), /stainless|other-|openai-/i);
		});
	});

	describe('the key', () => {
		it('is read at the first request, and once', async () => {
			await using model = await ScriptedModel.start();
			model.reply('a', 'b');
			let reads = 0;
			const client = clientFor(model.url, { getKey: () => Promise.resolve(`key-${++reads}`) });
			assert.equal(reads, 0);
			await collect(client.stream(request(), live()));
			await collect(client.stream(request(), live()));
			assert.equal(reads, 1);
			assert.equal(model.lastRequest.headers.authorization, 'Bearer key-1');
		});

		it('is read again after the server refused it', async () => {
			await using model = await ScriptedModel.start();
			model.reply(errorStatus(401, 'Incorrect API key provided'), 'ok');
			let reads = 0;
			const client = clientFor(model.url, { getKey: () => Promise.resolve(`key-${++reads}`) });
			assert.equal((await collect(client.stream(request(), live()))).error?.code, 'unauthorized');
			assert.equal((await collect(client.stream(request(), live()))).text, 'ok');
			assert.equal(model.lastRequest.headers.authorization, 'Bearer key-2');
		});

		it('where it is needed and missing, nothing is sent; once entered, it is used', async () => {
			await using model = await ScriptedModel.start();
			model.reply('ok');
			const secrets = new Map<string, string>();
			const client = clientFor(model.url, { keyRequired: true, getKey: () => Promise.resolve(secrets.get('key')) });
			const missing = await collect(client.stream(request(), live()));
			assert.equal(missing.error?.code, 'noModel');
			assert.match(missing.error.message, /No API key is set for Test server/);
			assert.equal(model.requests.length, 0);
			secrets.set('key', 'now-there');
			assert.equal((await collect(client.stream(request(), live()))).text, 'ok');
		});

		it('that cannot be read is an error with a remedy', async () => {
			const client = clientFor('http://127.0.0.1:9/v1', { getKey: () => Promise.reject(new Error('keyring locked')) });
			const { error } = await collect(client.stream(request(), live()));
			assert.deepEqual([error?.code, error?.remedy], ['noModel', 'Enter the key again.']);
		});
	});

	describe('usage', () => {
		it('is asked for, and no more from a server that refuses the question', async () => {
			await using model = await ScriptedModel.start();
			const refusal = { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] };
			model.reply(status(422, refusal), 'first', 'second');
			const client = clientFor(model.url);
			assert.equal((await collect(client.stream(request(), live()))).text, 'first');
			assert.equal((await collect(client.stream(request(), live()))).text, 'second');
			assert.deepEqual(
				model.requests.map((each) => each.body.stream_options?.include_usage),
				[true, undefined, undefined],
			);
		});

		it('comes before the end', async () => {
			await using model = await ScriptedModel.start();
			model.reply('Hi');
			const { events } = await collect(clientFor(model.url).stream(request(), live()));
			assert.deepEqual(events.slice(-2), [
				{ type: 'usage', usage: { inputTokens: 20, cachedInputTokens: 0, outputTokens: 10, reasoningTokens: 0 } },
				{ type: 'finished', reason: 'stop' },
			]);
		});
	});

	describe('failures', () => {
		const failure = async (answer: AnswerLike) => {
			await using model = await ScriptedModel.start();
			model.reply(answer);
			const seen = await collect(clientFor(model.url).stream(request(), live()));
			assert.equal(model.requests.length, 1, 'the engine retries, not the client');
			return seen;
		};

		it('reads the kind of error and how long to wait', async () => {
			const { error } = await failure(errorStatus(429, 'Slow down', { headers: { 'retry-after': '2' } }));
			assert.deepEqual([error?.code, error?.retryable, error?.retryAfterMs], ['rateLimited', true, 2000]);
		});

		it("shows what a server says in a shape that is not OpenAI's", async () => {
			assert.match((await failure(status(400, { detail: 'no such field' }))).error?.message ?? '', /no such field/);
			assert.match((await failure(status(500, 'plain words'))).error?.message ?? '', /plain words/);
		});

		it('names the address when a web page comes back', async () => {
			const { error } = await failure(html());
			assert.match(error?.message ?? '', /Test server \(http:\/\/127\.0\.0\.1:\d+\/v1\) answered with a web page/);
			assert.match(error?.remedy ?? '', /base URL/);
		});

		it('keeps what came before the connection broke, and yields no half call', async () => {
			const cut = await failure([
				text('Let me see'),
				toolCall('Read', { file_path: 'a' }),
				chunk({
					choices: [
						{ delta: { tool_calls: [{ index: 1, id: 'b', function: { name: 'Write', arguments: '{"content":"' } }] } },
					],
				}),
				drop(),
			]);
			assert.equal(cut.text, 'Let me see');
			assert.deepEqual(
				cut.calls.map((call) => call.name),
				['Read'],
			);
			assert.deepEqual([cut.error?.code, cut.error?.retryable], ['stream', true]);
		});

		it('does not mind a connection that breaks after the finish reason', async () => {
			const finish = chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] });
			const seen = await failure(stream([text('all'), finish, drop()]));
			assert.deepEqual([seen.text, seen.finish, seen.error], ['all', 'stop', undefined]);
		});

		it('asks whether the server runs where nothing listens', async () => {
			const port = await closedPort();
			const { error } = await collect(clientFor(`http://127.0.0.1:${port}/v1`).stream(request(), live()));
			assert.match(error?.message ?? '', /Nothing listens at Test server \(http.*: is the server running\?/);
		});

		it('says so when the base URL is no address', async () => {
			const { error } = await collect(clientFor('not an address').stream(request(), live()));
			assert.ok(error instanceof ModelError);
			assert.match(`${error.message} ${error.remedy}`, /base URL|address/);
		});
	});

	describe('silence', () => {
		it('before the first byte ends the call', async () => {
			const server = createServer(() => undefined).listen(0, '127.0.0.1');
			await once(server, 'listening');
			const { port } = server.address() as { port: number };
			try {
				const client = clientFor(`http://127.0.0.1:${port}/v1`, { idleTimeoutMs: 30 });
				const { error } = await collect(client.stream(request(), live()));
				assert.deepEqual([error?.code, error?.retryable], ['network', true]);
				assert.match(error?.message ?? '', /sent nothing for/);
			} finally {
				server.close();
			}
		});

		it('in mid stream ends the call, and closes the connection', async () => {
			await using model = await ScriptedModel.start();
			model.reply([text('Hi'), gate()]);
			const seen = await collect(clientFor(model.url, { idleTimeoutMs: 400 }).stream(request(), live()));
			assert.equal(seen.text, 'Hi');
			assert.equal(seen.error?.code, 'network');
			await model.lastRequest.aborted;
		});
	});

	it('does not wait for a server that keeps the connection open after the finish reason', async () => {
		await using model = await ScriptedModel.start();
		model.reply([text('all'), chunk({ choices: [{ delta: {}, finish_reason: 'stop' }] }), gate()]);
		const seen = await collect(clientFor(model.url, { afterFinishMs: 20 }).stream(request(), live()));
		assert.deepEqual([seen.text, seen.finish, seen.error], ['all', 'stop', undefined]);
		await model.lastRequest.aborted;
	});

	describe('abort', () => {
		it("ends the stream at once with the signal's reason, and the server sees the connection close", async () => {
			await using model = await ScriptedModel.start();
			const middle = gate();
			model.reply([text('Hi'), middle, text(' there')]);
			const controller = new AbortController();
			const stop = new Error('stopped by the user');
			const events: ModelEvent[] = [];
			await assert.rejects(
				async () => {
					for await (const event of clientFor(model.url).stream(request(), controller.signal)) {
						events.push(event);
						controller.abort(stop);
					}
				},
				(error) => error === stop,
			);
			assert.deepEqual(events, [{ type: 'textDelta', text: 'Hi' }]);
			await model.lastRequest.aborted;
		});

		it('works before the server has answered', async () => {
			await using model = await ScriptedModel.start({ handler: () => new Promise(() => undefined) });
			const controller = new AbortController();
			const seen = collect(clientFor(model.url).stream(request(), controller.signal));
			const asked = await model.waitForRequest(1);
			controller.abort(new Error('stopped'));
			await assert.rejects(seen, /stopped/);
			await asked.aborted;
		});

		it('before the start sends nothing', async () => {
			await using model = await ScriptedModel.start();
			const aborted = AbortSignal.abort(new Error('stopped'));
			await assert.rejects(collect(clientFor(model.url).stream(request(), aborted)), /stopped/);
			assert.equal(model.requests.length, 0);
		});

		it('by a reader that has seen enough closes the connection', async () => {
			await using model = await ScriptedModel.start();
			model.reply([text('Hi'), gate()]);
			for await (const event of clientFor(model.url).stream(request(), live())) {
				assert.equal(event.type, 'textDelta');
				break;
			}
			await model.lastRequest.aborted;
		});
	});

	it('knows what the server told of its models, else what the table says', () => {
		const client = clientFor('http://test.invalid/v1');
		client.learn([{ id: 'qwen3', contextWindow: 4096, supportsTools: false }]);
		assert.deepEqual(client.info('qwen3'), { contextWindow: 4096, supportsTools: false });
		assert.deepEqual(client.info('gpt-4o'), { contextWindow: 128_000, supportsTools: true });
	});
});
