import * as vscode from 'vscode';
import type { SessionManager, Store } from '../../engine/index.ts';
import type { ModelChoice, PanelSettings, SessionSettings, StorageState } from '../../protocol/index.ts';
import type { ModelPicker } from '../models/modelPicker.ts';
import type { ModelSetup } from '../models/modelSetup.ts';
import type { SandboxLimit } from '../sandboxLimit.ts';
import type { SessionHost } from '../sessions/sessionHost.ts';
import type { Settings } from '../settings.ts';
import type { ShownSession } from '../shownSession.ts';
import type { PanelActions } from './panelActions.ts';
import type { PanelAction, PanelHost } from './sessionPanel.ts';

export interface WindowPanelHostParts {
	readonly sessions: SessionHost;
	readonly settings: Settings;
	readonly setup: ModelSetup;
	readonly picker: ModelPicker;
	readonly actions: PanelActions;
	readonly shown: ShownSession;
	/** Of the workspace. */
	readonly memory: vscode.Memento;
	readonly sandbox: SandboxLimit;
	readonly log: (level: 'warn' | 'error', message: string) => void;
}

const LAST_SHOWN = 'belay.lastShown';
/** How long the panel waits for servers before it takes the practice model. */
const MODEL_WAIT_MS = 5000;

/** The window, as the panel sees it. */
export class WindowPanelHost implements PanelHost {
	readonly #parts: WindowPanelHostParts;

	constructor(parts: WindowPanelHostParts) {
		this.#parts = parts;
	}

	get storage(): StorageState {
		return this.#parts.sessions.state;
	}

	get unsaved(): boolean {
		return this.#parts.sessions.unsaved;
	}

	sessions(): Promise<SessionManager> {
		return this.#parts.sessions.ready();
	}

	store(): Promise<Store> {
		return this.#parts.sessions.store();
	}

	onStorageChanged(listener: (state: StorageState) => void): Disposable {
		return disposable(this.#parts.sessions.onDidChangeState(listener));
	}

	chooseStorage(choice: 'takeOver' | 'wait' | 'unsaved'): Promise<void> {
		return this.#parts.sessions.choose(choice);
	}

	settings(): PanelSettings {
		return {
			sendKey: this.#parts.settings.sendKey,
			workspaceTrusted: vscode.workspace.isTrusted,
			workspaceName: vscode.workspace.name ?? '',
			autoModeLimit: this.#parts.sandbox.limit,
		};
	}

	onSettingsChanged(listener: () => void): Disposable {
		return disposable(
			vscode.Disposable.from(
				vscode.workspace.onDidChangeConfiguration((event) => {
					if (event.affectsConfiguration('belay')) {
						listener();
					}
				}),
				vscode.workspace.onDidGrantWorkspaceTrust(listener),
				this.#parts.sandbox.onDidChange(listener),
			),
		);
	}

	strings(): Record<string, string> {
		const bundle = vscode.l10n.bundle ?? {};
		return Object.fromEntries(
			Object.entries(bundle).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
		);
	}

	async models(): Promise<{ models: ModelChoice[]; defaultModel: ModelChoice | null }> {
		const defaultModel = await this.#parts.setup.defaultChoice(AbortSignal.timeout(MODEL_WAIT_MS));
		return { models: [...this.#parts.setup.known()], defaultModel };
	}

	onModelsChanged(listener: () => void): Disposable {
		return disposable(this.#parts.setup.onDidChange(listener));
	}

	chooseModel(): Promise<ModelChoice | undefined> {
		return this.#parts.picker.pickModel();
	}

	setUp(way: 'key' | 'localServer' | 'practice'): Promise<ModelChoice | undefined> {
		switch (way) {
			case 'key':
				return this.#parts.picker.enterKey();
			case 'localServer':
				return this.#parts.picker.findLocalServers();
			case 'practice':
				return this.#parts.picker.usePractice();
		}
	}

	async newSessionSettings(): Promise<SessionSettings> {
		const { providerId, model } = await this.#parts.setup.defaultChoice(AbortSignal.timeout(MODEL_WAIT_MS));
		const trustMode = vscode.workspace.isTrusted ? this.#parts.settings.defaultTrustMode : 'plan';
		return { providerId, model, trustMode };
	}

	shown(sessionId: string | undefined): void {
		this.#parts.shown.show(sessionId);
		void this.#parts.memory.update(LAST_SHOWN, sessionId);
	}

	lastShown(): string | undefined {
		return this.#parts.memory.get<string>(LAST_SHOWN);
	}

	act(action: PanelAction): Promise<void> {
		return this.#parts.actions.act(action);
	}

	log(level: 'warn' | 'error', message: string): void {
		this.#parts.log(level, message);
	}
}

function disposable(resource: vscode.Disposable): Disposable {
	return { [Symbol.dispose]: () => void resource.dispose() };
}
