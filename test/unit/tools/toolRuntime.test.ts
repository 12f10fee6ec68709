import assert from 'node:assert/strict';
import { SessionToolRuntime } from '../../../src/tools/toolRuntime.ts';
import { ToolBench } from './toolBench.ts';

describe('SessionToolRuntime', () => {
	let bench: ToolBench;
	beforeEach(() => {
		bench = new ToolBench({ answer: 'blue' });
	});
	afterEach(async () => bench[Symbol.asyncDispose]());
	const invalid = async (tool: string, args: unknown) => {
		const call = await bench.prepareAny(tool, args);
		assert.ok('invalid' in call, 'it should be invalid');
		return call.invalid;
	};

	it('finds a tool whatever the case, and by the names that models remember', async () => {
		for (const name of ['List', 'list', 'LIST', 'list_dir', 'listDirectory', 'ls']) {
			assert.equal((await bench.prepare(name, {})).tool, 'List', name);
		}
		for (const name of ['todo_write', 'todowrite', 'TodoWrite', 'todo-write']) {
			assert.equal((await bench.prepare(name, { todos: [] })).tool, 'TodoWrite', name);
		}
	});

	it('names its tools when there is none of that name', async () => {
		assert.match(await invalid('Nope', {}), /There is no tool Nope\. The tools are: Read, Write, Edit,/);
		assert.match(await invalid('Read({"file_path": "x"})', {}), /no tool's name/);
		assert.match(await invalid('constructor', {}), /no tool constructor/);
	});

	it('takes blank arguments as none, and JSON in JSON', async () => {
		bench.write('a', 'x');
		assert.equal((await bench.prepare('List', '')).tool, 'List');
		assert.equal((await bench.prepare('List', '  ')).tool, 'List');
		assert.equal((await bench.prepare('List', 'null')).tool, 'List');
		assert.equal((await bench.prepare('Read', JSON.stringify('{"file_path":"a"}'))).title, 'Read a');
	});

	it('says what is wrong with arguments, and what they should be', async () => {
		assert.match(await invalid('Read', '{"file_path": "a'), /not valid JSON.*Send the whole call again/);
		assert.match(await invalid('Read', '[]'), /not a JSON object/);
		assert.equal(
			await invalid('Read', {}),
			'Read was not run: file_path: is missing. Its parameters are: file_path, start_line?, num_lines?.',
		);
		assert.match(await invalid('Read', { file_path: 5 }), /file_path: .*expected string/);
		assert.match(await invalid('Read', { file_path: 'a', num_lines: 0 }), /num_lines/);
	});

	it('keeps what every request must carry small', () => {
		assert.ok(JSON.stringify(bench.runtime.definitions()).length < 4096);
		for (const { parameters } of bench.runtime.definitions()) {
			assert.equal(parameters['type'], 'object');
		}
	});

	it('passes on what controls processes, and closes all, whatever fails', async () => {
		const closed: string[] = [];
		const runtime = new SessionToolRuntime({
			tools: [],
			processes: {
				control: (id, action) => id === 'p' && action.type === 'kill',
				[Symbol.asyncDispose]: () => {
					closed.push('processes');
					return Promise.reject(new Error('stuck'));
				},
			},
			holds: [{ [Symbol.dispose]: () => closed.push('hold') }],
		});
		assert.equal(runtime.controlProcess('p', { type: 'kill' }), true);
		assert.equal(runtime.controlProcess('q', { type: 'kill' }), false);
		await assert.rejects(runtime[Symbol.asyncDispose](), AggregateError);
		assert.deepEqual(closed, ['processes', 'hold']);
	});

	describe('TodoWrite', () => {
		it('sets the whole list, once', async () => {
			const todos = [
				{ content: 'a', status: 'completed', priority: 'high' },
				{ content: 'b', status: 'in-progress' },
			];
			assert.equal(await bench.ok('TodoWrite', { todos }), 'The plan has 2 todos, 1 completed. In progress: b');
			assert.deepEqual(bench.todos, [
				{ content: 'a', status: 'completed', priority: 'high' },
				{ content: 'b', status: 'inProgress', priority: 'medium' },
			]);
			const before = bench.todos;
			assert.match(await bench.ok('TodoWrite', { todos }), /unchanged/);
			assert.equal(bench.todos, before);
		});

		it('refuses two in progress', async () => {
			const todos = ['a', 'b'].map((content) => ({ content, status: 'in_progress' }));
			assert.match(await invalid('TodoWrite', { todos }), /only one/);
		});

		it('is allowed in plan mode', async () => {
			assert.equal((await bench.prepare('TodoWrite', { todos: [] })).assessment.effect, 'readOnly');
		});
	});

	describe('AskUser', () => {
		it('puts the question, and gives the answer', async () => {
			assert.equal(
				await bench.ok('AskUser', { question: 'Colour?', options: ['red', ' red', 'blue', ''] }),
				'The user answers: blue',
			);
			assert.deepEqual(bench.asked, [{ question: 'Colour?', options: ['red', 'blue'] }]);
		});

		it('goes on where there is no answer', async () => {
			for (const answer of [null, '  ']) {
				await using silent = new ToolBench({ answer });
				assert.match(await silent.ok('AskUser', { question: 'Colour?' }), /no answer/);
			}
		});
	});
});
