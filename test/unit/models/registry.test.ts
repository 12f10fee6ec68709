import assert from 'node:assert/strict';
import { ModelError } from '../../../src/engine/ports/index.ts';
import { ModelRegistry, PRACTICE_PROVIDER_ID, PROVIDERS, type ProviderConfig } from '../../../src/models/index.ts';
import { ScriptedModel } from '../../support/scriptedModel/index.ts';
import { collect, live, request } from './harness.ts';

const openai = (getKey: () => Promise<string | undefined>): ProviderConfig => ({
	id: 'openai',
	label: 'OpenAI',
	baseUrl: 'https://api.openai.com/v1',
	getKey,
});
const noModel = (words: RegExp) => (error: unknown) =>
	error instanceof ModelError && error.code === 'noModel' && words.test(error.message) && error.remedy !== undefined;

describe('ModelRegistry', () => {
	it('gives the client of a provider, the same each time', async () => {
		await using model = await ScriptedModel.start();
		model.reply('Hello');
		const registry = new ModelRegistry({
			providers: [{ id: 'custom', label: 'Mine', baseUrl: `${model.url}/chat/completions/` }],
			practice: false,
		});
		const client = await registry.get('custom');
		assert.equal(await registry.get('custom'), client);
		assert.equal((await collect(client.stream(request(), live()))).text, 'Hello');
	});

	it('asks a local server for its windows before the first call', async () => {
		await using model = await ScriptedModel.start();
		model.setModels([{ id: 'm', max_model_len: 4096 }]);
		const registry = new ModelRegistry({
			providers: [{ id: 'vllm', label: 'vLLM', baseUrl: model.url }],
			practice: false,
		});
		assert.equal((await registry.get('vllm')).info('m').contextWindow, 4096);
	});

	it('asks it again at each turn: it may run with another window now', async () => {
		await using model = await ScriptedModel.start();
		const registry = new ModelRegistry({
			providers: [{ id: 'vllm', label: 'vLLM', baseUrl: model.url }],
			practice: false,
		});
		const client = await registry.get('vllm');
		assert.equal(client.info('m').contextWindow, 128_000);
		model.setModels([{ id: 'm', max_model_len: 4096 }]);
		assert.equal((await registry.get('vllm')).info('m').contextWindow, 4096);
	});

	it('lists models, and remembers what the server tells of them', async () => {
		await using model = await ScriptedModel.start();
		const registry = new ModelRegistry({
			providers: [{ id: 'vllm', label: 'vLLM', baseUrl: model.url }],
			practice: false,
		});
		const client = await registry.get('vllm');
		model.setModels([{ id: 'm', max_model_len: 2048 }]);
		assert.deepEqual(
			(await registry.list('vllm', live())).map(({ id }) => id),
			['m'],
		);
		assert.equal(client.info('m').contextWindow, 2048);
	});

	it('says what to do when a provider is unknown, is not set up, or has no key', async () => {
		const registry = new ModelRegistry({ providers: [openai(() => Promise.resolve(undefined))], practice: false });
		await assert.rejects(registry.get('nobody'), noModel(/nobody is not set up/));
		await assert.rejects(registry.get('groq'), noModel(/Groq is not set up/));
		await assert.rejects(registry.get(PRACTICE_PROVIDER_ID), noModel(/not set up/));
		await assert.rejects(registry.get('openai'), noModel(/No API key is set for OpenAI/));
	});

	it('keeps a client through a change of others, and makes a new one after a change of its own', async () => {
		const getKey = () => Promise.resolve('key');
		const registry = new ModelRegistry({ providers: [openai(getKey)], practice: true });
		const before = await registry.get('openai');
		registry.update({ providers: [openai(getKey)], practice: false });
		assert.equal(await registry.get('openai'), before);
		registry.update({ providers: [{ ...openai(getKey), baseUrl: 'https://gateway.example/v1' }], practice: false });
		assert.notEqual(await registry.get('openai'), before);
		registry.update({ providers: [], practice: false });
		await assert.rejects(registry.get('openai'), noModel(/OpenAI is not set up/));
	});

	it('reaches the practice model like any other', async () => {
		const registry = new ModelRegistry({ providers: [], practice: true }, { practicePaceMs: 0 });
		const client = await registry.get(PRACTICE_PROVIDER_ID);
		const seen = await collect(client.stream(request({ model: 'practice' }), live()));
		assert.match(seen.text, /no AI/);
		assert.deepEqual(
			(await registry.list(PRACTICE_PROVIDER_ID, live())).map(({ id }) => id),
			['practice'],
		);
	});
});

describe('the provider list', () => {
	it('has valid addresses without a slash at the end, and each id once', () => {
		assert.equal(new Set(PROVIDERS.map(({ id }) => id)).size, PROVIDERS.length);
		for (const { id, baseUrl, key } of PROVIDERS.filter((each) => each.id !== 'custom')) {
			assert.ok(URL.canParse(baseUrl) && !baseUrl.endsWith('/'), id);
			assert.equal(new URL(baseUrl).protocol, key === 'required' ? 'https:' : 'http:', id);
		}
	});
});
