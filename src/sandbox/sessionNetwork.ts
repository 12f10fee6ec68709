import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { findExecutable } from './executables.ts';
import { SandboxError } from './sandboxError.ts';

export interface SessionNetworkOptions {
	/** The unix socket of the session's proxies; without one there is no way out at all. */
	readonly egressSocket: string | undefined;
	/** Where the bridge to it listens inside, on 127.0.0.1. */
	readonly bridgePort: number;
	/** A Node or Electron program, for the bridge where there is no socat. */
	readonly nodePath: string;
	/** Tests say false. */
	readonly useSocat?: boolean;
}

/** Copies between TCP and the unix socket; each end's closing is told to the other. */
const NODE_BRIDGE = `
const net = require('node:net');
const [port, path] = process.argv.slice(1);
net.createServer({ allowHalfOpen: true }, (tcp) => {
	const unix = net.connect({ path, allowHalfOpen: true });
	const end = () => { tcp.destroy(); unix.destroy(); };
	tcp.on('error', end).pipe(unix);
	unix.on('error', end).pipe(tcp);
}).listen(Number(port), '127.0.0.1', () => console.log('listening on ' + port));
`;

/** What the bridge says when it accepts connections: socat with `-d -d`, and the others here. */
const READY = /listening on/;
const START_TIMEOUT_MS = 10_000;
/** Of what a failed start said. */
const MAX_MESSAGE = 2000;

/** Its own process namespace so that the bridge and its children end with it, and it with this process. */
const HOLDER_ARGUMENTS = [
	...['--unshare-user', '--unshare-net', '--unshare-pid', '--cap-drop', 'ALL', '--die-with-parent'],
	...['--info-fd', '3', '--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--'],
];

/**
 * The network of one session's commands: a namespace with nothing but loopback, held open by one process, which is the
 * bridge to the session's proxies. It is one for the session, not one for each command, so that a command reaches the
 * server that an earlier one started in the background, and so that no command waits for a bridge.
 */
export class SessionNetwork implements Disposable {
	readonly #options: SessionNetworkOptions;
	#starting: Promise<number> | undefined;
	#holder: ChildProcess | undefined;
	#disposed = false;

	constructor(options: SessionNetworkOptions) {
		this.#options = options;
	}

	/**
	 * Starts it if need be, again if it has ended.
	 * @returns the number of a process in the namespaces, for nsenter, when the bridge accepts connections.
	 * @throws a SandboxError, and an Error after the session's end.
	 */
	start(): Promise<number> {
		this.#starting ??= this.#start().catch((error: unknown) => {
			this.#stop();
			throw error;
		});
		return this.#starting;
	}

	async #start(): Promise<number> {
		if (this.#disposed) {
			throw new Error('The session has ended.');
		}
		const bwrap = requireExecutable('bwrap', 'bubblewrap');
		const holder = spawn(bwrap, [...HOLDER_ARGUMENTS, ...this.#program()], {
			cwd: '/',
			env: { PATH: '/usr/bin:/bin', ELECTRON_RUN_AS_NODE: '1' },
			stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
			// A group of its own: Ctrl+C in a terminal of the host is not meant for it.
			detached: true,
		});
		this.#holder = holder;
		holder.once('exit', () => {
			if (this.#holder === holder) {
				this.#stop();
			}
		});
		holder.on('error', () => undefined);
		holder.stdin.on('error', () => undefined);
		const pid = await waitUntilReady(holder);
		unreference(holder);
		return pid;
	}

	#program(): string[] {
		const { egressSocket, bridgePort, nodePath, useSocat } = this.#options;
		if (egressSocket === undefined) {
			return ['/bin/sh', '-c', 'echo listening on nothing; exec cat'];
		}
		const socat = useSocat === false ? undefined : findExecutable('socat');
		return socat === undefined
			? [nodePath, '-e', NODE_BRIDGE, '--', String(bridgePort), egressSocket]
			: [
					...[socat, '-d', '-d', '-t', '86400'],
					`TCP4-LISTEN:${bridgePort},bind=127.0.0.1,reuseaddr,fork,nodelay,backlog=128`,
					`UNIX-CONNECT:${escapeSocat(egressSocket)}`,
				];
	}

	#stop(): void {
		this.#starting = undefined;
		this.#holder?.kill('SIGKILL');
		this.#holder = undefined;
	}

	/** Ends the bridge. Commands that still run have no way out then. */
	[Symbol.dispose](): void {
		this.#disposed = true;
		this.#stop();
	}
}

/** @throws a SandboxError. */
export function requireExecutable(name: string, packageName: string): string {
	const path = findExecutable(name);
	if (path === undefined) {
		throw new SandboxError(`The sandbox needs ${name}, which was not found.`, `Install the package ${packageName}.`);
	}
	return path;
}

async function waitUntilReady(holder: ChildProcess): Promise<number> {
	const [, stdout, stderr, info] = holder.stdio as (Readable | null)[];
	const limit = AbortSignal.timeout(START_TIMEOUT_MS);
	let said = '';
	let about = '';
	info?.setEncoding('utf8').on('data', (chunk: string) => (about += chunk));
	const ready = new Promise<void>((resolve) => {
		const look = () => {
			if (READY.test(said) && /"child-pid": \d+/.test(about)) {
				resolve();
			}
		};
		for (const stream of [stdout, stderr]) {
			// It goes on reading, or the bridge would wait for us some day.
			stream?.setEncoding('utf8').on('data', (chunk: string) => {
				said = (said + chunk).slice(0, MAX_MESSAGE);
				look();
			});
		}
		info?.on('data', look);
	});
	const ended = once(holder, 'exit', { signal: limit }).then(() => {
		throw explainStart(said);
	});
	await Promise.race([ready, ended]);
	// Whatever comes of the race's loser is of no interest.
	ended.catch(() => undefined);
	return Number(/"child-pid": (\d+)/.exec(about)?.[1]);
}

function explainStart(said: string): SandboxError {
	const detail = said.trim().split('\n')[0] ?? '';
	const remedy = /permission|not permitted|not allow|namespace/i.test(said)
		? 'This system does not let programs make user namespaces: allow it (kernel.unprivileged_userns_clone=1 or user.max_user_namespaces; on Ubuntu an AppArmor profile for bwrap), or run in a container that does.'
		: 'Check that bubblewrap works on this system.';
	return new SandboxError(`The sandbox's network could not be made: ${detail.replace(/\.*$/, '')}.`, remedy);
}

/** This process may end while it runs: it dies with it. */
function unreference(holder: ChildProcess): void {
	holder.unref();
	for (const stream of holder.stdio) {
		(stream as { unref?: () => void } | null)?.unref?.();
	}
}

/** socat's addresses give these characters a meaning. */
function escapeSocat(path: string): string {
	return path.replace(/[\\:,!"'([{\s]/g, '\\$&');
}
