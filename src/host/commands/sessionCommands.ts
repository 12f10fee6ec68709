import * as vscode from 'vscode';
import type { SessionManager } from '../../engine/index.ts';
import type { ApprovalDecision, TrustMode } from '../../protocol/index.ts';
import type { ShownSession } from '../shownSession.ts';
import type { Command } from './command.ts';

/** The panel, as far as commands use it. */
export interface PanelControls {
	focus(): Promise<void>;
	open(sessionId: string): Promise<void>;
	close(): Promise<void>;
}

export class NewSessionCommand implements Command {
	readonly id = 'belay.newSession';
	readonly #panel: PanelControls;
	constructor(panel: PanelControls) {
		this.#panel = panel;
	}
	async execute(): Promise<void> {
		await this.#panel.close();
		await this.#panel.focus();
	}
}

export class FocusCommand implements Command {
	readonly id = 'belay.focus';
	readonly #panel: PanelControls;
	constructor(panel: PanelControls) {
		this.#panel = panel;
	}
	async execute(): Promise<void> {
		await this.#panel.focus();
	}
}

export class OpenSessionCommand implements Command {
	readonly id = 'belay.openSession';
	readonly #panel: PanelControls;
	readonly #sessions: () => Promise<SessionManager>;
	constructor(panel: PanelControls, sessions: () => Promise<SessionManager>) {
		this.#panel = panel;
		this.#sessions = sessions;
	}
	async execute(): Promise<void> {
		const sessions = await (await this.#sessions()).list();
		const items = sessions.map(({ sessionId, title, updatedAt }) => ({
			label: title === '' ? vscode.l10n.t('Untitled') : title,
			description: new Date(updatedAt).toLocaleString(),
			sessionId,
		}));
		const picked = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t('Open Session'),
			placeHolder: items.length === 0 ? vscode.l10n.t('There are no sessions in this workspace yet.') : '',
		});
		if (picked !== undefined) {
			await this.#panel.open(picked.sessionId);
		}
	}
}

export class StopCommand implements Command {
	readonly id = 'belay.stop';
	readonly #shown: ShownSession;
	constructor(shown: ShownSession) {
		this.#shown = shown;
	}
	async execute(): Promise<void> {
		await this.#shown.submit({ type: 'interrupt' });
	}
}

/** Answers the oldest approval that waits. */
export class DecideCommand implements Command {
	readonly id: 'belay.allow' | 'belay.deny';
	readonly #shown: ShownSession;
	constructor(id: 'belay.allow' | 'belay.deny', shown: ShownSession) {
		this.id = id;
		this.#shown = shown;
	}
	async execute(): Promise<void> {
		const approval = this.#shown.firstApproval();
		if (approval === undefined) {
			void vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits for you in the session that is shown.'));
			return;
		}
		const decision: ApprovalDecision = this.id === 'belay.allow' ? { type: 'allowOnce' } : { type: 'deny' };
		await this.#shown.submit({ type: 'approvalResponse', approvalId: approval.approvalId, decision });
	}
}

export class SetTrustModeCommand implements Command {
	readonly id = 'belay.setTrustMode';
	readonly #shown: ShownSession;
	readonly #autoModeLimit: () => string | null;
	constructor(shown: ShownSession, autoModeLimit: () => string | null) {
		this.#shown = shown;
		this.#autoModeLimit = autoModeLimit;
	}
	async execute(): Promise<void> {
		const limit = this.#autoModeLimit();
		const items: (vscode.QuickPickItem & { mode: TrustMode })[] = [
			{ mode: 'plan', label: vscode.l10n.t('Plan'), detail: vscode.l10n.t('Only looks: changes are blocked.') },
			{
				mode: 'safe',
				label: vscode.l10n.t('Safe'),
				detail: vscode.l10n.t('Asks before each change and each command that is not read-only.'),
			},
			{
				mode: 'auto',
				label: vscode.l10n.t('Auto'),
				detail: limit ?? vscode.l10n.t('Changes inside the workspace run unasked.'),
			},
		];
		const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Trust mode of this session') });
		if (picked === undefined) {
			return;
		}
		const done = await this.#shown.submit({ type: 'updateSettings', settings: { trustMode: picked.mode } });
		if (!done) {
			void vscode.window.showInformationMessage(
				vscode.l10n.t('No session is shown. The mode of new sessions is the setting belay.trust.defaultMode.'),
			);
		}
	}
}
