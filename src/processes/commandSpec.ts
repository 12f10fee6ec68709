/** A command as it is to run. */
export interface CommandSpec {
	/** For bash. */
	readonly command: string;
	/** Absolute. */
	readonly cwd: string;
	/** All of it: nothing is inherited from this process. */
	readonly env: Readonly<Record<string, string>>;
	/** Milliseconds; without it the command may run for ever. */
	readonly timeoutMs?: number;
	/**
	 * Keeps stdin open for {@link RunningCommand.input}. Otherwise stdin is at its end from the start, so that whatever
	 * asks gets no answer instead of waiting. It has to be said at the start: a reader cannot be given both.
	 */
	readonly openStdin?: boolean;
	/** Lives on when the turn ends, and what it started lives on when the shell ends. */
	readonly background?: boolean;
}

/** The process to start for a command. */
export interface WrappedCommand {
	readonly file: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** Puts a command into a sandbox, or into nothing but a shell. */
export interface CommandWrapper {
	/** @throws an Error that says what is missing and the remedy. */
	wrap(spec: Pick<CommandSpec, 'command' | 'cwd' | 'env'>): WrappedCommand | Promise<WrappedCommand>;
}

/** How a command came to its end. */
export interface CommandEnd {
	/** 124 after a timeout; null where a signal ended it, or where it could not be started. */
	readonly exitCode: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly cause: 'exit' | 'timeout' | 'user' | 'interrupt' | 'failedToStart';
	/** Set for `failedToStart`: what is wrong and the remedy. */
	readonly error?: string;
	/** The shell had ended but processes that it had started went on: they were killed. */
	readonly killedLeftovers: boolean;
	readonly durationMs: number;
}

/** The exit code of a command that ran out of time, as with timeout(1). */
export const TIMEOUT_EXIT_CODE = 124;
