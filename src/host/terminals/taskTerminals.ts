import type { RunningCommand } from '../../processes/index.ts';
import { TaskTerminal, type ShownCommand } from './taskTerminal.ts';

/**
 * The task terminals of this window: one for each session, and one more for each command that goes on in the background.
 * A terminal is made with the first command that it shows.
 */
export class TaskTerminals implements Disposable {
	readonly #terminals = new Map<string, TaskTerminal>();
	/** Which terminal shows a tool call. */
	readonly #byItem = new Map<string, string>();

	/** @returns what ends the showing: the command goes on. */
	showCommand(
		shown: ShownCommand & { readonly sessionId: string; readonly itemId: string; readonly background: boolean },
		running: RunningCommand,
	): Disposable {
		const key = shown.background ? `${shown.sessionId}/${shown.itemId}` : shown.sessionId;
		const name = shown.background ? `Belay: ${shown.command.split('\n', 1)[0]?.slice(0, 30) ?? ''}` : 'Belay';
		this.#byItem.set(shown.itemId, key);
		return this.#get(key, name).attach(running, shown);
	}

	/** Shows the terminal of a tool call, or of the session where that has none. @returns false where there is none. */
	reveal(sessionId: string, itemId?: string): boolean {
		const key = (itemId === undefined ? undefined : this.#byItem.get(itemId)) ?? sessionId;
		const terminal = this.#terminals.get(key) ?? this.#terminals.get(sessionId);
		terminal?.show();
		return terminal !== undefined;
	}

	/** The session is closed: so are its terminals. */
	forget(sessionId: string): void {
		for (const [key, terminal] of [...this.#terminals]) {
			if (key === sessionId || key.startsWith(`${sessionId}/`)) {
				this.#terminals.delete(key);
				terminal[Symbol.dispose]();
			}
		}
	}

	[Symbol.dispose](): void {
		for (const terminal of this.#terminals.values()) {
			terminal[Symbol.dispose]();
		}
		this.#terminals.clear();
	}

	#get(key: string, name: string): TaskTerminal {
		const known = this.#terminals.get(key);
		if (known !== undefined) {
			return known;
		}
		const terminal = new TaskTerminal(name, () => {
			if (this.#terminals.get(key) === terminal) {
				this.#terminals.delete(key);
			}
		});
		this.#terminals.set(key, terminal);
		return terminal;
	}
}
