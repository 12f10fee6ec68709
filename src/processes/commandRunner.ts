import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../engine/ports/index.ts';
import { systemClock } from '../engine/ports/index.ts';
import { CommandOutput } from './commandOutput.ts';
import type { CommandSpec, CommandWrapper } from './commandSpec.ts';
import type { Reaper } from './reaper.ts';
import { RunningCommand } from './runningCommand.ts';
import { plainShell } from './shell.ts';

export interface CommandRunnerOptions {
	readonly reaper: Reaper;
	/** Where output that is too large for memory is kept. Made when it is needed. */
	readonly spoolDirectory: string;
	readonly wrapper?: CommandWrapper;
	readonly clock?: Clock;
}

/**
 * Starts commands, each in a process group of its own, and ends those that still run when it is disposed.
 * One for each session.
 */
export class CommandRunner implements AsyncDisposable {
	readonly #options: CommandRunnerOptions;
	readonly #clock: Clock;
	readonly #running = new Set<RunningCommand>();

	constructor(options: CommandRunnerOptions) {
		this.#options = options;
		this.#clock = options.clock ?? systemClock;
	}

	/**
	 * Starts a command. What goes wrong is told by its `finished`.
	 * @param signal ends the command when it is aborted, unless it is in the background by then.
	 * @returns the command, which the caller disposes when its output is no longer needed.
	 */
	async start(spec: CommandSpec, signal?: AbortSignal): Promise<RunningCommand> {
		const output = new CommandOutput(this.#clock, this.#options.spoolDirectory);
		const { child, error } = await this.#spawn(spec, signal);
		const running = new RunningCommand({ spec, clock: this.#clock, output, child, error });
		const watch = running.pid === undefined ? undefined : this.#options.reaper.watch(running.pid);
		this.#running.add(running);
		const onAbort = () => {
			if (!running.isBackground) {
				running.kill('interrupt');
			}
		};
		signal?.addEventListener('abort', onAbort, { once: true });
		if (signal?.aborted === true) {
			onAbort();
		}
		void running.finished.then(() => {
			watch?.[Symbol.dispose]();
			signal?.removeEventListener('abort', onAbort);
			this.#running.delete(running);
		});
		return running;
	}

	/** The timeouts of the commands that run now do not run until the result is disposed: somebody is asked something. */
	pauseClocks(): Disposable {
		const pauses = [...this.#running].map((running) => running.pauseClock());
		return { [Symbol.dispose]: () => pauses.forEach((pause) => pause[Symbol.dispose]()) };
	}

	async #spawn(
		spec: CommandSpec,
		signal: AbortSignal | undefined,
	): Promise<{ readonly child: ChildProcess | undefined; readonly error: string | undefined }> {
		try {
			const { file, args, env } = await (this.#options.wrapper ?? plainShell).wrap(spec);
			signal?.throwIfAborted();
			const child = spawn(file, args, {
				cwd: spec.cwd,
				env,
				detached: process.platform !== 'win32',
				windowsHide: true,
				stdio: [spec.openStdin === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
			});
			if (child.pid === undefined) {
				const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
				return { child: undefined, error: explain(error, spec) };
			}
			child.on('error', () => undefined);
			return { child, error: undefined };
		} catch (error) {
			return { child: undefined, error: explain(error as NodeJS.ErrnoException, spec) };
		}
	}

	/** Ends all commands, also those in the background. */
	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all([...this.#running].map((running) => running[Symbol.asyncDispose]()));
	}
}

function explain(error: NodeJS.ErrnoException, spec: CommandSpec): string {
	switch (error.code) {
		case 'E2BIG':
			return `The command is too long for the system (${Buffer.byteLength(spec.command)} bytes). Write it to a file and run that.`;
		case 'ENOENT':
		case 'ENOTDIR':
			return `The folder ${spec.cwd} or the shell does not exist. Check the workspace folder.`;
		default:
			return `The command could not be started: ${error.message}`;
	}
}
