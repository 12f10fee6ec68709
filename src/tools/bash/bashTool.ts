import { z } from 'zod';
import type {
	InvalidCall,
	PreparedCall,
	Tool,
	ToolContext,
	ToolExecution,
	ToolResult,
} from '../../engine/ports/index.ts';
import { delay, systemClock } from '../../engine/ports/index.ts';
import type { WorkspacePaths } from '../../files/index.ts';
import type { CommandEnd, RunningCommand } from '../../processes/index.ts';
import { revealHidden } from '../../processes/index.ts';
import { ToolShape } from '../toolShape.ts';
import { analyseCommand, assessCommand } from './analysis/analyseCommand.ts';
import type { CommandHost } from './commandHost.ts';
import { displayCommand, reportCommand } from './commandReport.ts';
import { commandEnvironment } from './environment.ts';
import type { SessionProcesses } from './sessionProcesses.ts';

/** Seconds: DESIGN.md, Commands. */
const DEFAULT_TIMEOUT = 60;
const MAX_TIMEOUT = 300;
const MIN_TIMEOUT = 0.1;
const TITLE_CHARS = 60;
/** A background command that fails at once is told as such, not as running. */
const EARLY_END_MS = 200;
/** After an interrupt: the command has this long to end before the result is given without it. The engine waits 100 ms. */
const INTERRUPT_MS = 80;

const shape = new ToolShape(
	'Bash',
	'Run a bash command in the workspace folder. Each call is a new shell: use `cd x && y`. stdin is empty, so use ' +
		'non-interactive options. Ends after `timeout` seconds. What a command leaves running is ended with it: start ' +
		'servers and watchers with background: true. Not for reading, searching or editing files: there are tools for that.',
	{
		command: z.string().min(1),
		timeout: z.number().optional().describe('seconds, default 60, at most 300'),
		background: z.boolean().optional().describe('return at once, with an id'),
		interactive: z.boolean().optional().describe('stdin stays open for the user to type'),
	},
	{
		cmd: 'command',
		script: 'command',
		run_in_background: 'background',
		is_background: 'background',
		timeout_seconds: 'timeout',
	},
);

type BashArgs = z.infer<z.ZodObject<{ command: z.ZodString }>> & {
	readonly timeout?: number | undefined;
	readonly background?: boolean | undefined;
	readonly interactive?: boolean | undefined;
};

export interface BashToolOptions {
	readonly processes: SessionProcesses;
	readonly paths: WorkspacePaths;
	/** Absolute and real. */
	readonly home: string;
	/** What commands may inherit from: this process's environment. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Variables that send a tool call's traffic through the session's proxies. */
	readonly proxyVariables?: (itemId: string) => Promise<Readonly<Record<string, string>>>;
	readonly host?: CommandHost;
	/** What protects the computer from commands now, in words. */
	readonly protection?: () => string;
	/** What the model should know of a finished call besides its output: connections that were denied. */
	readonly notes?: (itemId: string) => readonly string[];
}

/** Runs shell commands. One for each session. */
export class BashTool implements Tool {
	readonly definition = shape.definition;
	readonly #options: BashToolOptions;

	constructor(options: BashToolOptions) {
		this.#options = options;
	}

	async prepare(args: unknown, context: ToolContext): Promise<PreparedCall | InvalidCall> {
		const parsed = shape.parse(args);
		if (!parsed.ok) {
			return parsed.call;
		}
		const { command } = parsed.value;
		if (command.trim() === '' || command.includes('\0')) {
			return { invalid: 'Bash was not run: the command is empty or has a NUL character.', title: 'Bash' };
		}
		const place = { cwd: context.cwd, roots: context.roots, home: this.#options.home };
		const assessment = assessCommand(command, await analyseCommand(command, place, this.#options.paths));
		return {
			tool: 'Bash',
			title: `Run ${titleOf(command)}`,
			detail: command,
			assessment,
			access: assessment.effect === 'readOnly' ? 'shared' : 'exclusive',
			run: (execution) => this.#run(parsed.value, context, execution),
		};
	}

	async #run(args: BashArgs, context: ToolContext, execution: ToolExecution): Promise<ToolResult> {
		const { processes, proxyVariables, host, protection } = this.#options;
		const { itemId, sessionId, cwd } = context;
		const { command, background = false } = args;
		const timeout = Math.min(Math.max(MIN_TIMEOUT, args.timeout ?? DEFAULT_TIMEOUT), MAX_TIMEOUT);
		const proxy = (await proxyVariables?.(itemId)) ?? {};
		const spec = {
			command,
			cwd,
			env: commandEnvironment(this.#options.environment, cwd, proxy),
			background,
			// Dev servers end when their stdin does; and only what is in the background can wait for somebody to type.
			openStdin: args.interactive ?? background,
			...(background ? {} : { timeoutMs: timeout * 1000 }),
		};
		const running = await processes.start(spec, execution.signal);
		const started = { sessionId, itemId, command, cwd, protection: protection?.() ?? '', background };
		const shown = host?.commandStarted(started, running);
		void running.finished.then(() => shown?.[Symbol.dispose]());
		const output = running.onOutput(execution.output);
		try {
			const end = await this.#wait(itemId, running, background, execution.signal);
			running.flush();
			if (end === 'moved') {
				return await this.#goOn(running, context, execution);
			}
			return await this.#finish(running, end, context, timeout);
		} finally {
			output[Symbol.dispose]();
		}
	}

	/** @returns how it ended, `moved` when it goes on in the background, or undefined when it was interrupted and goes on. */
	async #wait(
		itemId: string,
		running: RunningCommand,
		background: boolean,
		signal: AbortSignal,
	): Promise<CommandEnd | 'moved' | undefined> {
		const stop = new AbortController();
		const interrupted = new Promise<undefined>((resolve) => {
			const onAbort = () =>
				void delay(systemClock, INTERRUPT_MS, stop.signal).then(
					() => resolve(undefined),
					() => undefined,
				);
			signal.addEventListener('abort', onAbort, { signal: stop.signal });
			if (signal.aborted) {
				onAbort();
			}
		});
		const early = background
			? [
					delay(systemClock, EARLY_END_MS, stop.signal).then(
						() => 'moved' as const,
						() => undefined,
					),
				]
			: [];
		try {
			return await Promise.race([this.#options.processes.wait(itemId, running), interrupted, ...early]);
		} finally {
			stop.abort();
		}
	}

	/** The command goes on, and the model with it. */
	async #goOn(running: RunningCommand, { itemId, caps }: ToolContext, execution: ToolExecution): Promise<ToolResult> {
		const { processId } = this.#options.processes.background.add(running, itemId, (process, end) => {
			execution.processEnded({ processId: process.processId, exitCode: end.exitCode, signal: end.signal });
		});
		execution.processStarted({ processId, command: running.command });
		const note = `It goes on in the background as ${processId}. Output so far:`;
		const report = await reportCommand(running, undefined, caps, [note]);
		return { ok: true, ...report, display: displayCommand(running, undefined, processId) };
	}

	async #finish(
		running: RunningCommand,
		end: CommandEnd | undefined,
		{ itemId, caps }: ToolContext,
		timeout: number,
	): Promise<ToolResult> {
		if (end?.cause === 'failedToStart') {
			void running[Symbol.asyncDispose]();
			return { ok: false, output: end.error ?? 'The command could not be started.' };
		}
		const notes = [...endNotes(end, timeout), ...(this.#options.notes?.(itemId) ?? [])];
		const report = await reportCommand(running, end, caps, notes);
		const display = displayCommand(running, end, null);
		void running[Symbol.asyncDispose]();
		// A failing test run is no failure of the tool; a command that did not get to its end is.
		return { ok: end?.cause === 'exit', ...report, display };
	}
}

function endNotes(end: CommandEnd | undefined, timeout: number): readonly string[] {
	switch (end?.cause) {
		case 'timeout':
			return [
				`Ended after ${timeout} s, its timeout. Give a longer one (at most ${MAX_TIMEOUT}), or use background: true.`,
			];
		case 'user':
			return ['The user ended this command.'];
		case 'interrupt':
		case undefined:
			return ['Interrupted. Output so far:'];
		default:
			return end?.killedLeftovers === true
				? ['What it had left running was ended with it. Use background: true for what has to go on.']
				: [];
	}
}

/** The first line, with nothing hidden in it. */
function titleOf(command: string): string {
	const line = revealHidden(command.trim().split('\n', 1)[0] ?? '');
	const isCut = line.length > TITLE_CHARS || command.trim().includes('\n');
	return isCut ? `${line.slice(0, TITLE_CHARS).toWellFormed().trimEnd()}…` : line;
}
