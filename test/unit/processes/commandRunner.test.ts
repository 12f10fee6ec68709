import * as assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { join } from 'node:path';
import type { RunningCommand } from '../../../src/processes/index.ts';
import { ENV, isRunning, membersOf, ProcessBench, until } from './processBench.ts';

describe('running commands', () => {
	let bench: ProcessBench;
	before(() => {
		bench = new ProcessBench();
	});
	after(() => bench[Symbol.asyncDispose]());

	const pidIn = async (running: RunningCommand): Promise<number> => {
		await until(() => /\d+\n/.test(running.screenTail()), 'a process number');
		return Number(/(\d+)\n/.exec(running.screenTail())?.[1]);
	};

	describe('end', () => {
		it('tells the exit code and keeps both streams apart', async () => {
			const { end, running, text } = await bench.run('echo out; echo err >&2; exit 3');
			assert.deepEqual(
				{ ...end, durationMs: 0 },
				{ exitCode: 3, signal: null, cause: 'exit', killedLeftovers: false, durationMs: 0 },
			);
			assert.deepEqual(running.summary('stdout'), { bytes: 4, lines: 1, tail: ['out'] });
			assert.deepEqual(running.summary('stderr'), { bytes: 4, lines: 1, tail: ['err'] });
			assert.equal(text, 'out\nerr\n');
		});

		it('tells the signal that ended it', async () => {
			const { end } = await bench.run('kill -SEGV $$');
			assert.deepEqual([end.exitCode, end.signal, end.cause], [null, 'SIGSEGV', 'exit']);
		});

		it('is the exit, not the closing of the pipes: what was left running is ended', async () => {
			const running = await bench.start('sleep 100 & echo $!');
			const end = await running.finished;
			assert.deepEqual([end.exitCode, end.cause, end.killedLeftovers], [0, 'exit', true]);
			assert.ok(end.durationMs < 5000);
			assert.deepEqual(membersOf(running.pid ?? 0), []);
		});

		it('ends what was left running although it holds no pipe', async () => {
			const running = await bench.start('sleep 100 >/dev/null 2>&1 </dev/null & echo $!');
			const end = await running.finished;
			assert.equal(end.killedLeftovers, true);
			assert.equal(isRunning(await pidIn(running)), false);
		});

		it('lets a process substitution finish its work', async () => {
			const { text, end } = await bench.run('echo a > >(sleep 0.1; cat)');
			assert.deepEqual([text, end.killedLeftovers], ['a\n', false]);
		});

		it('does not wait for a process that left the group, and cannot end it without a sandbox', async () => {
			const running = await bench.start('setsid sleep 100 & echo $!');
			const end = await running.finished;
			const pid = await pidIn(running);
			assert.equal(end.exitCode, 0);
			// Documented: only the process namespace of the sandbox reaches it.
			assert.equal(isRunning(pid), true);
			process.kill(pid, 'SIGKILL');
		});

		it('says what is wrong when it cannot be started', async () => {
			const noFolder = await bench.run('true', { cwd: '/nonexistent/folder' });
			assert.equal(noFolder.end.cause, 'failedToStart');
			assert.match(noFolder.end.error ?? '', /\/nonexistent\/folder/);
			const tooLong = await bench.run(`true ${'x'.repeat(300_000)}`);
			assert.match(tooLong.end.error ?? '', /too long.*Write it to a file/);
		});
	});

	describe('kill', () => {
		it('leaves no process of the group, whatever its parts do with signals', async () => {
			const running = await bench.start(
				`bash -c 'trap "" TERM; sleep 100 & wait; wait' & (sleep 100 | cat) & echo $!; wait`,
			);
			await pidIn(running);
			running.kill('user');
			const end = await running.finished;
			assert.deepEqual([end.cause, end.killedLeftovers], ['user', false]);
			assert.deepEqual(membersOf(running.pid ?? 0), []);
		});

		it('ends a stopped process, too', async () => {
			const running = await bench.start('echo $$; kill -STOP $$; echo never');
			await pidIn(running);
			running.kill('user');
			assert.equal((await running.finished).cause, 'user');
		});

		it('lets a process clean up first', async () => {
			const running = await bench.start('trap "echo cleaned; exit" TERM; echo $$; while :; do sleep 0.05; done');
			await pidIn(running);
			running.kill('user');
			await running.finished;
			assert.match(running.screenTail(), /cleaned/);
		});

		it('comes with the abort signal', async () => {
			const abort = new AbortController();
			const running = await bench.start('echo $$; sleep 100', {}, abort.signal);
			await pidIn(running);
			abort.abort();
			assert.equal((await running.finished).cause, 'interrupt');
			const late = await bench.start('sleep 100', {}, abort.signal);
			assert.notEqual((await late.finished).cause, 'exit');
		});
	});

	describe('timeout', () => {
		it('gives 124 and the output so far', async () => {
			const { end, text } = await bench.run('echo partial; sleep 100', { timeoutMs: 150 });
			assert.deepEqual([end.exitCode, end.signal, end.cause, text], [124, null, 'timeout', 'partial\n']);
		});

		it('does not run while the clock is paused', async () => {
			const running = await bench.start('sleep 0.4; echo done', { timeoutMs: 200 });
			const pauses = [running.pauseClock(), bench.runner.pauseClocks()];
			pauses[0]?.[Symbol.dispose]();
			pauses[0]?.[Symbol.dispose]();
			const end = await running.finished;
			assert.deepEqual([end.exitCode, end.cause], [0, 'exit']);
			pauses[1]?.[Symbol.dispose]();
		});
	});

	describe('stdin', () => {
		it('is at its end unless it is opened', async () => {
			const { text } = await bench.run('cat; read x || echo none');
			assert.equal(text, 'none\n');
			const running = await bench.start('cat');
			assert.equal(running.input('x'), false);
		});

		it('takes what is typed, until Ctrl+D, and reads no start-up files', async () => {
			writeFileSync(join(bench.folder, '.bashrc'), 'echo start-up file');
			const running = await bench.start('read name; echo "hello $name"; cat', {
				openStdin: true,
				env: { ...ENV, HOME: bench.folder },
			});
			assert.equal(running.input('you\n'), true);
			await until(() => running.screenTail().includes('hello you'), 'the answer');
			running.input('more\n\u0004');
			assert.equal((await running.finished).exitCode, 0);
			assert.equal(running.screenTail(), 'hello you\nmore\n');
			assert.equal(running.input('late'), false);
		});

		it('has no terminal that could be asked', async () => {
			const { end } = await bench.run('cat < /dev/tty');
			assert.notEqual(end.exitCode, 0);
		});
	});

	describe('commands as they are written', () => {
		const cases: readonly (readonly [name: string, command: string, text: string])[] = [
			['newlines', 'echo a\necho b\n', 'a\nb\n'],
			[
				'a here-document with quotes',
				`cat <<'EOF'\nit's "quoted" $HOME \`x\`\nEOF\necho after`,
				`it's "quoted" $HOME \`x\`\nafter\n`,
			],
			['more than 1,024 bytes', `echo ${'x'.repeat(5000)}`, `${'x'.repeat(5000)}\n`],
			[
				'output to names of streams',
				'echo a > /dev/stderr; echo b | tee /dev/stdout; echo c >> /dev/fd/2',
				'a\nb\nb\nc\n',
			],
			['commas and spaces', `printf '%s|' a, "b c" 'd,e'`, 'a,|b c|d,e|'],
			['other scripts', 'echo grüße 你好 😀', 'grüße 你好 😀\n'],
			['a file name with a blank', 'touch "a b"; ls a*; rm "a b"', 'a b\n'],
		];
		for (const [name, command, expected] of cases) {
			it(`runs ${name}`, async () => {
				assert.equal((await bench.run(command)).text, expected);
			});
		}

		it('gives exactly the environment that was said', async () => {
			process.env['BELAY_TEST_SECRET'] = 'hunter2';
			const { text } = await bench.run('env', { env: { PATH: ENV.PATH, ONE: '1' } });
			delete process.env['BELAY_TEST_SECRET'];
			assert.match(text, /^ONE=1$/m);
			assert.doesNotMatch(text, /hunter2/);
			assert.deepEqual(
				text.match(/^\w+(?==)/gm)?.filter((name) => !/^(?:PATH|ONE|PWD|SHLVL|_)$/.test(name)),
				[],
			);
		});
	});

	describe('output', () => {
		it('joins characters that were split, and marks what is not UTF-8', async () => {
			const { text } = await bench.run(`printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80\\n\\xff\\xfe|\\n'`);
			assert.equal(text, '😀\n\ufffd\ufffd|\n');
		});

		it('gives the bytes as they come to who asks for them', async () => {
			const running = await bench.start("sleep 0.05; printf '\\033[31mred\\033[0m\\n'; printf x >&2");
			const chunks: string[] = [];
			running.onData((chunk, stream) => chunks.push(`${stream}:${chunk.toString()}`));
			await running.finished;
			assert.deepEqual(chunks.sort(), ['stderr:x', 'stdout:\u001b[31mred\u001b[0m\n']);
			assert.match(running.screenTail(), /^(?:red\nx|xred\n)$/);
		});

		it('streams while the command runs, and the deltas put together are what a terminal shows', async () => {
			const running = await bench.start(
				'echo start; for i in 1 2 3 4 5; do printf "\\rprogress $i"; sleep 0.04; done; printf "\\n\\033[1A\\033[2Kgone\\nend\\n"',
			);
			let shown = '';
			const seen: string[] = [];
			running.onOutput((offset, text) => {
				assert.ok(offset <= shown.length);
				shown = shown.slice(0, offset) + text;
				seen.push(shown);
			});
			await running.finished;
			assert.ok(seen.length > 2, `${seen.length} deltas`);
			assert.equal(shown, await running.fullText());
			assert.equal(shown, 'start\ngone\nend\n');
		});

		it('takes 100 MB in bounded memory, keeps beginning and end, and lets the host breathe', async () => {
			const rssBefore = process.memoryUsage().rss;
			let peak = 0;
			let sent = 0;
			let left = 0;
			const stalls = monitorEventLoopDelay({ resolution: 5 });
			stalls.enable();
			const running = await bench.start('echo first; yes | head -c 100000000; echo last', { timeoutMs: 60_000 });
			running.onOutput((offset, text) => {
				left = Math.max(left, offset + text.length);
				sent += text.length;
				peak = Math.max(peak, process.memoryUsage().rss);
			});
			const end = await running.finished;
			stalls.disable();
			assert.equal(end.exitCode, 0);
			assert.deepEqual(running.summary('stdout').lines, 50_000_002);
			assert.equal(running.summary('stdout').bytes, 100_000_011);
			assert.equal(left, 100_000_011);
			assert.ok(sent < 60_000_000, `${sent} characters were sent to the card`);
			assert.ok(peak - rssBefore < 250 * 1024 * 1024, `${Math.round((peak - rssBefore) / 1e6)} MB more memory`);
			const text = await running.fullText();
			assert.ok(text.startsWith('first\ny\n') && text.endsWith('y\nlast\n'));
			assert.ok(text.length < 10.1 * 1024 * 1024);
			assert.match(text, /\n\[\d+ bytes of output were left out here\]\n/);
			await running[Symbol.asyncDispose]();
			assert.deepEqual(readdirSync(join(bench.folder, 'spool')), []);
		}).timeout(60_000);
	});

	it('ends all commands when it is disposed, also those in the background', async () => {
		const own = new ProcessBench();
		const running = await Promise.all([own.start('sleep 100'), own.start('sleep 100 & wait', { background: true })]);
		await own[Symbol.asyncDispose]();
		assert.deepEqual(
			running.flatMap(({ pid }) => membersOf(pid ?? 0)),
			[],
		);
	});
});
