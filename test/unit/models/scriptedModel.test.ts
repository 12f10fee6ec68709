import assert from 'node:assert/strict';
import {
	drop,
	errorStatus,
	gate,
	html,
	ScriptedModel,
	stream,
	text,
	toolCall,
} from '../../support/scriptedModel/index.ts';

const body = (extra: object = {}) =>
	JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }], ...extra });
const ask = (model: ScriptedModel, extra?: object, signal?: AbortSignal) =>
	fetch(`${model.url}/chat/completions`, { method: 'POST', body: body(extra), ...(signal && { signal }) });
const payloads = (sse: string) =>
	sse
		.split('\n\n')
		.filter(Boolean)
		.map((line) => line.replace('data: ', ''));

describe('scripted model', () => {
	it('streams text in pieces, then finish reason and [DONE]', async () => {
		await using model = await ScriptedModel.start();
		model.reply(text('Hello, wörld 👋', 3));
		const lines = payloads(await (await ask(model)).text());
		assert.equal(lines.at(-1), '[DONE]');
		const chunks = lines
			.slice(0, -1)
			.map((line) => JSON.parse(line) as { choices: { delta: { content?: string }; finish_reason: string | null }[] });
		assert.equal(chunks.map((each) => each.choices[0]?.delta.content ?? '').join(''), 'Hello, wörld 👋');
		assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop');
		assert.ok(chunks.length > 5);
	});

	it('sends usage only where it is asked for', async () => {
		await using model = await ScriptedModel.start();
		model.reply('a', 'b');
		assert.doesNotMatch(await (await ask(model)).text(), /prompt_tokens/);
		assert.match(await (await ask(model, { stream_options: { include_usage: true } })).text(), /"prompt_tokens":20/);
	});

	it('gives several tool calls an index each, and finishes with tool_calls', async () => {
		await using model = await ScriptedModel.start();
		model.reply([toolCall('Read', { file_path: 'a' }), toolCall('Bash', '{"command":"ls"}', { id: 'x' })]);
		const sse = await (await ask(model)).text();
		assert.match(sse, /"index":0,"id":"call_1_0"/);
		assert.match(sse, /"index":1,"id":"x"/);
		assert.match(sse, /"finish_reason":"tool_calls"/);
	});

	it('stops at a gate until it is opened', async () => {
		await using model = await ScriptedModel.start();
		const middle = gate();
		model.reply([text('before'), middle, text('after')]);
		const response = await ask(model);
		await middle.reached;
		const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
		let seen = '';
		while (!seen.includes('before')) {
			seen += (await reader.read()).value ?? '';
		}
		assert.doesNotMatch(seen, /after|stop/);
		middle.open();
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			seen += next.value;
		}
		assert.match(seen, /after[^]*stop/);
	});

	it('tells that the client went away, and serves the next request', async () => {
		await using model = await ScriptedModel.start();
		const middle = gate();
		model.reply([text('before'), middle, text('after')], 'next');
		const controller = new AbortController();
		await ask(model, {}, controller.signal);
		await middle.reached;
		controller.abort();
		await model.lastRequest.aborted;
		assert.match(await (await ask(model)).text(), /next/);
	});

	it('cuts the connection', async () => {
		await using model = await ScriptedModel.start();
		model.reply([text('before'), drop(), text('after')]);
		await assert.rejects((await ask(model)).text(), /terminated/);
	});

	it('can end a stream without finish reason and without [DONE]', async () => {
		await using model = await ScriptedModel.start();
		model.reply(stream([text('x')], { finish: 'none', done: false }));
		const sse = await (await ask(model)).text();
		assert.doesNotMatch(sse, /DONE|"finish_reason":"/);
	});

	it('answers with an error status, its headers, or a web page', async () => {
		await using model = await ScriptedModel.start();
		model.reply(errorStatus(429, 'slow down', { headers: { 'retry-after': '2' } }), html());
		const limited = await ask(model);
		assert.equal(limited.status, 429);
		assert.equal(limited.headers.get('retry-after'), '2');
		assert.match((await ask(model)).headers.get('content-type') ?? '', /text\/html/);
	});

	it('records requests in order and lets a test wait for one', async () => {
		await using model = await ScriptedModel.start();
		const second = model.waitForRequest(2);
		model.handle(({ body: asked }) => `answer to ${asked.messages[0]?.content}`);
		await ask(model);
		await ask(model, { model: 'other' });
		assert.equal((await second).body.model, 'other');
		assert.deepEqual(
			model.requests.map((each) => each.body.model),
			['m', 'other'],
		);
		assert.equal((await model.waitForRequest(1)).body.model, 'm');
	});

	it('refuses what nobody has an answer for, with a text that says so', async () => {
		await using model = await ScriptedModel.start();
		const response = await ask(model);
		assert.equal(response.status, 400);
		assert.match(await response.text(), /no answer is queued for request 1/);
	});

	it('lists models', async () => {
		await using model = await ScriptedModel.start();
		model.setModels(['a', { id: 'b', max_model_len: 4096 }]);
		const list = (await (await fetch(`${model.url}/models`)).json()) as { data: object[] };
		assert.deepEqual(list.data, [
			{ id: 'a', object: 'model' },
			{ id: 'b', max_model_len: 4096 },
		]);
	});
});
