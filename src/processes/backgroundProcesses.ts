import type { CommandEnd } from './commandSpec.ts';
import type { RunningCommand } from './runningCommand.ts';

/** Ended processes whose output is still there to be read. */
const MAX_ENDED = 20;

export interface BackgroundProcess {
	/** `process:1`, `process:2`, ... */
	readonly processId: string;
	/** The tool call that started it. */
	readonly itemId: string;
	readonly running: RunningCommand;
}

/** The commands of one session that go on in the background. */
export class BackgroundProcesses implements AsyncDisposable {
	readonly #processes = new Map<string, BackgroundProcess>();
	#count = 0;

	/** Takes a command over: from now on this owns it. @param onEnd is called once, when it has ended. */
	add(
		running: RunningCommand,
		itemId: string,
		onEnd: (process: BackgroundProcess, end: CommandEnd) => void,
	): BackgroundProcess {
		running.moveToBackground();
		const process: BackgroundProcess = { processId: `process:${++this.#count}`, itemId, running };
		this.#processes.set(process.processId, process);
		void running.finished.then((end) => {
			this.#forgetOld();
			onEnd(process, end);
		});
		return process;
	}

	get(processId: string): BackgroundProcess | undefined {
		return this.#processes.get(processId);
	}

	/** In the order of their start; the ended ones that are not yet forgotten too. */
	list(): readonly BackgroundProcess[] {
		return [...this.#processes.values()];
	}

	/** @returns false where no such process runs. */
	kill(processId: string): boolean {
		const process = this.#processes.get(processId);
		if (process === undefined || process.running.end !== undefined) {
			return false;
		}
		process.running.kill('user');
		return true;
	}

	#forgetOld(): void {
		const ended = this.list().filter(({ running }) => running.end !== undefined);
		for (const { processId, running } of ended.slice(0, -MAX_ENDED)) {
			this.#processes.delete(processId);
			void running[Symbol.asyncDispose]();
		}
	}

	/** Kills all of them. */
	async [Symbol.asyncDispose](): Promise<void> {
		const all = this.list();
		this.#processes.clear();
		await Promise.all(all.map(({ running }) => running[Symbol.asyncDispose]()));
	}
}
