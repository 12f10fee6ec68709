import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Clock } from '../engine/ports/index.ts';
import { systemClock } from '../engine/ports/index.ts';
import { CommandOutput } from './commandOutput.ts';
import type { CommandSpec, CommandWrapper, WrappedCommand } from './commandSpec.ts';
import type { Pipe } from './pipePool.ts';
import { PipePool } from './pipePool.ts';
import type { Reaper } from './reaper.ts';
import { RunningCommand, type SpawnedProcess } from './runningCommand.ts';
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
	readonly #pipes: PipePool;

	constructor(options: CommandRunnerOptions) {
		this.#options = options;
		this.#clock = options.clock ?? systemClock;
		this.#pipes = new PipePool(options.spoolDirectory);
	}

	/**
	 * Starts a command. What goes wrong is told by its `finished`.
	 * @param signal ends the command when it is aborted, unless it is in the background by then.
	 * @returns the command, which the caller disposes when its output is no longer needed.
	 */
	async start(spec: CommandSpec, signal?: AbortSignal): Promise<RunningCommand> {
		const output = new CommandOutput(this.#clock, this.#options.spoolDirectory);
		const { process, error } = await this.#spawn(spec, signal);
		const running = new RunningCommand({ spec, clock: this.#clock, output, process, error });
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
	): Promise<{ readonly process: SpawnedProcess | undefined; readonly error: string | undefined }> {
		try {
			const { file, args, env } = await (this.#options.wrapper ?? plainShell).wrap(spec);
			signal?.throwIfAborted();
			return { process: await this.#spawnWithPipes(spec, { file, args, env }), error: undefined };
		} catch (error) {
			return { process: undefined, error: explain(error as NodeJS.ErrnoException, spec) };
		}
	}

	/** @throws the system's error. */
	async #spawnWithPipes(spec: CommandSpec, { file, args, env }: WrappedCommand): Promise<SpawnedProcess> {
		const pipes = [await this.#pipes.take(), await this.#pipes.take()];
		const [out, err] = pipes;
		let isStarted = false;
		try {
			const child = spawn(file, args, {
				cwd: spec.cwd,
				env,
				detached: process.platform !== 'win32',
				windowsHide: true,
				stdio: [spec.openStdin === true ? 'pipe' : 'ignore', out?.write ?? 'pipe', err?.write ?? 'pipe'],
			});
			if (child.pid === undefined) {
				const [error] = (await once(child, 'error')) as [Error];
				throw error;
			}
			child.on('error', () => undefined);
			isStarted = true;
			return { child, pid: child.pid, stdout: readerOf(out) ?? child.stdout, stderr: readerOf(err) ?? child.stderr };
		} finally {
			// The command has its own copies; with ours open, its output would have no end.
			for (const pipe of pipes.filter((pipe) => pipe !== undefined)) {
				closeSync(pipe.write);
				if (!isStarted) {
					closeSync(pipe.read);
				}
			}
		}
	}

	/** Ends all commands, also those in the background. */
	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all([...this.#running].map((running) => running[Symbol.asyncDispose]()));
		this.#pipes[Symbol.dispose]();
	}
}

function readerOf(pipe: Pipe | undefined): Socket | undefined {
	return pipe && new Socket({ fd: pipe.read, readable: true, writable: false });
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
