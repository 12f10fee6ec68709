import assert from 'node:assert/strict';
import type { HistoryEntry, ModelClient, ToolDefinition } from '../../../../src/engine/ports/index.ts';
import { ModelRegistry, PRACTICE_MODEL, PRACTICE_PROVIDER_ID } from '../../../../src/models/index.ts';
import { collect, live, request, type Seen } from '../harness.ts';

const TOOLS = ['Read', 'Write', 'Edit', 'Delete', 'List', 'Grep', 'Glob', 'Bash', 'TodoWrite', 'AskUser'];
const define = (name: string): ToolDefinition => ({ name, description: '', parameters: { type: 'object' } });
const DENIED = 'The user denied this, and it was not run.';
const GO_ON = 'Do not try the same another way; go on without it, or ask.';

/** A conversation with the practice model, through the same client as a real one. */
class Talk {
	readonly history: HistoryEntry[] = [];
	readonly #client: ModelClient;
	readonly #tools: readonly string[];

	private constructor(client: ModelClient, tools: readonly string[]) {
		this.#client = client;
		this.#tools = tools;
	}

	static async start(tools: readonly string[] = TOOLS): Promise<Talk> {
		const registry = new ModelRegistry({ providers: [], practice: true }, { practicePaceMs: 0 });
		return new Talk(await registry.get(PRACTICE_PROVIDER_ID), tools);
	}

	/** The user says something, and the model answers. */
	async say(text: string): Promise<Seen> {
		this.history.push({ role: 'user', text });
		return await this.answer();
	}

	/** The call that the model just made has this result. */
	async result(output: string): Promise<Seen> {
		const last = this.history.at(-1);
		assert.ok(last?.role === 'assistant' && last.calls[0]);
		this.history.push({ role: 'tool', callId: last.calls[0].callId, output });
		return await this.answer();
	}

	async answer(): Promise<Seen> {
		const asked = request({ model: PRACTICE_MODEL, history: this.history, tools: this.#tools.map(define) });
		const seen = await collect(this.#client.stream(asked, live()));
		assert.equal(seen.error, undefined);
		assert.equal(seen.finish, seen.calls.length > 0 ? 'toolCalls' : 'stop');
		this.history.push({ role: 'assistant', text: seen.text, calls: seen.calls });
		return seen;
	}
}
const called = (seen: Seen): unknown[] => seen.calls.flatMap(({ name, args }) => [name, JSON.parse(args) as unknown]);

describe('practice model', () => {
	for (const [message, tool, args] of [
		['read a.txt', 'Read', { file_path: 'a.txt' }],
		['read lines 3 to 5 of a.txt', 'Read', { file_path: 'a.txt', start_line: 3, num_lines: 3 }],
		['list', 'List', { path: '.' }],
		['list src recursively', 'List', { path: 'src', recursive: true }],
		['search foo() in src', 'Grep', { pattern: String.raw`foo\(\)`, path: 'src' }],
		['find *.ts', 'Glob', { pattern: '*.ts' }],
		['run npm test', 'Bash', { command: 'npm test' }],
		['run npm start in the background', 'Bash', { command: 'npm start', background: true }],
		[
			"fetch https://example.com/?q=a&b='c'",
			'Bash',
			{ command: String.raw`curl -sS 'https://example.com/?q=a&b='\''c'\'''` },
		],
		['create a.txt with hi', 'Write', { file_path: 'a.txt', content: 'hi\n' }],
		['overwrite a.txt with hi', 'Write', { file_path: 'a.txt', content: 'hi\n', overwrite: true }],
		['delete a.txt', 'Delete', { file_path: 'a.txt' }],
		['ask me which: a, b', 'AskUser', { question: 'Which?', options: ['a', 'b'] }],
		[
			'plan: look, fix',
			'TodoWrite',
			{
				todos: [
					{ content: 'look', status: 'in_progress', priority: 'medium' },
					{ content: 'fix', status: 'pending', priority: 'medium' },
				],
			},
		],
	] as const) {
		it(`calls ${tool} for "${message}", after saying so`, async () => {
			const seen = await (await Talk.start()).say(message);
			assert.deepEqual(called(seen), [tool, args]);
			assert.match(seen.text, /^(I will|I have)/);
		});
	}

	it('reads before it edits, and reports', async () => {
		const talk = await Talk.start();
		assert.deepEqual(called(await talk.say('replace "a" with "b" in x.txt')), ['Read', { file_path: 'x.txt' }]);
		assert.deepEqual(called(await talk.result('1\ta')), [
			'Edit',
			{ file_path: 'x.txt', replacements: [{ old_str: 'a', new_str: 'b' }] },
		]);
		const done = await talk.result('Edited x.txt: 1 replacement, +1 -1 lines.');
		assert.match(done.text, /^Edited x\.txt: 1 replacement/);
		assert.deepEqual(done.calls, []);
	});

	it('shows the beginning of what it read, in a fence that the text cannot close', async () => {
		const talk = await Talk.start();
		await talk.say('read a.md');
		const seen = await talk.result(
			['```js', ...Array.from({ length: 20 }, (_, at) => `line ${at}`)]
				.map((line, at) => `${at + 1}\t${line}`)
				.join('\n'),
		);
		assert.match(seen.text, /````text\n```js\nline 0\n[^]*line 6\n````\n\nand 13 lines more\./);
	});

	for (const [output, words] of [
		[
			'Exit code: 0 | stdout: 1 line | stderr: 0 lines | 0.1 s\nok',
			/ended well \(exit code 0\)\.\n\n```text\nok\n```$/,
		],
		['Exit code: 0 | stdout: 0 lines | stderr: 0 lines | 0.1 s\n(no output)', /ended well \(exit code 0\)\.$/],
		['Exit code: 2 | stdout: 0 lines | stderr: 1 line | 0.1 s\nboom', /failed with exit code 2[^]*boom/],
		[
			'Ended by SIGTERM | stdout: 0 lines\nEnded after 60 s, its timeout.\n(no output)',
			/did not get to its end[^]*its timeout/,
		],
		['Running | stdout: 0 lines\nIt goes on in the background as bg-1. Output so far:', /runs in the background now/],
		['The command could not be started.', /^That did not work: The command could not be started\.$/],
	] as const) {
		it(`says how a command ended: ${output.split('|')[0]}`, async () => {
			const talk = await Talk.start();
			await talk.say('run npm test');
			assert.match((await talk.result(output)).text, words);
		});
	}

	it('repeats the feedback of a denial, does not try again, and leaves out the rest', async () => {
		const talk = await Talk.start();
		await talk.say('run rm a then read b');
		const seen = await talk.result(
			`${DENIED} The user says: not today. Do not try the same another way; go on without it, or ask.`,
		);
		assert.match(seen.text, /You denied it and said: "not today\."\. So I will not run `rm a`\. I leave out/);
		assert.deepEqual(seen.calls, []);
	});

	it('takes a denial without words for what it is', async () => {
		const talk = await Talk.start();
		await talk.say('delete a');
		assert.match((await talk.result(`${DENIED} ${GO_ON}`)).text, /^You denied it\. So I will not delete `a`\.$/);
	});

	it('says why it was blocked', async () => {
		const talk = await Talk.start();
		await talk.say('delete a');
		const seen = await talk.result(
			'Blocked, and not run. Plan mode allows reading only. Do not try to do it another way: say what you would have done.',
		);
		assert.equal(seen.text, 'It was blocked, and not done. Plan mode allows reading only.');
	});

	it('says why an edit failed, and stops', async () => {
		const talk = await Talk.start();
		await talk.say('replace a with b in x.txt then run ls');
		await talk.result('1\tnothing of it');
		const seen = await talk.result('Could not find "a" in x.txt. Nothing was changed.');
		assert.match(seen.text, /That did not work: Could not find "a" in x\.txt\. Nothing was changed\. I leave out/);
		assert.deepEqual(seen.calls, []);
	});

	it('does several requests one after another', async () => {
		const talk = await Talk.start();
		assert.deepEqual(called(await talk.say('read a then run ls\nlist')), ['Read', { file_path: 'a' }]);
		const second = await talk.result('1\ttext');
		assert.match(second.text, /I read `a`[^]*I will run `ls`/);
		assert.deepEqual(called(second), ['Bash', { command: 'ls' }]);
		assert.deepEqual(called(await talk.result('Exit code: 0')), ['List', { path: '.' }]);
		assert.deepEqual((await talk.result('work space/ (1 entries)\na')).calls, []);
		assert.deepEqual(called(await talk.say('read b')), ['Read', { file_path: 'b' }], 'a new turn begins afresh');
	});

	it('takes up what the user says in the middle of a turn', async () => {
		const talk = await Talk.start();
		await talk.say('run sleep 5 then read a');
		const last = talk.history.at(-1);
		assert.ok(last?.role === 'assistant');
		talk.history.push({ role: 'tool', callId: last.calls[0]!.callId, output: 'Exit code: 0' });
		assert.deepEqual(called(await talk.say('read b')), ['Read', { file_path: 'a' }]);
		assert.deepEqual(called(await talk.result('1\tA')), ['Read', { file_path: 'b' }]);
		assert.deepEqual((await talk.result('1\tB')).calls, []);
	});

	it('does not go on with a turn that was interrupted', async () => {
		const talk = await Talk.start();
		await talk.say('run sleep 5 then read a');
		const last = talk.history.at(-1);
		assert.ok(last?.role === 'assistant');
		talk.history.push({
			role: 'tool',
			callId: last.calls[0]!.callId,
			output: 'Interrupted before it finished: its effects are not known.',
		});
		assert.deepEqual(called(await talk.say('read b')), ['Read', { file_path: 'b' }]);

		const silent = await Talk.start();
		silent.history.push({ role: 'user', text: 'run rm -rf x' });
		assert.deepEqual(called(await silent.say('read b')), ['Read', { file_path: 'b' }]);
	});

	it('says it is no AI, what it can do, and how to get a real model, to anything else', async () => {
		const seen = await (await Talk.start()).say('Refactor my code');
		assert.match(seen.text, /no AI[^]*\n- `read README\.md`[^]*API key[^]*Ollama/);
		assert.match((await (await Talk.start()).say('help')).text, /no AI/);
	});

	it('says so when a tool is not offered', async () => {
		assert.match((await (await Talk.start(['Read'])).say('run ls')).text, /`Bash` is not offered/);
		assert.match((await (await Talk.start()).say('delegate find bugs')).text, /cannot delegate/);
		assert.deepEqual(called(await (await Talk.start([...TOOLS, 'InvokeAgent'])).say('delegate find bugs')), [
			'InvokeAgent',
			{ prompt: 'find bugs' },
		]);
	});

	it('counts tokens plausibly, and streams word by word', async () => {
		const seen = await (await Talk.start()).say('help');
		assert.ok(seen.events.filter(({ type }) => type === 'textDelta').length > 50);
		assert.equal(seen.usage?.outputTokens, Math.ceil(seen.text.length / 4));
		assert.ok(seen.usage.inputTokens > 50);
	});

	it('stops at once when it is aborted, however slow it talks', async () => {
		const registry = new ModelRegistry({ providers: [], practice: true }, { practicePaceMs: 60_000 });
		const client = await registry.get(PRACTICE_PROVIDER_ID);
		const controller = new AbortController();
		const talking = collect(client.stream(request({ model: PRACTICE_MODEL }), controller.signal));
		controller.abort(new Error('enough'));
		await assert.rejects(talking, /enough/);
	});
});
