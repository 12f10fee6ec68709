import * as assert from 'node:assert/strict';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BubblewrapSandbox, probeSandbox } from '../../../src/sandbox/index.ts';
import { ESCAPES } from './escapes.ts';
import { BRIDGE_PORT, SandboxBench, until } from './sandboxBench.ts';

describe('bubblewrap sandbox', () => {
	let bench: SandboxBench;
	before(async () => {
		bench = await new SandboxBench().open();
	});
	after(() => bench[Symbol.asyncDispose]());

	describe('does not let a command', () => {
		for (const [name, command] of ESCAPES) {
			it(name, async () => {
				const { text } = await bench.run(command, { timeoutMs: 8000 });
				assert.doesNotMatch(text, /ESCAPED/);
				assert.doesNotMatch(text, /command not found|bwrap:|nsenter: .*(?:exec|failed to find)/);
			});
		}

		it('change anything outside or leave anything in the workspace by all that', () => {
			assert.deepEqual(readdirSync(bench.base).sort(), [
				'agent.sock',
				'file',
				'netrc',
				'secrets',
				'spool',
				'workspace',
			]);
			assert.deepEqual(readdirSync(bench.workspace).sort(), ['.git', 'agent.sock', 'link']);
			assert.equal(readFileSync(join(bench.base, 'file'), 'utf8'), 'original\n');
			assert.equal(readFileSync(join(bench.workspace, '.git/hooks/pre-push'), 'utf8'), 'original\n');
			assert.deepEqual(readdirSync(join(bench.base, 'secrets')), ['key']);
		});
	});

	describe('lets a command', () => {
		const WORKS: readonly (readonly [name: string, command: string, expected: string | RegExp])[] = [
			[
				'write as npm does',
				'mkdir -p node_modules/.bin/x; echo 1 > package.json.tmp; mv package.json.tmp package.json; ln -s ../a node_modules/.bin/a; chmod +x package.json; rm -r node_modules; cat package.json; rm package.json',
				'1\n',
			],
			['write to /tmp and /var/tmp', 'echo a > /tmp/a && echo b > /var/tmp/b && cat /tmp/a /var/tmp/b', 'a\nb\n'],
			['find its files in /tmp in the next command', 'cat /tmp/a; rm /tmp/a', 'a\n'],
			['use here documents and process substitution', 'cat <<E\nhere\nE\ncat <(echo there)', 'here\nthere\n'],
			[
				'use git',
				'git status --short >/dev/null && echo 1 > f && git add f && git -c user.name=a -c user.email=a@b commit -qm m && git log --format=%s && git checkout -qb other && git branch --show-current',
				'm\nother\n',
			],
			['be the same user in the same folder', 'id -u; pwd', new RegExp(`^${process.getuid!()}\\n.*/workspace\\n$`)],
			[
				'reach the proxy with curl',
				`curl -sS -x http://127.0.0.1:${BRIDGE_PORT} http://example.test/a`,
				'proxied GET http://example.test/a\n',
			],
			[
				'reach it many times at once',
				`for i in 1 2 3 4 5 6 7 8; do curl -sS -x http://127.0.0.1:${BRIDGE_PORT} http://e.test/ & done; wait`,
				'proxied GET http://e.test/\n'.repeat(8),
			],
			['read its stdin to the end at once', 'cat; echo done', 'done\n'],
			[
				'write to /dev/stderr, /dev/null and read /dev/urandom',
				'echo e > /dev/stderr; head -c 3 /dev/urandom > /dev/null; echo o',
				/^e\no\n$/,
			],
			[
				'have quotes, dollars and newlines as they are',
				`printf '%s|' "a 'b'" '$HOME "x"' 'c\nd' --chdir`,
				`a 'b'|$HOME "x"|c\nd|--chdir|`,
			],
			[
				'make sockets of its own',
				'socat UNIX-LISTEN:own.sock SYSTEM:"echo own" & until [ -S own.sock ]; do :; done; socat -u UNIX-CONNECT:own.sock -; rm -f own.sock',
				'own\n',
			],
		];
		for (const [name, command, expected] of WORKS) {
			it(name, async () => {
				const { end, text } = await bench.run(command);
				if (typeof expected === 'string') {
					assert.equal(text, expected);
				} else {
					assert.match(text, expected);
				}
				assert.deepEqual([end.exitCode, end.killedLeftovers], [0, false]);
			});
		}

		for (const [command, code] of [
			['exit 0', 0],
			['exit 3', 3],
			['kill -TERM $$', 143],
			['kill -SEGV $$', 139],
			['nonexistent-x', 127],
		] as const) {
			it(`end with ${code}: ${command}`, async () => {
				assert.equal((await bench.run(command)).end.exitCode, code);
			});
		}

		it('write a megabyte, in order', async () => {
			const { text } = await bench.run('seq 1 160000');
			const lines = text.trimEnd().split('\n');
			assert.equal(lines.length, 160_000);
			assert.ok(lines.every((line, index) => line === String(index + 1)));
		});

		it('read what is typed', async () => {
			await using running = await bench.start('read a; echo "got $a"', { openStdin: true });
			running.input('hello\n');
			await running.finished;
			bench.sandbox.afterCommand();
			assert.equal(running.screenTail(), 'got hello\n');
		});

		it('have its environment as given, without what names sockets outside, and with a temporary folder', async () => {
			const { text } = await bench.run('env', {
				env: { PATH: '/usr/bin', A: 'x y', SSH_AUTH_SOCK: '/run/agent', TMPDIR: '/tmp/user/1' },
			});
			const lines = text.split('\n').filter((line) => !/^(?:PWD|SHLVL|_)=/.test(line));
			assert.deepEqual(lines.sort(), ['', 'A=x y', 'PATH=/usr/bin', 'TMPDIR=/tmp']);
		});
	});

	describe('processes', () => {
		it('get SIGTERM and their time when the command is ended', async () => {
			await using running = await bench.start(
				`trap 'echo cleaned; exit 5' TERM; echo ready; while :; do sleep 0.05; done`,
			);
			await until(() => running.screenTail().includes('ready'), 'the trap');
			running.kill('user');
			const end = await running.finished;
			bench.sandbox.afterCommand();
			assert.equal(end.cause, 'user');
			assert.match(running.screenTail(), /cleaned/);
		});

		it('die with the command, also those that left its session', async () => {
			const marker = 87_000 + (process.pid % 1000);
			const { end } = await bench.run(`setsid sleep ${marker} >/dev/null 2>&1 </dev/null & exit 0`);
			assert.deepEqual([end.exitCode, end.killedLeftovers], [0, true]);
			assert.equal(isRunning(`sleep\0${marker}\0`), false);
		});

		it('may finish their work after the shell, and live on in the background', async () => {
			assert.equal((await bench.run('echo a > >(sleep 0.1; cat)')).text, 'a\n');
			await using server = await bench.start(
				'socat TCP4-LISTEN:4567,bind=127.0.0.1,fork,reuseaddr SYSTEM:"echo served" & sleep 0.1; echo up',
				{ background: true },
			);
			await until(() => server.screenTail().includes('up'), 'the server');
			const { text } = await bench.run(
				'until (exec 3<>/dev/tcp/127.0.0.1/4567) 2>/dev/null; do :; done; socat -u TCP4:127.0.0.1:4567 -',
			);
			assert.equal(text, 'served\n');
			server.kill('user');
			await server.finished;
			bench.sandbox.afterCommand();
		});
	});
});

describe('bubblewrap sandbox: protected paths', () => {
	let bench: SandboxBench;
	beforeEach(() => {
		bench = new SandboxBench();
	});
	afterEach(() => bench[Symbol.asyncDispose]());

	it('keeps a folder that is a link, and tells when the link is replaced', async () => {
		mkdirSync(join(bench.workspace, 'settings'));
		symlinkSync('settings', join(bench.workspace, '.vscode'));
		await bench.open();
		await using blocked = await bench.start('echo x > .vscode/a; echo x > settings/a');
		await blocked.finished;
		assert.deepEqual(bench.sandbox.afterCommand(), []);
		assert.deepEqual(readdirSync(join(bench.workspace, 'settings')), []);
		await using replaced = await bench.start('rm .vscode; mkdir .vscode');
		await replaced.finished;
		assert.deepEqual(bench.sandbox.afterCommand(), [join(bench.workspace, '.vscode')]);
		assert.deepEqual(bench.sandbox.afterCommand(), []);
	});

	it('tells when a repository appears, and protects it from then on', async () => {
		rmSync(join(bench.workspace, '.git'), { recursive: true });
		await bench.open();
		await using init = await bench.start('git init -q . && mkdir -p .git/hooks && echo x > .git/commondir');
		assert.equal((await init.finished).exitCode, 0);
		const at = (name: string) => join(bench.workspace, name);
		assert.deepEqual([...bench.sandbox.afterCommand()].sort(), [
			at('.git/commondir'),
			at('.git/config'),
			at('.git/hooks'),
		]);
		assert.equal((await bench.run('echo x >> .git/config')).end.exitCode, 1);
	});

	it('keeps an empty stand-in as long as one command runs, and what the user puts there', async () => {
		await bench.open();
		await using long = await bench.start('echo up; sleep 100');
		await until(() => long.screenTail().includes('up'), 'the command');
		await bench.run('true');
		assert.deepEqual([bench.has('.vscode'), bench.has('.belay')], [true, true]);
		writeFileSync(join(bench.workspace, '.vscode/mine.json'), '{}');
		assert.equal((await bench.run('echo x > .vscode/a')).end.exitCode, 1);
		long.kill('user');
		await long.finished;
		bench.sandbox.afterCommand();
		assert.deepEqual([bench.has('.vscode/mine.json'), bench.has('.belay')], [true, false]);
	});

	it('serves a workspace in /tmp, an extra folder and no way out', async () => {
		const parent = realpathSync(mkdtempSync(join(tmpdir(), 'belay-test-')));
		await using other = new SandboxBench(parent);
		other.cleanUp.defer(() => rmSync(parent, { recursive: true, force: true }));
		mkdirSync(join(other.base, 'cache'));
		await other.open({ egressSocket: undefined });
		const { text } = await other.run(
			`echo a > a; echo b > "$BASE/cache/b"; echo c > "$BASE/c"; cat "$BASE/secrets/key"; (exec 3<>/dev/tcp/127.0.0.1/${BRIDGE_PORT}) || echo closed`,
		);
		assert.match(text, /closed/);
		assert.doesNotMatch(text, /TOPSECRET/);
		assert.deepEqual([other.has('a'), other.has('../cache/b'), other.has('../c')], [true, true, false]);
	});

	it('bridges with Node where there is no socat', async () => {
		await bench.open({ useSocat: false });
		const { text } = await bench.run(`curl -sS -x http://127.0.0.1:${BRIDGE_PORT} -d x=1 http://example.test/`);
		assert.equal(text, 'proxied POST http://example.test/\n');
	});

	it('takes its temporary files and its bridge away at the end', async () => {
		await bench.open();
		await bench.run('mkdir -p /tmp/a/b && touch /tmp/a/b/c && chmod 500 /tmp/a/b');
		const mine = () =>
			readdirSync(tmpdir()).filter(
				(name) => name.startsWith('belay-sandbox-') && existsSync(join(tmpdir(), name, 'tmp/a')),
			);
		assert.equal(mine().length, 1);
		await bench.sandbox[Symbol.asyncDispose]();
		assert.deepEqual(mine(), []);
		const { end } = await bench.run('true');
		assert.match(end.error ?? '', /session has ended/);
	});

	it('refuses the root of the file system as a workspace', () => {
		const options = { writable: [], readOnly: [], hidden: [], egressSocket: undefined, bridgePort: 1 };
		assert.throws(() => new BubblewrapSandbox({ workspaceRoots: ['/'], ...options }), /Open a folder below it/);
	});
});

describe('sandbox probe', () => {
	it('shows by a trial run that the sandbox holds, once', async () => {
		const first = probeSandbox();
		assert.equal(probeSandbox(), first);
		assert.deepEqual(await first, { state: 'enforced' });
	});
});

/** @param commandLine as in /proc: parts that end with NUL. */
function isRunning(commandLine: string): boolean {
	return readdirSync('/proc').some((name) => {
		try {
			return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8') === commandLine;
		} catch {
			return false;
		}
	});
}
