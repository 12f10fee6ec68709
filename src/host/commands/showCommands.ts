import * as vscode from 'vscode';
import type { Store } from '../../engine/index.ts';
import type { ShownSession } from '../shownSession.ts';
import type { TaskTerminals } from '../terminals/taskTerminals.ts';
import type { Command } from './command.ts';

const EGRESS_ROWS = 500;

export class ShowTaskTerminalCommand implements Command {
	readonly id = 'belay.showTaskTerminal';
	readonly #shown: ShownSession;
	readonly #terminals: TaskTerminals;
	constructor(shown: ShownSession, terminals: TaskTerminals) {
		this.#shown = shown;
		this.#terminals = terminals;
	}
	execute(): void {
		const { sessionId } = this.#shown;
		if (sessionId === undefined || !this.#terminals.reveal(sessionId)) {
			void vscode.window.showInformationMessage(vscode.l10n.t('This session has not run a command yet.'));
		}
	}
}

/** Shows every connection that the commands of the session tried to make. */
export class ShowEgressLogCommand implements Command {
	readonly id = 'belay.showEgressLog';
	readonly #shown: ShownSession;
	readonly #store: () => Promise<Store>;
	constructor(shown: ShownSession, store: () => Promise<Store>) {
		this.#shown = shown;
		this.#store = store;
	}
	async execute(): Promise<void> {
		const { sessionId } = this.#shown;
		const rows = sessionId === undefined ? [] : await (await this.#store()).readEgress(sessionId, EGRESS_ROWS);
		if (rows.length === 0) {
			void vscode.window.showInformationMessage(
				vscode.l10n.t('The commands of this session have not connected to anything yet.'),
			);
			return;
		}
		const lines = rows.map(({ at, host, port, protocol, verdict, rule, bytesUp, bytesDown, durationMs }) =>
			[
				new Date(at).toISOString(),
				verdict,
				`${host}:${port}`,
				protocol,
				`${bytesUp} B up`,
				`${bytesDown} B down`,
				`${Math.round(durationMs)} ms`,
				rule,
			].join('\t'),
		);
		const document = await vscode.workspace.openTextDocument({ language: 'log', content: `${lines.join('\n')}\n` });
		await vscode.window.showTextDocument(document, { preview: true });
	}
}

export class ShowLogCommand implements Command {
	readonly id = 'belay.showLog';
	readonly #channel: vscode.LogOutputChannel;
	constructor(channel: vscode.LogOutputChannel) {
		this.#channel = channel;
	}
	execute(): void {
		this.#channel.show(true);
	}
}
