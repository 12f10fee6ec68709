import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import * as path from 'node:path';
import type { EgressRow, Logger, SessionLink } from '../../engine/index.ts';
import { HostFilter, SessionEgress } from '../../egress/index.ts';
import type { CommandSpec, CommandWrapper, RunningCommand, WrappedCommand } from '../../processes/index.ts';
import { plainShell } from '../../processes/index.ts';
import type { Protection } from '../../protocol/index.ts';
import { BubblewrapSandbox, probeSandbox } from '../../sandbox/index.ts';

export interface CommandProtectionParts {
	readonly logger: Logger;
	/** Absolute, real paths of the workspace's folders. */
	readonly roots: readonly string[];
	/** The hosts that the settings allow and deny. */
	readonly egressRules: () => { readonly allow: readonly string[]; readonly deny: readonly string[] };
	/** Told of a pattern that is none, in words. */
	readonly complain: (message: string) => void;
	readonly recordEgress: (rows: readonly EgressRow[]) => Promise<void>;
	/** Absolute: the user's settings and Belay's own data. */
	readonly protectedPaths: readonly string[];
}

/** Where the proxies are inside the sandbox. */
const BRIDGE_PORT = 3128;
/** Caches that builds write to; what is missing is left out. */
const WRITABLE_HOME = ['.cache', '.npm', '.cargo', '.rustup', '.local/share/pnpm', 'go', '.gradle', '.m2'];
/** Credentials that no build needs. Those of git, ssh and npm stay readable: without them these tools fail. */
const HIDDEN_HOME = ['.aws', '.azure', '.gnupg', '.kube', '.password-store', '.terraform.d', '.vault-token', '.config/gcloud', '.config/op', '.mozilla', '.config/google-chrome', '.local/share/keyrings']; // prettier-ignore
/** DESIGN.md, Trust: what a command must not change in any folder of the workspace. */
const READ_ONLY = ['.git/hooks', '.git/config', '.vscode', '.belay'];

/** What stands between one session's commands and the machine: the egress proxy, and the sandbox where it holds. */
export class CommandProtection implements CommandWrapper, AsyncDisposable {
	readonly #link: SessionLink;
	readonly #parts: CommandProtectionParts;
	readonly #egress: SessionEgress;
	readonly #denials = new Map<string, Set<string>>();
	#sandbox: BubblewrapSandbox | undefined;
	#starting: Promise<Protection> | undefined;
	#protection: Protection | undefined;

	constructor(link: SessionLink, parts: CommandProtectionParts) {
		this.#link = link;
		this.#parts = parts;
		const filter = new HostFilter(parts.egressRules());
		for (const { text, reason } of filter.invalid) {
			parts.complain(`“${text}” in the egress settings is left out: ${reason}`);
		}
		this.#egress = new SessionEgress({
			sessionId: link.sessionId,
			record: parts.recordEgress,
			ask: (question) => link.askEgress(question),
			filter,
			logger: parts.logger,
		});
		this.#egress.onDenied(({ itemId, host, port, rule }) => {
			if (itemId !== null) {
				const said = this.#denials.get(itemId) ?? new Set();
				this.#denials.set(itemId, said.add(`The connection to ${host}:${port} was refused: ${rule}.`));
			}
		});
	}

	/** Starts the proxy, tries the sandbox, and tells what protects: once, unless the proxy fails. */
	async start(): Promise<void> {
		if (this.#protection?.egress === 'filtered') {
			return;
		}
		this.#starting ??= this.#find().finally(() => (this.#starting = undefined));
		const protection = await this.#starting;
		if (JSON.stringify(protection) !== JSON.stringify(this.#protection)) {
			this.#protection = protection;
			this.#link.protectionChanged(protection);
		}
	}

	/** @returns the variables that send a tool call's traffic through the proxy. */
	async variables(itemId: string): Promise<Record<string, string>> {
		await this.start();
		return this.#egress.environment({ itemId, ...(this.#sandbox === undefined ? {} : { port: BRIDGE_PORT }) });
	}

	async wrap(spec: Pick<CommandSpec, 'command' | 'cwd' | 'env'>): Promise<WrappedCommand> {
		return await (this.#sandbox ?? plainShell).wrap(spec);
	}

	/** To be called for each command that was started. */
	follow(running: RunningCommand): void {
		const sandbox = this.#sandbox;
		if (sandbox !== undefined) {
			void running.finished.then(() => {
				for (const changed of sandbox.afterCommand()) {
					this.#parts.complain(`A command changed ${changed}, which is protected. Look at it before you use it.`);
				}
			});
		}
	}

	/** What protects the machine from a command now. */
	inWords(): string {
		const { egress = 'unfiltered', sandbox = 'advisory' } = this.#protection ?? {};
		return `egress: ${egress}, sandbox: ${sandbox}`;
	}

	/** The connections of a call that were refused, told once. */
	denials(itemId: string): readonly string[] {
		const said = this.#denials.get(itemId);
		this.#denials.delete(itemId);
		return [...(said ?? [])];
	}

	/** While the user is asked, the clock of the command that waits stands still. */
	pauseWhileAsking(pause: (itemId: string | null) => Disposable): void {
		const pauses = new Map<string | null, Disposable>();
		this.#egress.onAsking((asking, itemId) => {
			pauses.get(itemId)?.[Symbol.dispose]();
			pauses.delete(itemId);
			if (asking) {
				pauses.set(itemId, pause(itemId));
			}
		});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#sandbox?.[Symbol.asyncDispose]();
		await this.#egress[Symbol.asyncDispose]();
	}

	async #find(): Promise<Protection> {
		const [{ egress, reason: egressReason }, state] = await Promise.all([this.#egress.start(), probeSandbox()]);
		const told = { egress, ...(egressReason === undefined ? {} : { egressReason }) };
		if (state.state === 'advisory') {
			return { ...told, sandbox: 'advisory', sandboxReason: `${state.reason} ${state.remedy}` };
		}
		try {
			this.#sandbox ??= this.#createSandbox();
			return { ...told, sandbox: 'enforced' };
		} catch (error) {
			const sandboxReason = error instanceof Error ? error.message : String(error);
			return { ...told, sandbox: 'advisory', sandboxReason };
		}
	}

	#createSandbox(): BubblewrapSandbox {
		const { roots, protectedPaths } = this.#parts;
		if (roots.length === 0) {
			throw new Error('No folder is open, so there is nothing to confine commands to.');
		}
		const home = homedir();
		const inHome = (names: readonly string[]) =>
			names.map((name) => path.join(home, name)).filter((name) => existsSync(name));
		return new BubblewrapSandbox({
			workspaceRoots: roots,
			writable: inHome(WRITABLE_HOME),
			readOnly: roots.flatMap((root) =>
				READ_ONLY.filter((name) => isPossible(root, name)).map((name) => path.join(root, name)),
			),
			hidden: [...inHome(HIDDEN_HOME), ...protectedPaths],
			egressSocket: this.#egress.socketPath,
			bridgePort: BRIDGE_PORT,
		});
	}
}

/** Nothing stands for hooks in a folder that is no repository: `git init` must work there. */
function isPossible(root: string, name: string): boolean {
	return !name.startsWith('.git/') || existsSync(path.join(root, '.git'));
}
