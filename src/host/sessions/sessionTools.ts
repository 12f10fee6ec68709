import { homedir, tmpdir } from 'node:os';
import * as path from 'node:path';
import type { EgressRow, Logger, SessionLink, ToolRuntimeFactory } from '../../engine/index.ts';
import { HostFilter, SessionEgress, type AskEgress } from '../../egress/index.ts';
import { FileTracker, PathRules, SessionFiles, WorkspacePaths, type OpenDocuments } from '../../files/index.ts';
import { CommandRunner, type Reaper } from '../../processes/index.ts';
import { BashTool, SessionProcesses } from '../../tools/bash/index.ts';
import { createFileTools } from '../../tools/fileTools.ts';
import type { Ripgrep } from '../../tools/ripgrep.ts';
import { SessionToolRuntime } from '../../tools/toolRuntime.ts';
import type { TaskTerminals } from '../terminals/taskTerminals.ts';

export interface SessionToolsParts {
	readonly documents: OpenDocuments;
	readonly ripgrep: Ripgrep;
	readonly reaper: Reaper;
	readonly terminals: TaskTerminals;
	readonly logger: Logger;
	/** The hosts that the settings allow and deny. */
	readonly egressRules: () => { readonly allow: readonly string[]; readonly deny: readonly string[] };
	/** Told of a pattern that is none, in words. */
	readonly complain: (message: string) => void;
	readonly recordEgress: (rows: readonly EgressRow[]) => Promise<void>;
	/** Absolute: the user's settings and Belay's own data, which no session may change unasked. */
	readonly protectedPaths: readonly string[];
}

/** @returns what makes the tools of a session. Nothing of them is shared with another session. */
export function sessionToolsFactory(parts: SessionToolsParts): ToolRuntimeFactory {
	return (link) => {
		const home = homedir();
		const paths = new WorkspacePaths(new PathRules({ home, protectedPaths: parts.protectedPaths }), home);
		const files = new SessionFiles({ paths, tracker: new FileTracker(), documents: parts.documents });
		const egress = new CommandEgress(link, parts);
		const processes = new SessionProcesses(
			new CommandRunner({ reaper: parts.reaper, spoolDirectory: path.join(tmpdir(), 'belay-output') }),
		);
		egress.pauseWhileAsking((itemId) => processes.pauseClock(itemId));
		const bash = new BashTool({
			processes,
			paths,
			home,
			environment: process.env,
			proxyVariables: (itemId) => egress.variables(itemId),
			protection: () => egress.inWords(),
			notes: (itemId) => egress.denials(itemId),
			host: {
				commandStarted: (started, running) => parts.terminals.showCommand(started, running),
			},
		});
		return new SessionToolRuntime({
			tools: [...createFileTools(files, parts.ripgrep), bash],
			processes,
			start: () => egress.start(),
			holds: [egress, { [Symbol.dispose]: () => parts.terminals.forget(link.sessionId) }],
		});
	};
}

/** The egress proxy of one session's commands, started with the first of them. */
class CommandEgress implements AsyncDisposable {
	readonly #link: SessionLink;
	readonly #egress: SessionEgress;
	readonly #denials = new Map<string, Set<string>>();
	#told: string | undefined;

	constructor(link: SessionLink, parts: SessionToolsParts) {
		this.#link = link;
		const filter = new HostFilter(parts.egressRules());
		for (const { text, reason } of filter.invalid) {
			parts.complain(`“${text}” in the egress settings is left out: ${reason}`);
		}
		const ask: AskEgress = (question) => link.askEgress(question);
		const { logger, recordEgress: record } = parts;
		this.#egress = new SessionEgress({ sessionId: link.sessionId, record, ask, filter, logger });
		this.#egress.onDenied(({ itemId, host, port, rule }) => {
			if (itemId !== null) {
				const said = this.#denials.get(itemId) ?? new Set();
				this.#denials.set(itemId, said.add(`The connection to ${host}:${port} was refused: ${rule}.`));
			}
		});
	}

	/** Starts the proxy, and tells what it protects where that has changed. */
	async start(): Promise<void> {
		const { egress, reason } = await this.#egress.start();
		const state = `${egress} ${reason ?? ''}`;
		if (state !== this.#told) {
			this.#told = state;
			this.#link.protectionChanged({
				egress,
				...(reason === undefined ? {} : { egressReason: reason }),
				sandbox: 'advisory',
				sandboxReason: 'Commands run without a kernel sandbox: a program that ignores the proxy is not stopped.',
			});
		}
	}

	/** @returns the variables that send a tool call's traffic through the proxy. */
	async variables(itemId: string): Promise<Record<string, string>> {
		await this.start();
		return this.#egress.environment({ itemId });
	}

	/** What protects the machine from a command now. */
	inWords(): string {
		const { egress, reason } = this.#egress.protection();
		return egress === 'filtered' ? 'egress: filtered, sandbox: advisory' : `egress: unfiltered (${reason ?? ''})`;
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
		await this.#egress[Symbol.asyncDispose]();
	}
}
