import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type ListenOptions, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findShell, type WrappedCommand } from '../processes/index.ts';
import { BubblewrapSandbox } from './bubblewrap.ts';
import { SandboxError } from './sandboxError.ts';

/** Whether commands are really kept in: shown by a trial run, not by what is installed. */
export type SandboxState =
	{ readonly state: 'enforced' } | { readonly state: 'advisory'; readonly reason: string; readonly remedy: string };

const BRIDGE_PORT = 3128;
const TIMEOUT_MS = 20_000;
const ANSWER = 'bridge works';
const REMEDY = 'Update bubblewrap, and check that “bwrap --unshare-all --ro-bind / / true” works in a terminal.';
const PID_NAMESPACE = '/proc/self/ns/pid';

let probing: Promise<SandboxState> | undefined;

/** @returns whether the sandbox holds on this computer, found out once for this process. Never rejects. */
export function probeSandbox(): Promise<SandboxState> {
	probing ??= probe();
	return probing;
}

async function probe(): Promise<SandboxState> {
	if (process.platform !== 'linux') {
		const reason = `Belay has no kernel sandbox for ${process.platform === 'darwin' ? 'macOS' : process.platform} yet.`;
		return { state: 'advisory', reason, remedy: 'Work in a dev container or over SSH on Linux.' };
	}
	if (!findShell().endsWith('/bash')) {
		return { state: 'advisory', reason: 'The trial run needs bash, which was not found.', remedy: 'Install bash.' };
	}
	try {
		return await runTrial();
	} catch (error) {
		if (error instanceof SandboxError) {
			return { state: 'advisory', reason: error.reason, remedy: error.remedy };
		}
		const message = error instanceof Error ? error.message : String(error);
		const reason = `The trial run of the sandbox failed: ${message}`;
		return { state: 'advisory', reason, remedy: REMEDY };
	}
}

async function runTrial(): Promise<SandboxState> {
	await using cleanUp = new AsyncDisposableStack();
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'belay-trial-')));
	cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
	const workspace = join(folder, 'workspace');
	await mkdir(join(workspace, 'protected'), { recursive: true });
	await writeFile(join(workspace, 'secret'), 'secret');
	const egressSocket = join(folder, 'egress.sock');
	const direct = await listen(createServer(), { port: 0, host: '127.0.0.1' }, cleanUp);
	const proxy = createServer((client) => client.on('error', () => undefined).end(`${ANSWER}\n`));
	await listen(proxy, { path: egressSocket }, cleanUp);
	const sandbox = cleanUp.use(
		new BubblewrapSandbox({
			workspaceRoots: [workspace],
			writable: [],
			readOnly: [join(workspace, 'protected'), join(workspace, 'missing')],
			hidden: [join(workspace, 'secret')],
			egressSocket,
			bridgePort: BRIDGE_PORT,
		}),
	);
	const outside = [join(folder, 'outside'), join(homedir(), `.belay-trial-${randomUUID()}`)];
	cleanUp.defer(async () => {
		await Promise.all(outside.map((path) => rm(path, { force: true }).catch(() => undefined)));
	});
	const { port } = direct.address() as AddressInfo;
	const env = {
		PATH: '/usr/bin:/bin',
		OUTSIDE: outside.join('\n'),
		PORT: String(port),
		PIDS: await readlink(PID_NAMESPACE),
	};
	const output = await run(await sandbox.wrap({ command: TRIAL, cwd: workspace, env }), workspace);
	sandbox.afterCommand();
	const escaped = outside.some((path) => existsSync(path)) ? ['A command can write outside the workspace.'] : [];
	return judge([...escaped, ...output], existsSync(join(workspace, 'inside')));
}

/** Says what is possible and must not be, and at the end what the bridge answers. */
const TRIAL = `
echo written > inside
while IFS= read -r path; do (echo x > "$path") 2>/dev/null; done <<< "$OUTSIDE"
{ (echo x > protected/file) || (echo x > missing/file) || mv missing other; } 2>/dev/null && echo 'A command can write to protected folders.'
[ -s secret ] && echo 'A command can read hidden files.'
(exec 3<>/dev/tcp/127.0.0.1/$PORT) 2>/dev/null && echo 'A command can reach the network directly.'
[ "$(readlink ${PID_NAMESPACE})" = "$PIDS" ] && echo 'A command can reach other processes.'
exec 3<>/dev/tcp/127.0.0.1/${BRIDGE_PORT} && IFS= read -r -t 10 answer <&3 && echo "$answer"
`;

function judge(output: readonly string[], wroteInside: boolean): SandboxState {
	const last = output.at(-1) ?? 'The trial run said nothing.';
	if (last === ANSWER && output.length === 1 && wroteInside) {
		return { state: 'enforced' };
	}
	const reason =
		last === ANSWER ? (output.find((line) => line !== ANSWER) ?? 'A command cannot write to the workspace.') : last;
	return { state: 'advisory', reason: `The trial run of the sandbox failed: ${reason}`, remedy: REMEDY };
}

async function listen(server: Server, at: ListenOptions, cleanUp: AsyncDisposableStack): Promise<Server> {
	server.listen(at);
	await once(server, 'listening');
	cleanUp.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
	return server;
}

/** @returns the lines that the command said. */
async function run({ file, args, env }: WrappedCommand, cwd: string): Promise<string[]> {
	const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
	}
	try {
		await once(child, 'close', { signal: AbortSignal.timeout(TIMEOUT_MS) });
	} finally {
		endGroup(child.pid);
	}
	return said.split('\n').filter((line) => line !== '');
}

function endGroup(pid: number | undefined): void {
	try {
		if (pid !== undefined) {
			process.kill(-pid, 'SIGKILL');
		}
	} catch {
		// It has ended, as it should.
	}
}
