import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Store, StoredEvent } from '../../engine/index.ts';
import type { ToolCall } from '../../protocol/index.ts';
import type { TaskTerminals } from '../terminals/taskTerminals.ts';
import type { EditDiff } from './editDiff.ts';
import type { PanelAction } from './sessionPanel.ts';

export interface PanelActionParts {
	readonly store: () => Promise<Store>;
	readonly terminals: TaskTerminals;
	readonly diff: EditDiff;
	/** Absolute. */
	readonly cwd: string;
}

/** What the panel wishes to have done outside itself. Each opens something because the user clicked on it. */
export class PanelActions {
	readonly #parts: PanelActionParts;

	constructor(parts: PanelActionParts) {
		this.#parts = parts;
	}

	async act(action: PanelAction): Promise<void> {
		switch (action.type) {
			case 'openFile':
				await this.#openFile(action.path, action.line);
				break;
			case 'openDiff':
				await this.#openDiff(action);
				break;
			case 'showTerminal':
				if (!this.#parts.terminals.reveal(action.sessionId, action.itemId)) {
					throw new Error(vscode.l10n.t('The terminal of this command is closed. Its output is in the card.'));
				}
				break;
			case 'showOutput':
				await this.#showOutput(action.sessionId, action.itemId);
				break;
			case 'openLink':
				await this.#openLink(action.href);
				break;
			case 'copy':
				await vscode.env.clipboard.writeText(action.text);
		}
	}

	async #openFile(name: string, line: number | undefined): Promise<void> {
		const uri = vscode.Uri.file(this.#absolute(name));
		try {
			const document = await vscode.workspace.openTextDocument(uri);
			const at = new vscode.Position(Math.max((line ?? 1) - 1, 0), 0);
			await vscode.window.showTextDocument(document, {
				preview: true,
				...(line === undefined ? {} : { selection: new vscode.Range(at, at) }),
			});
		} catch {
			throw new Error(vscode.l10n.t('{0} can’t be opened: it is not there, or it is no text file.', name));
		}
	}

	async #openDiff({ sessionId, itemId, path: name }: Extract<PanelAction, { type: 'openDiff' }>): Promise<void> {
		const store = await this.#parts.store();
		const file = filesOf(await findCall(store, sessionId, itemId)).find((entry) => entry.path === name);
		const patch = file?.truncated === true ? await store.readToolOutput(sessionId, itemId) : file?.diff;
		if (patch === undefined) {
			throw new Error(vscode.l10n.t('The change of {0} was not recorded whole.', name));
		}
		const title = vscode.l10n.t('{0} (before ↔ now)', path.basename(name));
		await this.#parts.diff.open(this.#absolute(name), patch, title);
	}

	async #showOutput(sessionId: string, itemId: string): Promise<void> {
		const store = await this.#parts.store();
		const text = (await store.readToolOutput(sessionId, itemId)) ?? (await findCall(store, sessionId, itemId))?.output;
		const document = await vscode.workspace.openTextDocument({ language: 'log', content: text ?? '' });
		await vscode.window.showTextDocument(document, { preview: true });
	}

	async #openLink(href: string): Promise<void> {
		const uri = vscode.Uri.parse(href, true);
		// Whatever a model wrote into a link: nothing but pages and mail, and VS Code asks before it opens a page.
		if (uri.scheme === 'http' || uri.scheme === 'https' || uri.scheme === 'mailto') {
			await vscode.env.openExternal(uri);
		}
	}

	#absolute(name: string): string {
		return path.resolve(this.#parts.cwd, name);
	}
}

async function findCall(store: Store, sessionId: string, itemId: string): Promise<ToolCall | undefined> {
	const { events } = await store.readEvents(sessionId, { after: 0 });
	const completed = events.findLast(
		(event: StoredEvent) => event.type === 'itemCompleted' && event.item.itemId === itemId,
	);
	return completed?.type === 'itemCompleted' && completed.item.type === 'toolCall' ? completed.item : undefined;
}

function filesOf(call: ToolCall | undefined) {
	return call?.display?.kind === 'edit' ? call.display.files : [];
}
