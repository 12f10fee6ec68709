import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '../engine/ports/index.ts';
import type { CommandOutput, StreamName, StreamSummary } from './commandOutput.ts';
import type { CommandEnd, CommandSpec } from './commandSpec.ts';
import { TIMEOUT_EXIT_CODE } from './commandSpec.ts';
import type { OutputListener } from './outputDeltas.ts';
import { PausableTimer } from './pausableTimer.ts';
import { ProcessGroup } from './processGroup.ts';

/** After the shell's end: how long the pipes must be quiet, and how long they may stay busy, until the rest is killed. */
const QUIET_MS = 250;
const DRAIN_MS = 2000;
const POLL_MS = 25;
/** How often a background command whose shell has ended is looked at. */
const LINGER_POLL_MS = 500;
/** Bytes that may wait for the disk before the command has to wait. */
const MAX_BACKLOG = 4 * 1024 * 1024;

/** Bytes as they come, with colours. */
export type DataListener = (chunk: Buffer, stream: StreamName) => void;

/** A process that was started, and the ends of its pipes. */
export interface SpawnedProcess {
	readonly child: ChildProcess;
	readonly pid: number;
	readonly stdout: Readable | null;
	readonly stderr: Readable | null;
}

export interface RunningCommandParts {
	readonly spec: CommandSpec;
	readonly clock: Clock;
	readonly output: CommandOutput;
	/** Undefined where it could not be started: then `error` says why. */
	readonly process: SpawnedProcess | undefined;
	readonly error: string | undefined;
}

/** A command from its start to its end, and its output after that until it is disposed. */
export class RunningCommand implements AsyncDisposable {
	readonly command: string;
	readonly cwd: string;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	/** Settles when the command has ended and its output is complete. Never rejects. */
	readonly finished: Promise<CommandEnd>;
	readonly #clock: Clock;
	readonly #output: CommandOutput;
	readonly #process: SpawnedProcess | undefined;
	readonly #group: ProcessGroup | undefined;
	readonly #dataListeners = new Set<DataListener>();
	#timer: PausableTimer | undefined;
	#background: boolean;
	#cause: CommandEnd['cause'] = 'exit';
	#end: CommandEnd | undefined;
	#lastDataAt: number;
	#openPipes = 0;
	#throttled = false;
	#onPipesClosed: (() => void) | undefined;

	constructor({ spec, clock, output, process, error }: RunningCommandParts) {
		this.command = spec.command;
		this.cwd = spec.cwd;
		this.startedAt = clock.now();
		this.#clock = clock;
		this.#output = output;
		this.#process = process;
		this.#background = spec.background === true;
		this.#lastDataAt = this.startedAt;
		this.#group = process && new ProcessGroup(process.pid, clock);
		this.finished = this.#run(process, error).then((end) => {
			this.#end = end;
			this.#timer?.[Symbol.dispose]();
			this.#output.end();
			return end;
		});
		if (spec.timeoutMs !== undefined && this.#group !== undefined) {
			this.#timer = new PausableTimer(clock, spec.timeoutMs, () => this.kill('timeout'));
		}
	}

	/** The number of the process that leads the command's group; undefined where none was started. */
	get pid(): number | undefined {
		return this.#group?.id;
	}

	/** How it ended; undefined while it runs. */
	get end(): CommandEnd | undefined {
		return this.#end;
	}

	get isBackground(): boolean {
		return this.#background;
	}

	/** stdin is open: see {@link CommandSpec.openStdin}. */
	get acceptsInput(): boolean {
		return this.#end === undefined && this.#process?.child.stdin?.writable === true;
	}

	/** Bytes as they come, from now on. */
	onData(listener: DataListener): Disposable {
		this.#dataListeners.add(listener);
		return { [Symbol.dispose]: () => this.#dataListeners.delete(listener) };
	}

	/** What a terminal shows, as changes, from now on: see `itemDelta` in the protocol for the meaning of `offset`. */
	onOutput(listener: OutputListener): Disposable {
		return this.#output.onOutput(listener);
	}

	/** Ends the command and all of its group: SIGTERM, and SIGKILL after 500 ms. Does nothing when it has ended. */
	kill(cause: 'user' | 'timeout' | 'interrupt'): void {
		if (this.#end === undefined && this.#cause === 'exit' && this.#group !== undefined) {
			this.#cause = cause;
			void this.#group.terminate();
		}
	}

	/** @returns false where stdin is not open. A `\u0004` at the end (Ctrl+D) closes it. */
	input(text: string): boolean {
		const stdin = this.#process?.child.stdin;
		if (!this.acceptsInput || stdin === undefined || stdin === null) {
			return false;
		}
		if (text.endsWith('\u0004')) {
			stdin.end(text.slice(0, -1));
		} else {
			stdin.write(text);
		}
		return true;
	}

	/** The timeout does not run until the result is disposed. */
	pauseClock(): Disposable {
		return this.#timer?.pause() ?? { [Symbol.dispose]: () => undefined };
	}

	/** It may run for ever from now on, and is no longer ended by an interrupt. */
	moveToBackground(): void {
		this.#background = true;
		this.#timer?.[Symbol.dispose]();
	}

	summary(stream: StreamName): StreamSummary {
		return this.#output.summary(stream);
	}

	/** @returns the end of what a terminal shows: at most 16 k characters. */
	screenTail(): string {
		return this.#output.screenTail();
	}

	/** @returns all that a terminal showed; of more than 10 MB, beginning and end. */
	fullText(): Promise<string> {
		return this.#output.fullText();
	}

	/** Sends the output deltas that wait. */
	flush(): void {
		this.#output.flush();
	}

	async #run(process: SpawnedProcess | undefined, startError: string | undefined): Promise<CommandEnd> {
		const group = this.#group;
		if (process === undefined || group === undefined) {
			return this.#result(null, null, 'failedToStart', false, startError ?? 'The command could not be started.');
		}
		const { child, stdout, stderr } = process;
		this.#listen('stdout', stdout);
		this.#listen('stderr', stderr);
		child.stdin?.on('error', () => undefined);
		const { code, signal } = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
			child.once('exit', (code, signal) => resolve({ code, signal }));
		});
		const killedLeftovers = await this.#drain(group);
		child.stdin?.destroy();
		stdout?.destroy();
		stderr?.destroy();
		if (this.#cause === 'timeout') {
			return this.#result(TIMEOUT_EXIT_CODE, null, 'timeout', false);
		}
		return this.#result(code, signal, this.#cause, killedLeftovers);
	}

	#result(
		exitCode: number | null,
		signal: NodeJS.Signals | null,
		cause: CommandEnd['cause'],
		killedLeftovers: boolean,
		error?: string,
	): CommandEnd {
		const durationMs = this.#clock.now() - this.startedAt;
		return { exitCode, signal, cause, killedLeftovers, durationMs, ...(error === undefined ? {} : { error }) };
	}

	#listen(name: StreamName, stream: Readable | null): void {
		if (stream === null) {
			return;
		}
		this.#openPipes++;
		stream.on('data', (chunk: Buffer) => this.#receive(name, chunk));
		stream.on('error', () => undefined);
		stream.once('close', () => {
			this.#openPipes--;
			if (this.#openPipes === 0) {
				this.#onPipesClosed?.();
			}
		});
	}

	#receive(name: StreamName, chunk: Buffer): void {
		this.#lastDataAt = this.#clock.now();
		this.#output.write(name, chunk);
		for (const listener of this.#dataListeners) {
			listener(chunk, name);
		}
		if (this.#output.backlog > MAX_BACKLOG && !this.#throttled) {
			void this.#throttle();
		}
	}

	/** The command waits until the disk has caught up. */
	async #throttle(): Promise<void> {
		this.#throttled = true;
		const streams = [this.#process?.stdout, this.#process?.stderr];
		streams.forEach((stream) => stream?.pause());
		await this.#output.drained();
		this.#throttled = false;
		this.#lastDataAt = this.#clock.now();
		streams.forEach((stream) => stream?.resume());
	}

	/**
	 * After the shell's end: takes what is still in the pipes, and kills what it left running, unless it may.
	 * @returns whether something was killed.
	 */
	async #drain(group: ProcessGroup): Promise<boolean> {
		const exitAt = this.#clock.now();
		this.#lastDataAt = exitAt;
		while (this.#openPipes > 0 || group.isAlive()) {
			const now = this.#clock.now();
			const patience = this.#throttled || now - this.#lastDataAt < QUIET_MS;
			if (this.#background && this.#cause === 'exit') {
				if (!group.isAlive() && !patience) {
					return false;
				}
				await this.#pause(patience ? POLL_MS : LINGER_POLL_MS);
			} else if (patience && now - exitAt < DRAIN_MS && this.#cause === 'exit') {
				await this.#pause(POLL_MS);
			} else {
				const leftovers = group.isAlive();
				await group.terminate();
				return leftovers && this.#cause === 'exit';
			}
		}
		return false;
	}

	/** Waits, but not longer than until the pipes are closed. */
	async #pause(ms: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const timer = this.#clock.after(ms, resolve);
			this.#onPipesClosed = () => {
				timer[Symbol.dispose]();
				resolve();
			};
		});
		this.#onPipesClosed = undefined;
	}

	/** Ends it when it still runs, and gives its output up. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.kill('interrupt');
		await this.finished;
		this.#dataListeners.clear();
		await this.#output[Symbol.asyncDispose]();
	}
}
