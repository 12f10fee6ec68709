import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shellInvocation, type CommandSpec, type CommandWrapper, type WrappedCommand } from '../processes/index.ts';
import { boundSockets } from './hostSockets.ts';
import { existing, existingSockets, mountArguments } from './mounts.ts';
import { isWithin } from './paths.ts';
import { sharedPlaceholders } from './placeholders.ts';
import { ProtectedPaths } from './protectedPaths.ts';
import { requireExecutable, SessionNetwork } from './sessionNetwork.ts';

export interface BubblewrapOptions {
	/** Absolute and real; they exist. Writable. */
	readonly workspaceRoots: readonly string[];
	/** More folders to write to; those that do not exist are left out. */
	readonly writable: readonly string[];
	/** Not writable, not movable, and where missing not creatable (as a folder). */
	readonly readOnly: readonly string[];
	/** Files that must not come into existence but that no mount can keep from it: {@link BubblewrapSandbox.afterCommand}. */
	readonly watched?: readonly string[];
	/** Folders and files that are empty inside; those that do not exist are left out. */
	readonly hidden: readonly string[];
	/** The unix socket of the session's proxies. Without one commands have no network but their own loopback. */
	readonly egressSocket: string | undefined;
	/** Where the proxies are inside: 127.0.0.1 and this port. */
	readonly bridgePort: number;
	/** For the bridge where there is no socat; this process's own program where absent. */
	readonly nodePath?: string;
	/** Where absent, socat is used if there is one. */
	readonly useSocat?: boolean;
}

/** Where the session keeps what stands for the shared places of the system. */
interface Scratch {
	readonly root: string;
	readonly tmp: string;
	readonly varTmp: string;
	readonly emptyFile: string;
}

/** Variables that name sockets which cannot be reached inside: with them, tools wait or complain. */
const SOCKET_VARIABLES = [
	'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'VSCODE_IPC_HOOK',
	'VSCODE_IPC_HOOK_CLI', 'VSCODE_GIT_IPC_HANDLE', 'VSCODE_GIT_ASKPASS_NODE', 'WAYLAND_DISPLAY', 'DISPLAY',
]; // prettier-ignore
const TEMPORARY_VARIABLES = ['TMPDIR', 'TMP', 'TEMP'];

/**
 * Not `--new-session`: the runner starts every command in a session of its own that has no terminal, and another one
 * would put the command out of reach of the SIGTERM that its group gets. Not `--die-with-parent`: it kills what the
 * shell left running the moment the shell ends, also in the background. The namespace's first process is in the group,
 * so that the group's SIGKILL, the runner's or the reaper's, ends everything inside, also what left the group.
 */
const NAMESPACES = [
	...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
	// Root keeps its capabilities unless told so.
	...['--cap-drop', 'ALL'],
];

/** Runs the commands of one session in bubblewrap: DESIGN.md, "Egress and sandbox". Linux only. */
export class BubblewrapSandbox implements CommandWrapper, AsyncDisposable {
	readonly #options: BubblewrapOptions;
	readonly #network: SessionNetwork;
	readonly #protected: ProtectedPaths;
	#scratch: Scratch | undefined;
	#running = 0;
	#disposed = false;

	/** Starts nothing yet. @throws where a workspace folder is the root of the file system: nothing would be protected. */
	constructor(options: BubblewrapOptions) {
		if (options.workspaceRoots.includes('/')) {
			throw new Error('The workspace folder is /, so a sandbox would protect nothing. Open a folder below it.');
		}
		const { egressSocket, bridgePort, nodePath, useSocat } = options;
		this.#options = options;
		this.#network = new SessionNetwork({
			egressSocket,
			bridgePort,
			nodePath: nodePath ?? process.execPath,
			...(useSocat === undefined ? {} : { useSocat }),
		});
		this.#protected = new ProtectedPaths(options.readOnly, options.watched ?? [], sharedPlaceholders);
	}

	/**
	 * @returns the process to start in `spec.cwd`, as the leader of a session. Its exit code is the shell's, 128 and the
	 * signal's number where a signal ended the shell.
	 * @throws a SandboxError that says what is missing and the remedy.
	 */
	async wrap(spec: Pick<CommandSpec, 'command' | 'cwd' | 'env'>): Promise<WrappedCommand> {
		// At once, and whatever comes: each call is followed by one of afterCommand.
		this.#running++;
		const bwrap = requireExecutable('bwrap', 'bubblewrap');
		const nsenter = requireExecutable('nsenter', 'util-linux');
		const network = await this.#network.start();
		const mounts = this.#mounts();
		const { file, args } = shellInvocation(spec.command);
		return {
			file: nsenter,
			args: [
				// Its credentials stay: only this user is known in there.
				...['--user', '--net', '--preserve-credentials', '--target', String(network), '--', bwrap],
				...NAMESPACES,
				...mounts,
				...['--chdir', spec.cwd, '--', file, ...args],
			],
			env: this.#environment(spec.env),
		};
	}

	/**
	 * To be called once for each {@link wrap}, when the command has ended or could not be started. Takes away the empty
	 * folders that stood for missing protected ones, when no command of this session runs any more.
	 * @returns the protected paths that were created or replaced although no mount could keep them from it: tell the user.
	 */
	afterCommand(): readonly string[] {
		this.#running = Math.max(0, this.#running - 1);
		if (this.#running === 0) {
			this.#protected.release();
		}
		return this.#protected.changed();
	}

	#mounts(): string[] {
		if (this.#disposed) {
			throw new Error('The session has ended.');
		}
		this.#scratch ??= makeScratch();
		const { workspaceRoots, writable, hidden } = this.#options;
		const all = existing([...workspaceRoots, ...writable]);
		return mountArguments({
			...this.#protected.prepare(all),
			...this.#scratch,
			writable: all,
			hidden: existing(hidden).filter((path) => !all.includes(path)),
			sockets: existingSockets(boundSockets()),
		});
	}

	#environment(env: Readonly<Record<string, string>>): Record<string, string> {
		const { workspaceRoots, writable } = this.#options;
		const isUsable = (path: string) =>
			path === '/tmp' || path === '/var/tmp' || [...workspaceRoots, ...writable].some((each) => isWithin(path, each));
		const kept = Object.entries(env).filter(([name]) => !SOCKET_VARIABLES.includes(name));
		return Object.fromEntries(
			kept.map(([name, value]) => [
				name,
				TEMPORARY_VARIABLES.includes(name) && !isUsable(value.replace(/(?<=.)\/+$/, '')) ? '/tmp' : value,
			]),
		);
	}

	/** Ends the bridge, and removes the session's temporary files. The commands have ended by then. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#disposed = true;
		this.#network[Symbol.dispose]();
		this.#protected[Symbol.dispose]();
		const root = this.#scratch?.root;
		this.#scratch = undefined;
		if (root !== undefined) {
			await removeAll(root);
		}
	}
}

function makeScratch(): Scratch {
	// Made with mode 0700.
	const root = mkdtempSync(join(tmpdir(), 'belay-sandbox-'));
	const scratch = { root, tmp: join(root, 'tmp'), varTmp: join(root, 'var-tmp'), emptyFile: join(root, 'empty') };
	for (const folder of [scratch.tmp, scratch.varTmp]) {
		mkdirSync(folder);
		// As everywhere; the mask would take bits away from mkdir.
		chmodSync(folder, 0o1777);
	}
	writeFileSync(scratch.emptyFile, '', { mode: 0o444 });
	return scratch;
}

/** Also folders that their maker made read-only, as Go's module cache. What is left then is the system's to tidy. */
async function removeAll(root: string): Promise<void> {
	const options = { recursive: true, force: true, maxRetries: 2 } as const;
	await rm(root, options).catch(async () => {
		await promisify(execFile)('chmod', ['-R', 'u+rwX', '--', root]).catch(() => undefined);
		await rm(root, options).catch(() => undefined);
	});
}
