import * as vscode from 'vscode';
import type { ModelChoice } from '../../protocol/index.ts';
import { PROVIDERS } from '../../models/providers.ts';
import { PRACTICE_CHOICE, type ModelSetup } from './modelSetup.ts';

interface ModelItem extends vscode.QuickPickItem {
	readonly choice?: ModelChoice;
	readonly action?: () => Promise<ModelChoice | undefined>;
}

/** Asks the user for a model, a key or a server, in VS Code's own pickers. */
export class ModelPicker {
	readonly #setup: ModelSetup;

	constructor(setup: ModelSetup) {
		this.#setup = setup;
	}

	/** @returns the chosen model, remembered for new sessions; undefined when the user went away. */
	async pickModel(): Promise<ModelChoice | undefined> {
		const pick = vscode.window.createQuickPick<ModelItem>();
		const aborter = new AbortController();
		pick.title = vscode.l10n.t('Model');
		pick.placeholder = vscode.l10n.t('Type to filter, or type a model name as provider/model');
		pick.matchOnDescription = true;
		pick.busy = true;
		pick.items = this.#items();
		pick.show();
		void this.#loadLists(aborter.signal, () => (pick.items = this.#items())).finally(() => (pick.busy = false));
		const item = await accepted(pick);
		const typed = pick.value.trim();
		aborter.abort();
		pick.dispose();
		if (item === 'cancelled') {
			return undefined;
		}
		const choice = item === undefined ? this.#typedChoice(typed) : (item.choice ?? (await item.action?.()));
		return await this.#remember(choice);
	}

	/** @param providerId the provider to set up; the user is asked for it otherwise. */
	async enterKey(providerId?: string): Promise<ModelChoice | undefined> {
		const id = providerId ?? (await this.#pickProvider());
		if (id === undefined) {
			return undefined;
		}
		if (id === 'custom') {
			return await this.#addServer();
		}
		const label = this.#setup.labelOf(id);
		const page = PROVIDERS.find((provider) => provider.id === id)?.keyPage;
		const key = await vscode.window.showInputBox({
			title: vscode.l10n.t('API key of {0}', label),
			prompt:
				page === undefined
					? vscode.l10n.t('Kept in your system’s secret storage. Empty removes it.')
					: vscode.l10n.t('Get one at {0}. Kept in your system’s secret storage. Empty removes it.', page),
			password: true,
			ignoreFocusOut: true,
		});
		if (key === undefined) {
			return undefined;
		}
		await this.#setup.setKey(id, key.trim() === '' ? undefined : key.trim());
		return key.trim() === '' ? undefined : await this.#pickOf(id);
	}

	/** Looks for servers on this machine, and lets the user choose a model of theirs. */
	async findLocalServers(): Promise<ModelChoice | undefined> {
		const found = await vscode.window.withProgress(
			{ location: { viewId: 'belay.chat' } },
			async () => await this.#setup.findLocal(AbortSignal.timeout(5000)),
		);
		if (found.length === 0) {
			void vscode.window.showInformationMessage(
				vscode.l10n.t(
					'No local model server was found. Start Ollama (port 11434), LM Studio (1234), llama.cpp (8080) or vLLM (8000) with a model, and try again.',
				),
			);
			return undefined;
		}
		const item = await vscode.window.showQuickPick(found.map(itemOf), {
			title: vscode.l10n.t('Models on this machine'),
		});
		return await this.#remember(item?.choice);
	}

	async usePractice(): Promise<ModelChoice | undefined> {
		return await this.#remember(PRACTICE_CHOICE);
	}

	#items(): ModelItem[] {
		return [
			...this.#setup.known().map(itemOf),
			{ label: '', kind: vscode.QuickPickItemKind.Separator },
			{ label: `$(key) ${vscode.l10n.t('Enter an API key…')}`, alwaysShow: true, action: () => this.enterKey() },
			{
				label: `$(server) ${vscode.l10n.t('Find local model servers')}`,
				alwaysShow: true,
				action: () => this.findLocalServers(),
			},
		];
	}

	async #loadLists(signal: AbortSignal, update: () => void): Promise<void> {
		const local = this.#setup.findLocal(signal).then(update);
		const others = this.#setup.providers().map(async ({ id }) => {
			const isLocal = PROVIDERS.find((provider) => provider.id === id)?.port !== undefined;
			if (!isLocal && (await this.#setup.isReady(id))) {
				await this.#setup.list(id, signal);
				update();
			}
		});
		await Promise.allSettled([local, ...others]);
	}

	#typedChoice(typed: string): ModelChoice | undefined {
		const slash = typed.indexOf('/');
		const providerId = typed.slice(0, Math.max(slash, 0));
		const known = this.#setup.providers().some(({ id }) => id === providerId);
		return known && slash < typed.length - 1
			? { providerId, providerLabel: this.#setup.labelOf(providerId), model: typed.slice(slash + 1) }
			: undefined;
	}

	async #pickProvider(): Promise<string | undefined> {
		const own = this.#setup.providers().filter(({ id }) => !PROVIDERS.some((provider) => provider.id === id));
		const items = [
			...PROVIDERS.filter(({ port }) => port === undefined).map(({ id, label, keyPage }) => ({
				label,
				id,
				...(keyPage === undefined ? {} : { description: keyPage }),
			})),
			...own.map(({ id, label, baseUrl }) => ({ label, id, description: baseUrl })),
		];
		const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Whose API key?') });
		return picked?.id;
	}

	async #addServer(): Promise<ModelChoice | undefined> {
		const baseUrl = await vscode.window.showInputBox({
			title: vscode.l10n.t('Address of the OpenAI-compatible server'),
			prompt: vscode.l10n.t('Up to and with the version, for example https://llm.example.com/v1'),
			ignoreFocusOut: true,
			validateInput: (value) =>
				URL.canParse(value) && /^https?:/.test(value)
					? undefined
					: vscode.l10n.t('An address starts with https:// or http://'),
		});
		if (baseUrl === undefined) {
			return undefined;
		}
		const { host } = new URL(baseUrl);
		const id = freeId(
			host,
			this.#setup.providers().map((provider) => provider.id),
		);
		const configuration = vscode.workspace.getConfiguration('belay');
		const before = configuration.inspect<unknown[]>('models.providers')?.globalValue ?? [];
		const entry = { id, label: host, baseUrl: baseUrl.replace(/\/+$/, ''), needsKey: true };
		await configuration.update('models.providers', [...before, entry], vscode.ConfigurationTarget.Global);
		this.#setup.refresh();
		return await this.enterKey(id);
	}

	async #pickOf(providerId: string): Promise<ModelChoice | undefined> {
		try {
			const models = await this.#setup.list(providerId, AbortSignal.timeout(10_000));
			const label = this.#setup.labelOf(providerId);
			const item = await vscode.window.showQuickPick(
				models.map((model) => itemOf({ providerId, providerLabel: label, model })),
				{ title: vscode.l10n.t('Model of {0}', label) },
			);
			return await this.#remember(item?.choice);
		} catch (error) {
			void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
			return undefined;
		}
	}

	async #remember(choice: ModelChoice | undefined): Promise<ModelChoice | undefined> {
		if (choice !== undefined) {
			await this.#setup.choose(choice);
		}
		return choice;
	}
}

function itemOf(choice: ModelChoice): ModelItem & { choice: ModelChoice } {
	return { label: choice.model, description: choice.providerLabel, choice };
}

function freeId(host: string, taken: readonly string[]): string {
	const base =
		host
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^[^a-z]+/, '')
			.slice(0, 24) || 'server';
	return taken.includes(base) ? `${base}-${taken.length}` : base;
}

async function accepted(pick: vscode.QuickPick<ModelItem>): Promise<ModelItem | 'cancelled' | undefined> {
	return await new Promise((resolve) => {
		pick.onDidAccept(() => resolve(pick.selectedItems[0]));
		pick.onDidHide(() => resolve('cancelled'));
	});
}
