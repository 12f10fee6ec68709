import type { CommandEnd, CommandRunner, CommandSpec, RunningCommand } from '../../processes/index.ts';
import { BackgroundProcesses } from '../../processes/index.ts';
import type { ProcessAction, ProcessController } from '../toolRuntime.ts';

interface Foreground {
	readonly running: RunningCommand;
	readonly moved: () => void;
}

/** The commands of one session that run now: those that the model waits for, and those in the background. */
export class SessionProcesses implements ProcessController {
	readonly background = new BackgroundProcesses();
	readonly #runner: CommandRunner;
	readonly #foreground = new Map<string, Foreground>();

	/** @param runner is disposed with this. */
	constructor(runner: CommandRunner) {
		this.#runner = runner;
	}

	/** Starts a command for a tool call. What goes wrong is told by its `finished`. */
	start(spec: CommandSpec, signal: AbortSignal): Promise<RunningCommand> {
		return this.#runner.start(spec, signal);
	}

	/**
	 * Waits for a command under the id of its tool call, by which it can be controlled meanwhile.
	 * @returns how it ended, or `moved` when the user let it go on in the background.
	 */
	async wait(itemId: string, running: RunningCommand): Promise<CommandEnd | 'moved'> {
		const { promise, resolve } = Promise.withResolvers<'moved'>();
		this.#foreground.set(itemId, { running, moved: () => resolve('moved') });
		try {
			return await Promise.race([running.finished, promise]);
		} finally {
			this.#foreground.delete(itemId);
		}
	}

	control(processId: string, action: ProcessAction): boolean {
		const foreground = this.#foreground.get(processId);
		const running = foreground?.running ?? this.#findBackground(processId);
		if (running === undefined || running.end !== undefined) {
			return false;
		}
		switch (action.type) {
			case 'kill':
				running.kill('user');
				return true;
			case 'background':
				foreground?.moved();
				return foreground !== undefined;
			case 'input':
				return running.input(action.text);
		}
	}

	/** The timeout of a tool call's command, or of all where it is not known whose, does not run until disposed. */
	pauseClock(itemId: string | null): Disposable {
		const running = itemId === null ? undefined : this.#foreground.get(itemId)?.running;
		return running?.pauseClock() ?? this.#runner.pauseClocks();
	}

	/** By its own id, or by that of the tool call that started it. */
	#findBackground(id: string): RunningCommand | undefined {
		const found = this.background.get(id) ?? this.background.list().find(({ itemId }) => itemId === id);
		return found?.running;
	}

	/** Ends all of them. */
	async [Symbol.asyncDispose](): Promise<void> {
		await Promise.all([this.background[Symbol.asyncDispose](), this.#runner[Symbol.asyncDispose]()]);
	}
}
