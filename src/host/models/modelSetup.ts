import * as vscode from 'vscode';
import type { ModelChoice } from '../../protocol/index.ts';
import type { Logger } from '../../engine/index.ts';
import { detectLocalServers } from '../../models/detect.ts';
import { PRACTICE_LABEL, PRACTICE_MODEL } from '../../models/practice/practiceModel.ts';
import { PRACTICE_PROVIDER_ID, PROVIDERS } from '../../models/providers.ts';
import { ModelRegistry, type ModelsConfig, type ProviderConfig } from '../../models/registry.ts';
import type { SecretKeys } from '../secretKeys.ts';
import type { Settings } from '../settings.ts';

const LAST_MODEL = 'belay.lastModel';
export const PRACTICE_CHOICE: ModelChoice = {
	providerId: PRACTICE_PROVIDER_ID,
	providerLabel: PRACTICE_LABEL,
	model: PRACTICE_MODEL,
};
/** With a key of OpenAI's in the environment and nothing chosen yet: the first of these that the server lists. */
const PREFERRED = [/^gpt-5(\.\d+)?$/, /^gpt-5/, /^gpt-4\.1$/, /^gpt-4o$/, /coder/i, /instruct/i];

/** Which models there are, and which one new sessions use. */
export class ModelSetup {
	readonly registry: ModelRegistry;
	readonly #settings: Settings;
	readonly #keys: SecretKeys;
	readonly #memory: vscode.Memento;
	readonly #logger: Logger;
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #getters = new Map<string, () => Promise<string | undefined>>();
	readonly #listed = new Map<string, readonly string[]>();
	#lookedForLocal = false;

	readonly onDidChange = this.#changed.event;

	constructor(settings: Settings, keys: SecretKeys, memory: vscode.Memento, logger: Logger) {
		this.#settings = settings;
		this.#keys = keys;
		this.#memory = memory;
		this.#logger = logger;
		this.registry = new ModelRegistry(this.#config());
	}

	/** Takes changed settings over. Running calls go on as they are. */
	refresh(): void {
		this.registry.update(this.#config());
		this.#changed.fire();
	}

	/** The providers that can be set up, with the user's own. */
	providers(): readonly ProviderConfig[] {
		return this.#config().providers;
	}

	labelOf(providerId: string): string {
		if (providerId === PRACTICE_PROVIDER_ID) {
			return PRACTICE_LABEL;
		}
		return this.providers().find(({ id }) => id === providerId)?.label ?? providerId;
	}

	/** Whether a provider has what it needs: a key, or no need of one. */
	async isReady(providerId: string): Promise<boolean> {
		const needsKey = this.#needsKey(providerId);
		return !needsKey || (await this.#key(providerId)) !== undefined;
	}

	/** The models that are known now, without asking any server. */
	known(): readonly ModelChoice[] {
		const listed = [...this.#listed].flatMap(([providerId, models]) =>
			models.map((model) => ({ providerId, providerLabel: this.labelOf(providerId), model })),
		);
		return [...listed, PRACTICE_CHOICE];
	}

	/** @returns the models that a provider's server lists. @throws {ModelError} when it cannot be asked. */
	async list(providerId: string, signal: AbortSignal): Promise<readonly string[]> {
		const models = (await this.registry.list(providerId, signal)).map(({ id }) => id);
		this.#listed.set(providerId, models);
		return models;
	}

	/** Looks for model servers on this machine. @returns what they offer. */
	async findLocal(signal: AbortSignal): Promise<readonly ModelChoice[]> {
		const servers = await detectLocalServers(signal);
		for (const { provider, models } of servers) {
			this.#listed.set(
				provider.id,
				models.map(({ id }) => id),
			);
		}
		return servers.flatMap(({ provider, models }) =>
			models.map(({ id }) => ({ providerId: provider.id, providerLabel: provider.label, model: id })),
		);
	}

	/** Remembers the user's choice for new sessions. */
	async choose(choice: ModelChoice): Promise<void> {
		await this.#memory.update(LAST_MODEL, `${choice.providerId}/${choice.model}`);
		this.#changed.fire();
	}

	async setKey(providerId: string, key: string | undefined): Promise<void> {
		await this.#keys.set(providerId, key);
		this.#getters.delete(providerId);
		this.refresh();
	}

	/**
	 * The model of a new session: the setting, else the last choice, else a key in the environment, else a local server,
	 * else the practice model, so that the panel always works.
	 */
	async defaultChoice(signal: AbortSignal): Promise<ModelChoice> {
		const named = this.#parse(this.#settings.defaultModel) ?? this.#parse(this.#memory.get<string>(LAST_MODEL) ?? '');
		if (named !== undefined) {
			return named;
		}
		return (await this.#fromEnvironment(signal)) ?? (await this.#fromLocal(signal)) ?? PRACTICE_CHOICE;
	}

	async #fromEnvironment(signal: AbortSignal): Promise<ModelChoice | undefined> {
		if ((await this.#key('openai')) === undefined) {
			return undefined;
		}
		try {
			const models = this.#listed.get('openai') ?? (await this.list('openai', signal));
			const preferred = PREFERRED.map((pattern) => models.find((model) => pattern.test(model))).find(Boolean);
			const model = preferred ?? models[0];
			return model === undefined ? undefined : { providerId: 'openai', providerLabel: this.labelOf('openai'), model };
		} catch (error) {
			this.#logger.warn(`The models of the key in the environment can't be listed: ${String(error)}`);
			return undefined;
		}
	}

	async #fromLocal(signal: AbortSignal): Promise<ModelChoice | undefined> {
		if (this.#lookedForLocal) {
			return undefined;
		}
		this.#lookedForLocal = true;
		return (await this.findLocal(signal))[0];
	}

	#parse(name: string): ModelChoice | undefined {
		const slash = name.indexOf('/');
		if (slash <= 0) {
			return undefined;
		}
		const providerId = name.slice(0, slash);
		return { providerId, providerLabel: this.labelOf(providerId), model: name.slice(slash + 1) };
	}

	#config(): ModelsConfig {
		const own = this.#settings.providers.map(({ id, label, baseUrl, needsKey }) => ({
			id,
			label,
			baseUrl: baseUrl.replace(/\/+$/, ''),
			...(needsKey ? { getKey: this.#getter(id) } : {}),
		}));
		const taken = new Set(own.map(({ id }) => id));
		const known = PROVIDERS.filter(({ id, baseUrl }) => baseUrl !== '' && !taken.has(id)).map(
			({ id, label, baseUrl }) => ({
				id,
				label,
				baseUrl: id === 'openai' ? openAiBaseUrl(baseUrl) : baseUrl,
				getKey: this.#getter(id),
			}),
		);
		return { providers: [...own, ...known], practice: true };
	}

	#needsKey(providerId: string): boolean {
		const own = this.#settings.providers.find(({ id }) => id === providerId);
		return own?.needsKey ?? PROVIDERS.find(({ id }) => id === providerId)?.key === 'required';
	}

	/** The same function for a provider as long as its key is the same: clients are kept by it. */
	#getter(providerId: string): () => Promise<string | undefined> {
		const known = this.#getters.get(providerId) ?? (() => this.#key(providerId));
		this.#getters.set(providerId, known);
		return known;
	}

	async #key(providerId: string): Promise<string | undefined> {
		const variable = PROVIDERS.find(({ id }) => id === providerId)?.keyVariable;
		const fromEnvironment = variable === undefined ? undefined : process.env[variable];
		return (await this.#keys.get(providerId)) ?? (fromEnvironment === '' ? undefined : fromEnvironment);
	}
}

/** The variable that OpenAI's own clients read: it is the user's environment, never a workspace's file. */
function openAiBaseUrl(standard: string): string {
	const set = process.env['OPENAI_BASE_URL'];
	return set === undefined || set === '' ? standard : set.replace(/\/+$/, '');
}
