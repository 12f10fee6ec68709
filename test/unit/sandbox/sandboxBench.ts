import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	CommandRunner,
	Reaper,
	type CommandEnd,
	type CommandSpec,
	type RunningCommand,
} from '../../../src/processes/index.ts';
import { BubblewrapSandbox, type BubblewrapOptions } from '../../../src/sandbox/index.ts';

export const BRIDGE_PORT = 3128;
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir(), LANG: 'C.UTF-8' };

export interface Ran {
	readonly end: CommandEnd;
	/** Both streams, as a terminal shows them. */
	readonly text: string;
}

/**
 * A computer with something to lose: a repository as the workspace, secrets, servers and a process outside of it, and a
 * session whose commands run in the sandbox. `base` stands in the home directory, as /tmp is another one inside.
 */
export class SandboxBench implements AsyncDisposable {
	readonly base: string;
	readonly workspace: string;
	readonly cleanUp = new AsyncDisposableStack();
	#sandbox: BubblewrapSandbox | undefined;
	#runner: CommandRunner | undefined;
	/** For commands: where the things outside are. */
	readonly vars: Record<string, string> = {};

	constructor(parent = process.env['HOME'] ?? homedir()) {
		this.base = realpathSync(mkdtempSync(join(parent, '.belay-test-')));
		this.cleanUp.defer(() => rmSync(this.base, { recursive: true, force: true }));
		this.workspace = join(this.base, 'workspace');
		execFileSync('git', ['init', '-q', this.workspace]);
		mkdirSync(join(this.workspace, '.git/hooks'), { recursive: true });
		writeFileSync(join(this.workspace, '.git/hooks/pre-push'), 'original\n');
		mkdirSync(join(this.base, 'secrets'));
		writeFileSync(join(this.base, 'secrets/key'), 'TOPSECRET\n');
		writeFileSync(join(this.base, 'netrc'), 'TOPSECRET\n');
		writeFileSync(join(this.base, 'file'), 'original\n');
		symlinkSync(this.base, join(this.workspace, 'link'));
	}

	/** Starts the servers outside, and the session. */
	async open(options: Partial<BubblewrapOptions> = {}): Promise<this> {
		const abstract = `\0belay-test-${process.pid}-${Date.now()}`;
		const egressSocket = join(mkdtempSync(join(tmpdir(), 'belay-test-')), 'egress.sock');
		this.cleanUp.defer(() => rmSync(join(egressSocket, '..'), { recursive: true, force: true }));
		const inTmp = join(egressSocket, '../agent.sock');
		const echo = () => createServer((client) => client.on('error', () => undefined).end('REACHED\n'));
		const tcp = await this.#listen(echo(), { port: 0, host: '127.0.0.1' });
		await this.#listen(echo(), { path: abstract });
		await this.#listen(echo(), { path: inTmp });
		await this.#listen(echo(), { path: join(this.base, 'agent.sock') });
		await this.#listen(echo(), { path: join(this.workspace, 'agent.sock') });
		const http = createHttpServer((request, response) => {
			request.resume().on('end', () => response.end(`proxied ${request.method ?? ''} ${request.url ?? ''}\n`));
		});
		await this.#listen(http, { path: egressSocket });
		const at = (name: string) => join(this.workspace, name);
		this.#sandbox = new BubblewrapSandbox({
			workspaceRoots: [this.workspace],
			writable: [join(this.base, 'cache')],
			readOnly: ['.git/hooks', '.git/config', '.vscode', '.belay'].map(at),
			watched: ['.git/commondir', '.git/config.worktree'].map(at),
			hidden: [join(this.base, 'secrets'), join(this.base, 'netrc'), join(this.base, 'missing')],
			egressSocket,
			bridgePort: BRIDGE_PORT,
			...options,
		});
		const reaper = new Reaper();
		this.cleanUp.use(reaper);
		this.cleanUp.use(this.#sandbox);
		this.#runner = new CommandRunner({ reaper, spoolDirectory: join(this.base, 'spool'), wrapper: this.#sandbox });
		this.cleanUp.use(this.#runner);
		Object.assign(this.vars, {
			BASE: this.base,
			WS: this.workspace,
			TCP_PORT: String((tcp.address() as AddressInfo).port),
			ABSTRACT: abstract.slice(1),
			TMP_SOCKET: inTmp,
			OUTSIDE_PID: String(process.pid),
		});
		return this;
	}

	get sandbox(): BubblewrapSandbox {
		return this.#sandbox!;
	}

	async #listen<T extends Server>(server: T, at: ListenOptions): Promise<T> {
		server.listen(at);
		await once(server, 'listening');
		this.cleanUp.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
		return server;
	}

	async start(command: string, more: Partial<CommandSpec> = {}): Promise<RunningCommand> {
		return await this.#runner!.start({ cwd: this.workspace, env: { ...ENV, ...this.vars }, command, ...more });
	}

	async run(command: string, more: Partial<CommandSpec> = {}): Promise<Ran> {
		await using running = await this.start(command, more);
		const end = await running.finished;
		this.sandbox.afterCommand();
		return { end, text: await running.fullText() };
	}

	/** What stands at a path below the workspace: seen from outside. */
	has(name: string): boolean {
		return existsSync(join(this.workspace, name));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.cleanUp[Symbol.asyncDispose]();
	}
}

export async function until(condition: () => boolean, what: string): Promise<void> {
	const limit = Date.now() + 5000;
	while (!condition()) {
		if (Date.now() > limit) {
			throw new Error(`Waited in vain for ${what}.`);
		}
		await new Promise((resolve) => setImmediate(resolve));
	}
}
