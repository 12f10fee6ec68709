import * as vscode from 'vscode';
import type { ApprovalRequest } from '../protocol/index.ts';

/** What the notification needs of the window. */
export interface NotifierParts {
	readonly panelVisible: () => boolean;
	readonly enabled: () => boolean;
	readonly answer: (approvalId: string, allow: boolean) => Promise<void>;
	readonly showPanel: () => Promise<void>;
	readonly isPending: (approvalId: string) => boolean;
}

/** Asks by a notification when something waits and the panel is hidden, one at a time. */
export class ApprovalNotifier {
	readonly #parts: NotifierParts;
	#showing = false;

	constructor(parts: NotifierParts) {
		this.#parts = parts;
	}

	async notify(approval: ApprovalRequest): Promise<void> {
		if (this.#showing || this.#parts.panelVisible() || !this.#parts.enabled()) {
			return;
		}
		this.#showing = true;
		try {
			const [allow, deny, show] = [vscode.l10n.t('Allow once'), vscode.l10n.t('Deny'), vscode.l10n.t('Show')];
			const text = vscode.l10n.t('Belay asks: {0}', approval.detail.slice(0, 300));
			const choice = await vscode.window.showInformationMessage(text, allow, deny, show);
			if (choice === show) {
				await this.#parts.showPanel();
			} else if (choice !== undefined && this.#parts.isPending(approval.approvalId)) {
				await this.#parts.answer(approval.approvalId, choice === allow);
			}
		} finally {
			this.#showing = false;
		}
	}
}
