import * as vscode from 'vscode';
import type { ModelChoice, ToPanel } from '../../protocol/index.ts';
import type { PanelControls } from '../commands/sessionCommands.ts';
import { ChatViewProvider } from './chatViewProvider.ts';
import { SessionPanel, type PanelHost } from './sessionPanel.ts';

/** The panel of this window, for commands: there may be none, until its view is shown. */
export class ShownPanel implements PanelControls {
	readonly #host: PanelHost;
	#panel: SessionPanel | undefined;
	#view: ChatViewProvider | undefined;

	constructor(host: PanelHost) {
		this.#host = host;
	}

	attach(view: ChatViewProvider): void {
		this.#view = view;
	}

	/** Makes what is behind a view that was just drawn. */
	create(post: (message: ToPanel) => void): SessionPanel {
		this.#panel = new SessionPanel(this.#host, post);
		return this.#panel;
	}

	/** Shows the view with the caret in the composer: the user asked for it by a command. */
	async focus(): Promise<void> {
		await vscode.commands.executeCommand(`${ChatViewProvider.viewId}.focus`);
		this.#view?.post({ type: 'focusComposer' });
	}

	async open(sessionId: string): Promise<void> {
		await this.focus();
		await this.#panel?.open(sessionId);
	}

	// Asynchronous as the others are.
	// eslint-disable-next-line @typescript-eslint/require-await -- see above
	async close(): Promise<void> {
		this.#panel?.close();
	}

	async answer(approvalId: string, allow: boolean): Promise<void> {
		const decision = allow ? ({ type: 'allowOnce' } as const) : ({ type: 'deny' } as const);
		await this.#panel?.submit({ type: 'approvalResponse', approvalId, decision });
	}

	/** Gives the session that is shown another model. */
	async useModel(choice: ModelChoice): Promise<void> {
		await this.#panel?.useModel(choice);
	}
}
