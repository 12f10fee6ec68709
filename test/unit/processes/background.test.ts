import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BackgroundProcesses } from '../../../src/processes/index.ts';
import { ENV, isRunning, membersOf, ProcessBench, until } from './processBench.ts';

describe('background processes', () => {
	let bench: ProcessBench;
	before(() => {
		bench = new ProcessBench();
	});
	after(() => bench[Symbol.asyncDispose]());

	it('go on when the turn is interrupted, and have no timeout', async () => {
		const abort = new AbortController();
		const running = await bench.start('sleep 0.3; echo end', { timeoutMs: 100 }, abort.signal);
		const ended: string[] = [];
		const registry = new BackgroundProcesses();
		const { processId } = registry.add(running, 'item', (process, end) =>
			ended.push(`${process.processId} ${String(end.exitCode)}`),
		);
		abort.abort();
		assert.equal(processId, 'process:1');
		assert.equal((await running.finished).exitCode, 0);
		assert.deepEqual(ended, ['process:1 0']);
		assert.equal(registry.get('process:1')?.running.screenTail(), 'end\n');
		assert.equal(registry.kill('process:1'), false);
		await registry[Symbol.asyncDispose]();
	});

	it('keep what their shell left running, until they are killed', async () => {
		const running = await bench.start('sleep 100 >/dev/null & echo $!', { background: true });
		const registry = new BackgroundProcesses();
		registry.add(running, 'item', () => undefined);
		await until(() => /\d+\n/.test(running.screenTail()), 'the number');
		const pid = Number(running.screenTail());
		assert.equal(isRunning(pid), true);
		assert.equal(running.end, undefined);
		assert.equal(registry.kill('process:1'), true);
		assert.equal((await running.finished).cause, 'user');
		assert.equal(isRunning(pid), false);
	});

	it('are listed, forgotten when they are many and over, and end with the registry', async () => {
		const registry = new BackgroundProcesses();
		const first = registry.add(await bench.start('sleep 100'), 'item', () => undefined);
		for (let index = 0; index < 22; index++) {
			const running = await bench.start('true');
			registry.add(running, 'item', () => undefined);
			await running.finished;
		}
		assert.equal(registry.list().length, 21);
		assert.equal(registry.list()[0]?.processId, first.processId);
		await registry[Symbol.asyncDispose]();
		assert.deepEqual(membersOf(first.running.pid ?? 0), []);
	});
});

describe('the reaper', () => {
	const HOST = `
		import { CommandRunner, Reaper } from '${join(process.cwd(), 'src/processes/index.ts')}';
		const runner = new CommandRunner({ reaper: new Reaper(), spoolDirectory: '/tmp' });
		const env = ${JSON.stringify(ENV)};
		const done = await runner.start({ command: 'true', cwd: '/', env });
		await done.finished;
		const stubborn = await runner.start({ command: 'trap "" TERM; sleep 100 & while :; do sleep 1; done', cwd: '/', env });
		const server = await runner.start({ command: 'sleep 100', cwd: '/', env, background: true });
		console.log(JSON.stringify([stubborn.pid, server.pid]));
	`;

	const startHost = async () => {
		const host = spawn(process.execPath, ['--input-type=module', '-e', HOST], {
			stdio: ['ignore', 'pipe', 'inherit'],
			detached: true,
		});
		const [line] = (await once(host.stdout, 'data')) as [Buffer];
		return { host, groups: JSON.parse(line.toString()) as number[] };
	};

	for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
		it(`ends every command when the whole group of the host is ended by ${signal}`, async () => {
			const { host, groups } = await startHost();
			assert.ok(groups.every((group) => membersOf(group).length > 0));
			process.kill(-(host.pid ?? 0), signal);
			await until(() => groups.every((group) => membersOf(group).length === 0), 'the end of all commands');
		});
	}
});
