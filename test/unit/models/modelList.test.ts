import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ModelError } from '../../../src/engine/ports/index.ts';
import { detectLocalServers, listModels } from '../../../src/models/index.ts';
import { ScriptedModel } from '../../support/scriptedModel/index.ts';
import { closedPort, live } from './harness.ts';

/** A web server that answers these paths; others with 404. The value null never answers. */
async function serve(
	paths: Readonly<Record<string, string | null>>,
): Promise<AsyncDisposable & { readonly port: number }> {
	const server: Server = createServer((request, response) => {
		const body = paths[request.url ?? ''];
		if (body !== null) {
			response.writeHead(body === undefined ? 404 : 200).end(body ?? 'nothing here');
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
const list = (port: number, extra: object = {}) =>
	listModels({ label: 'Test server', baseUrl: `http://127.0.0.1:${port}/v1`, ...extra }, live());
const json = (value: unknown) => JSON.stringify(value);

describe('listModels', () => {
	for (const [server, entry, expected] of [
		['OpenAI, which tells nothing', { id: 'm', object: 'model' }, [undefined, undefined]],
		['vLLM', { id: 'm', max_model_len: 8192 }, [8192, undefined]],
		['llama.cpp', { id: 'm', meta: { n_ctx: 4096, n_ctx_train: 131_072 } }, [4096, undefined]],
		['OpenRouter', { id: 'm', context_length: 65_536, supported_parameters: ['tools'] }, [65_536, true]],
		['OpenRouter, without tools', { id: 'm', context_length: 65_536, supported_parameters: [] }, [65_536, false]],
		['Groq', { id: 'm', context_window: 131_072 }, [131_072, undefined]],
		['Mistral', { id: 'm', max_context_length: 32_768, capabilities: { function_calling: true } }, [32_768, true]],
		[
			'a server with nonsense in its fields',
			{ id: 'm', context_length: '8k', capabilities: 7 },
			[undefined, undefined],
		],
	] as const) {
		it(`reads what ${server} tells`, async () => {
			await using model = await ScriptedModel.start();
			model.setModels([entry]);
			const [found] = await listModels({ label: 'x', baseUrl: model.url }, live());
			assert.deepEqual([found?.contextWindow, found?.supportsTools], expected);
		});
	}

	it('takes what LM Studio runs with before what the model could do', async () => {
		await using server = await serve({
			'/v1/models': json({ data: [{ id: 'a' }, { id: 'b' }] }),
			'/api/v0/models': json({
				data: [
					{
						id: 'a',
						type: 'llm',
						loaded_context_length: 4096,
						max_context_length: 131_072,
						capabilities: ['tool_use'],
					},
					{ id: 'b', type: 'embeddings' },
				],
			}),
		});
		assert.deepEqual(await list(server.port, { nativeModels: '/api/v0/models' }), [
			{ id: 'a', contextWindow: 4096, supportsTools: true },
		]);
	});

	it('reads the window of the models that Ollama has loaded', async () => {
		await using server = await serve({
			'/v1/models': json({ data: [{ id: 'qwen3:8b' }] }),
			'/api/ps': json({ models: [{ name: 'qwen3:8b', context_length: 4096 }] }),
		});
		const [found] = await list(server.port, { nativeModels: '/api/ps' });
		assert.equal(found?.contextWindow, 4096);
	});

	it('does without a list that only adds to the first', async () => {
		await using server = await serve({ '/v1/models': json({ data: [{ id: 'a' }] }) });
		assert.equal((await list(server.port, { nativeModels: '/api/ps' })).length, 1);
	});

	it('leaves out what cannot chat, and skips entries that are none', async () => {
		await using server = await serve({
			'/v1/models': json({
				data: [
					{ id: 'gpt-4o' },
					{ id: 'text-embedding-3-small' },
					{ id: 'whisper-1' },
					null,
					{ id: 7 },
					{ id: 'models/gemini-2.5-pro' },
				],
			}),
		});
		assert.deepEqual(
			(await list(server.port)).map(({ id }) => id),
			['gpt-4o', 'gemini-2.5-pro'],
		);
	});

	it('reads a bare list (Together)', async () => {
		await using server = await serve({ '/v1/models': json([{ id: 'a', context_length: 10 }]) });
		assert.equal((await list(server.port))[0]?.contextWindow, 10);
	});

	it('sends the key, in the headers that the server wants', async () => {
		const seen: Headers[] = [];
		const request: typeof fetch = (_, init) => {
			seen.push(new Headers(init?.headers));
			return Promise.resolve(Response.json({ data: [] }));
		};
		const ask = (extra: object) => listModels({ label: 'x', baseUrl: 'http://x/v1', fetch: request, ...extra }, live());
		await ask({ key: 'k' });
		await ask({ key: 'k', listHeaders: { 'x-api-key': '{key}' } });
		await ask({});
		assert.deepEqual(
			seen.map((headers) => [headers.get('authorization'), headers.get('x-api-key')]),
			[
				['Bearer k', null],
				[null, 'k'],
				[null, null],
			],
		);
	});

	it('says what is wrong', async () => {
		await using server = await serve({ '/v1/models': '<html>hello</html>' });
		await assert.rejects(list(server.port), (error) => error instanceof ModelError && /a web page/.test(error.message));
		await using silent = await serve({ '/v1/models': null });
		await assert.rejects(list(silent.port, { timeoutMs: 30 }), /did not list its models in time/);
		await assert.rejects(list(await closedPort()), /is the server running\?/);
	});

	it('stops when it is aborted', async () => {
		await using silent = await serve({ '/v1/models': null });
		const controller = new AbortController();
		const listing = listModels({ label: 'x', baseUrl: `http://127.0.0.1:${silent.port}/v1` }, controller.signal);
		controller.abort(new Error('enough'));
		await assert.rejects(listing, /enough/);
	});
});

describe('detectLocalServers', () => {
	it('finds model servers, and is not fooled by others on the same ports', async () => {
		await using model = await ScriptedModel.start();
		await using site = await serve({ '/v1/models': '<html></html>', '/': 'hi' });
		await using api = await serve({ '/v1/models': json({ models: 'cars' }) });
		await using silent = await serve({ '/v1/models': null });
		const ports = {
			ollama: Number(new URL(model.url).port),
			lmstudio: site.port,
			llamacpp: api.port,
			vllm: silent.port,
		};
		const found = await detectLocalServers(live(), { ports, timeoutMs: 200 });
		assert.deepEqual(
			found.map(({ provider, baseUrl, models }) => [provider.id, baseUrl, models.map(({ id }) => id)]),
			[['ollama', model.url, ['scripted']]],
		);
	});

	it('finds a server that has no model yet', async () => {
		await using model = await ScriptedModel.start();
		model.setModels([]);
		const [found] = await detectLocalServers(live(), { ports: { ollama: Number(new URL(model.url).port) } });
		assert.deepEqual(found?.models, []);
	});

	it('stops when it is aborted', async () => {
		await using silent = await serve({ '/v1/models': null });
		const controller = new AbortController();
		const looking = detectLocalServers(controller.signal, { ports: { ollama: silent.port }, timeoutMs: 60_000 });
		controller.abort(new Error('enough'));
		await assert.rejects(looking, /enough/);
	});
});
