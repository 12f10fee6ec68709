import type { RunningCommand } from '../../processes/index.ts';

export interface StartedCommand {
	readonly sessionId: string;
	readonly itemId: string;
	readonly command: string;
	/** Absolute. */
	readonly cwd: string;
	/** What protects the computer from it, in words. */
	readonly protection: string;
	/** It was started to go on in the background. */
	readonly background: boolean;
}

/** Shows commands while they run: in VS Code, the task terminal. */
export interface CommandHost {
	/** @returns what ends the showing. The command goes on, and its output stays where it is shown. */
	commandStarted(started: StartedCommand, running: RunningCommand): Disposable;
}
