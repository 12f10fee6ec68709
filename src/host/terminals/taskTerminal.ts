import * as vscode from 'vscode';
import { revealHidden, type RunningCommand } from '../../processes/index.ts';

/** Enough to scroll back to when the terminal is shown late; a terminal that is not shown keeps nothing itself. */
const KEPT_BYTES = 256 * 1024;

export interface ShownCommand {
	readonly command: string;
	readonly cwd: string;
	/** What protects the machine from the command, in words. */
	readonly protection: string;
}

/**
 * A VS Code terminal that shows commands as they run, one after the other, each under a line that says what, where and
 * with what protection. What is typed goes to the command that runs. It is never shown unasked.
 */
export class TaskTerminal implements vscode.Pseudoterminal, Disposable {
	readonly #terminal: vscode.Terminal;
	readonly #write = new vscode.EventEmitter<string>();
	readonly #onClosed: () => void;
	#kept: string[] = [];
	#keptBytes = 0;
	#open = false;
	#running: RunningCommand | undefined;

	readonly onDidWrite = this.#write.event;

	/** @param onClosed the user closed the terminal, or it was disposed. */
	constructor(name: string, onClosed: () => void) {
		this.#onClosed = onClosed;
		this.#terminal = vscode.window.createTerminal({ name, pty: this, iconPath: new vscode.ThemeIcon('shield') });
	}

	/** Shows the terminal, without taking the focus. */
	show(): void {
		this.#terminal.show(true);
	}

	/** @returns what ends the showing: the command goes on. */
	attach(running: RunningCommand, shown: ShownCommand): Disposable {
		this.#running = running;
		const where = vscode.l10n.t('in {0} · {1}', shown.cwd, shown.protection);
		this.#say(`\x1b[1m$ ${toTerminal(revealHidden(shown.command))}\x1b[0m\r\n\x1b[2m${toTerminal(where)}\x1b[0m\r\n`);
		const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
		const data = running.onData((chunk, stream) => {
			this.#say(toTerminal(decoders[stream].decode(chunk, { stream: true })));
		});
		void running.finished.then(({ exitCode, signal, durationMs }) => {
			data[Symbol.dispose]();
			if (this.#running === running) {
				this.#running = undefined;
			}
			const how =
				exitCode === null ? vscode.l10n.t('ended by {0}', signal ?? '?') : vscode.l10n.t('exit code {0}', exitCode);
			this.#say(`\r\n\x1b[2m${how} · ${(durationMs / 1000).toFixed(1)} s\x1b[0m\r\n\r\n`);
		});
		return data;
	}

	open(): void {
		this.#open = true;
		for (const text of this.#kept) {
			this.#write.fire(text);
		}
	}

	handleInput(data: string): void {
		const running = this.#running;
		if (running === undefined) {
			return;
		}
		if (data === '\x03') {
			running.kill('user');
			return;
		}
		const line = data.replaceAll('\r', '\n');
		if (running.input(line)) {
			this.#say(toTerminal(line));
		}
	}

	/** VS Code's: the user closed the terminal. What runs goes on. */
	close(): void {
		this.#open = false;
		this.#onClosed();
	}

	[Symbol.dispose](): void {
		this.#terminal.dispose();
		this.#write.dispose();
	}

	#say(text: string): void {
		this.#kept.push(text);
		this.#keptBytes += text.length;
		while (this.#keptBytes > KEPT_BYTES && this.#kept.length > 1) {
			this.#keptBytes -= this.#kept.shift()?.length ?? 0;
		}
		if (this.#open) {
			this.#write.fire(text);
		}
	}
}

/** A terminal fed by hand needs the carriage returns that a real one's driver adds. */
function toTerminal(text: string): string {
	return text.replace(/\r?\n/g, '\r\n');
}
