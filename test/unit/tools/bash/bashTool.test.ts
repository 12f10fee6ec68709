import * as assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PreparedCall, ToolContext, ToolExecution, ToolResult } from '../../../../src/engine/ports/index.ts';
import { PathRules, WorkspacePaths } from '../../../../src/files/index.ts';
import type { RunningCommand } from '../../../../src/processes/index.ts';
import { CommandRunner, Reaper } from '../../../../src/processes/index.ts';
import type { StartedCommand } from '../../../../src/tools/bash/index.ts';
import { BashTool, SessionProcesses } from '../../../../src/tools/bash/index.ts';
import { membersOf, until } from '../../processes/processBench.ts';

describe('the Bash tool', () => {
	let folder: string;
	let processes: SessionProcesses;
	let tool: BashTool;
	let count = 0;
	const reaper = new Reaper();
	const shown: { readonly started: StartedCommand; readonly running: RunningCommand }[] = [];
	const events: string[] = [];
	const parent = {
		PATH: process.env['PATH'],
		HOME: '/nowhere',
		AWS_PROFILE: 'dev',
		GITHUB_TOKEN: 'hunter2',
		OPENAI_API_KEY: 'hunter2',
		SSH_AUTH_SOCK: '/hunter2',
		VSCODE_IPC_HOOK: '/hunter2',
		ELECTRON_RUN_AS_NODE: 'hunter2',
		DOCKER_HOST: 'tcp://user:hunter2@host',
		MY_SETTING: 'hunter2',
		FORCE_COLOR: 'hunter2',
	};

	before(() => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay bash tool-')));
		processes = new SessionProcesses(new CommandRunner({ reaper, spoolDirectory: join(folder, 'spool') }));
		tool = new BashTool({
			processes,
			paths: new WorkspacePaths(new PathRules({ home: folder }), folder),
			home: folder,
			environment: parent,
			proxyVariables: (itemId) => Promise.resolve({ HTTPS_PROXY: `http://${itemId}@127.0.0.1:1` }),
			protection: () => 'egress filtered',
			notes: (itemId) => (itemId === 'denied' ? ['Denied: x.test:443.'] : []),
			host: {
				commandStarted: (started, running) => {
					shown.push({ started, running });
					return { [Symbol.dispose]: () => events.push(`hidden ${started.itemId}`) };
				},
			},
		});
	});
	after(async () => {
		await processes[Symbol.asyncDispose]();
		reaper[Symbol.dispose]();
		rmSync(folder, { recursive: true });
	});

	const caps = { resultChars: 10_000, shellLines: 256, grepMatches: 1, listEntries: 1, globResults: 1 };
	const contextOf = (itemId: string): ToolContext => ({
		...{ sessionId: 's', turnId: 't', itemId, cwd: folder, roots: [folder], trustMode: 'safe', caps },
	});
	const executionOf = (more: Partial<ToolExecution> = {}): ToolExecution => ({
		signal: new AbortController().signal,
		output: () => undefined,
		ask: () => Promise.resolve(null),
		setTodos: () => undefined,
		todos: () => [],
		processStarted: ({ processId }) => events.push(`started ${processId}`),
		processEnded: ({ processId, exitCode, signal }) => events.push(`ended ${processId} ${exitCode ?? signal ?? ''}`),
		...more,
	});
	const prepare = async (args: unknown, itemId = `item${++count}`): Promise<PreparedCall> => {
		const prepared = await tool.prepare(args, contextOf(itemId));
		assert.ok(!('invalid' in prepared), JSON.stringify(prepared));
		return prepared;
	};
	const run = async (args: unknown, more: Partial<ToolExecution> = {}, itemId?: string): Promise<ToolResult> =>
		(await prepare(args, itemId)).run(executionOf(more));
	const displayOf = ({ display }: ToolResult) => {
		assert.ok(display?.kind === 'command');
		return display;
	};

	it('has a short description', () => {
		const { definition } = tool;
		assert.equal(definition.name, 'Bash');
		assert.ok(definition.description.length < 700);
		assert.deepEqual(definition.parameters['required'], ['command']);
	});

	describe('before it runs', () => {
		it('says what it would do', async () => {
			const call = await prepare({
				command: `rm -rf node_modules && npm install --save-exact something-with-a-long-name`,
			});
			assert.equal(call.title, 'Run rm -rf node_modules && npm install --save-exact something-wi…');
			assert.equal(call.detail, 'rm -rf node_modules && npm install --save-exact something-with-a-long-name');
			assert.deepEqual([call.assessment.effect, call.access], ['destructive', 'exclusive']);
			assert.equal((await prepare({ command: 'ls' })).access, 'shared');
			assert.equal(
				(await prepare({ command: 'npm test' })).assessment.sessionKey?.label,
				'`npm test` (exactly this command)',
			);
		});

		it('hides nothing in the title', async () => {
			assert.equal((await prepare({ command: 'ls \u202e x\nrm y' })).title, 'Run ls <U+202E> x…');
		});

		it('takes the names that other agents use', async () => {
			assert.equal((await prepare({ cmd: 'ls', timeout: '5', is_background: 'false', description: 'x' })).detail, 'ls');
		});

		for (const args of [{}, { command: '' }, { command: '  ' }, { command: 'a\0b' }, { command: 5 }, null, 'ls']) {
			it(`refuses ${JSON.stringify(args)} and says how to call it`, async () => {
				const prepared = await tool.prepare(args, contextOf('x'));
				assert.ok('invalid' in prepared && prepared.invalid.startsWith('Bash was not run:'));
			});
		}
	});

	describe('result', () => {
		it('is everything where that is short', async () => {
			const result = await run({ command: 'echo out; echo err >&2' });
			assert.equal(result.ok, true);
			assert.match(result.output, /^Exit code: 0 \| stdout: 1 line \| stderr: 1 line \| \d\.\d s\nout\nerr$/);
			assert.equal(result.fullOutput, undefined);
			assert.deepEqual(result.display, {
				...{
					kind: 'command',
					tail: 'out\nerr\n',
					exitCode: 0,
					signal: null,
					timedOut: false,
					processId: null,
					totalBytes: 8,
				},
			});
			assert.match((await run({ command: 'true' })).output, /\n\(no output\)$/);
		});

		it('of a failing command is no failure of the tool', async () => {
			const result = await run({ command: 'exit 7' });
			assert.deepEqual([result.ok, displayOf(result).exitCode], [true, 7]);
			assert.match(result.output, /^Exit code: 7/);
			const killed = await run({ command: 'kill -SEGV $$' });
			assert.match(killed.output, /^Ended by SIGSEGV/);
			assert.equal(displayOf(killed).signal, 'SIGSEGV');
		});

		it('of a long one has counts, the last 50 lines of errors, then the last 20 others; all is kept', async () => {
			const result = await run({ command: 'for i in $(seq 1 300); do echo "out $i"; echo "err $i" >&2; done' });
			const lines = result.output.split('\n');
			assert.match(lines[0] ?? '', /^Exit code: 0 \| stdout: 300 lines \| stderr: 300 lines/);
			assert.equal(lines[1], 'stderr, last 50 of 300 lines:');
			assert.deepEqual([lines[2], lines[51]], ['err 251', 'err 300']);
			assert.equal(lines[52], 'stdout, last 20 of 300 lines:');
			assert.deepEqual([lines[53], lines[72]], ['out 281', 'out 300']);
			assert.match(lines[73] ?? '', /RecallContext/);
			assert.equal(result.fullOutput?.match(/^(?:out|err) \d+$/gm)?.length, 600);
		});

		it('keeps to what the model can take, whatever the lines are', async () => {
			const result = await run({
				command: 'for i in $(seq 1 60); do head -c 50000 /dev/zero | tr "\\0" x; echo; done | tee /dev/stderr',
			});
			assert.ok(result.output.length < caps.resultChars + 500, String(result.output.length));
			assert.match(result.output, /\[48000 more characters\]/);
			assert.ok(Buffer.byteLength(displayOf(result).tail) <= 16 * 1024);
			assert.equal(displayOf(result).totalBytes, 6_000_120);
		});

		it('has a tail of at most 16 KiB of whole characters', async () => {
			const { tail } = displayOf(await run({ command: 'for i in $(seq 1 3000); do echo "x😀é$i"; done' }));
			assert.ok(Buffer.byteLength(tail) <= 16 * 1024 && Buffer.byteLength(tail) > 15 * 1024);
			assert.ok(tail.endsWith('x😀é3000\n') && !tail.includes('\ufffd'));
		});

		it('collapses progress, and shows no control characters', async () => {
			const result = await run({ command: `printf '\\r10%%\\r50%%\\r100%%\\n\\033[31mred\\033[0m\\n'` });
			assert.match(result.output, /\n100%\nred$/);
		});

		it('of a timeout is 124, with the output so far and the remedy', async () => {
			const result = await run({ command: 'echo partial; sleep 100', timeout: 0.1 });
			assert.equal(result.ok, false);
			assert.match(
				result.output,
				/^Exit code: 124 .*\nEnded after 0\.1 s, its timeout\..*background: true\.\npartial$/,
			);
			assert.deepEqual([displayOf(result).exitCode, displayOf(result).timedOut], [124, true]);
		});

		it('of a command that left something running says so', async () => {
			const result = await run({ command: 'sleep 100 & echo started' });
			assert.match(result.output, /left running was ended.*background: true.*\nstarted$/s);
		});

		it('has the notes of the session', async () => {
			assert.match((await run({ command: 'true' }, {}, 'denied')).output, /\nDenied: x\.test:443\.\n/);
		});

		it('of a command that cannot be started is the reason', async () => {
			const result = await run({ command: `true ${'x'.repeat(200_000)}` });
			assert.deepEqual([result.ok, result.display], [false, undefined]);
			assert.match(result.output, /too long/);
		});
	});

	it('streams the output to the card', async () => {
		let card = '';
		const result = await run(
			{ command: 'for i in 1 2 3; do echo $i; sleep 0.05; done' },
			{ output: (offset, text) => (card = card.slice(0, offset) + text) },
		);
		assert.equal(card, '1\n2\n3\n');
		assert.equal(displayOf(result).tail, card);
	});

	it('is told to the host, with what protects', async () => {
		await run({ command: 'true' }, {}, 'shown');
		const { started } = shown.at(-1)!;
		assert.deepEqual(started, {
			...{
				sessionId: 's',
				itemId: 'shown',
				command: 'true',
				cwd: folder,
				protection: 'egress filtered',
				background: false,
			},
		});
		await until(() => events.includes('hidden shown'), 'the end of the showing');
	});

	it('gives commands no secrets, the proxies, and nobody to talk to', async () => {
		const { output } = await run({ command: 'env' }, {}, 'proxied');
		assert.doesNotMatch(output, /hunter2/);
		for (const line of [
			'AWS_PROFILE=dev',
			'CI=1',
			'PAGER=cat',
			'GIT_TERMINAL_PROMPT=0',
			'HTTPS_PROXY=http://proxied@127.0.0.1:1',
			`PWD=${folder}`,
		]) {
			assert.ok(output.split('\n').includes(line), line);
		}
	});

	it('returns within 100 ms of an interrupt, with the output so far, and leaves nothing', async () => {
		const abort = new AbortController();
		const result = run({ command: 'trap "" TERM; echo begun; while :; do sleep 1; done' }, { signal: abort.signal });
		await until(() => shown.at(-1)?.running.screenTail().includes('begun') === true, 'its start');
		const { running } = shown.at(-1)!;
		const before = performance.now();
		abort.abort();
		const { ok, output } = await result;
		assert.ok(performance.now() - before < 500);
		assert.equal(ok, false);
		assert.match(output, /Interrupted\. Output so far:\nbegun$/);
		await running.finished;
		assert.deepEqual(membersOf(running.pid ?? 0), []);
	});

	describe('control', () => {
		it('kills by the id of the call', async () => {
			const result = run({ command: 'sleep 100' }, {}, 'to-kill');
			await until(() => processes.control('to-kill', { type: 'kill' }), 'its start');
			assert.match((await result).output, /The user ended this command\./);
			assert.equal(processes.control('to-kill', { type: 'kill' }), false);
			assert.equal(processes.control('nobody', { type: 'kill' }), false);
		});

		it('types into a command that was started for that, and into no other', async () => {
			const result = run({ command: 'read x; echo "got $x"', interactive: true }, {}, 'typed');
			await until(() => processes.control('typed', { type: 'input', text: 'yes\n' }), 'its start');
			assert.match((await result).output, /got yes$/);
			const other = run({ command: 'sleep 0.1' }, {}, 'closed');
			await until(() => shown.at(-1)?.started.itemId === 'closed', 'its start');
			assert.equal(processes.control('closed', { type: 'input', text: 'x' }), false);
			await other;
		});

		it('moves a command to the background: the call returns at once, the command goes on', async () => {
			const result = run({ command: 'echo begun; sleep 0.3; echo ended' }, {}, 'moved');
			await until(() => shown.at(-1)?.running.screenTail().includes('begun') === true, 'its start');
			assert.equal(processes.control('moved', { type: 'background' }), true);
			const { ok, output, display } = await result;
			const processId = (display as { processId: string }).processId;
			assert.equal(ok, true);
			assert.match(
				output,
				new RegExp(`^Running .*\\nIt goes on in the background as ${processId}\\. Output so far:\\nbegun$`),
			);
			assert.ok(events.includes(`started ${processId}`));
			assert.equal(processes.control(processId, { type: 'background' }), false);
			await until(() => events.includes(`ended ${processId} 0`), 'its end');
			assert.equal(processes.background.get(processId)?.running.screenTail(), 'begun\nended\n');
		});

		it('pauses the clock of one call', async () => {
			const result = run({ command: 'sleep 0.4; echo done', timeout: 0.3 }, {}, 'paused');
			await until(() => shown.at(-1)?.started.itemId === 'paused', 'its start');
			const pause = processes.pauseClock('paused');
			assert.match((await result).output, /done$/);
			pause[Symbol.dispose]();
		});
	});

	describe('in the background', () => {
		it('returns at once with an id; the command goes on without a timeout and can be killed by either id', async () => {
			const { output, display } = await run({ command: 'echo up; cat; sleep 100', background: true }, {}, 'server');
			const { processId } = display as { processId: string };
			assert.match(output, /in the background as process:\d+/);
			assert.ok(processes.control(processId, { type: 'input', text: 'typed\n' }));
			const running = processes.background.get(processId)?.running;
			await until(() => running?.screenTail() === 'up\ntyped\n', 'its output');
			assert.ok(processes.control('server', { type: 'kill' }));
			await until(() => events.some((event) => event.startsWith(`ended ${processId}`)), 'its end');
			assert.deepEqual(membersOf(running?.pid ?? 0), []);
		});

		it('tells a command that fails at once as what it is', async () => {
			const { output, display } = await run({ command: 'nosuchprogram', background: true });
			assert.match(output, /^Exit code: 127/);
			assert.equal((display as { processId: unknown }).processId, null);
		});
	});

	it('runs the same in a folder with a blank in its name', async () => {
		writeFileSync(join(folder, 'a file.txt'), 'content');
		assert.match((await run({ command: 'cat "a file.txt"' })).output, /content$/);
	});
});
