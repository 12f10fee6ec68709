import { ModelError, type ModelClients } from '../engine/ports/index.ts';
import { ChatCompletionsClient } from './chatCompletionsClient.ts';
import { cleanBaseUrl, isLocal } from './place.ts';
import { listModels, type ListedModel } from './modelList.ts';
import { createPracticeFetch } from './practice/practiceFetch.ts';
import { PRACTICE_BASE_URL, PRACTICE_LABEL } from './practice/practiceModel.ts';
import { PRACTICE_PROVIDER_ID, providerOf } from './providers.ts';

/** A provider as the user has set it up. */
export interface ProviderConfig {
	/** Of the provider list, or of the user's making. */
	readonly id: string;
	readonly label: string;
	readonly baseUrl: string;
	/** Absent: the server needs no key. */
	readonly getKey?: () => Promise<string | undefined>;
}

export interface ModelsConfig {
	readonly providers: readonly ProviderConfig[];
	/** The practice model is offered. */
	readonly practice: boolean;
}

interface Made {
	readonly config: ProviderConfig;
	readonly client: ChatCompletionsClient;
}

export interface RegistryOptions {
	readonly fetch?: typeof fetch;
	/** Milliseconds between two words of the practice model. */
	readonly practicePaceMs?: number;
}

/** As long as a local server is waited for when it is looked for. Milliseconds. */
const LOCAL_LIST_MS = 700;

/** The clients of the providers that are set up, each made when it is first asked for. */
export class ModelRegistry implements ModelClients {
	readonly #options: RegistryOptions;
	readonly #clients = new Map<string, Made>();
	#config: ModelsConfig;

	constructor(config: ModelsConfig, options: RegistryOptions = {}) {
		this.#config = config;
		this.#options = options;
	}

	/** Takes a new configuration. Running streams go on; clients of providers that did not change are kept. */
	update(config: ModelsConfig): void {
		this.#config = config;
		for (const [id, made] of this.#clients) {
			const now = this.#find(id);
			if (
				now?.baseUrl !== made.config.baseUrl ||
				now.label !== made.config.label ||
				now.getKey !== made.config.getKey
			) {
				this.#clients.delete(id);
			}
		}
	}

	/**
	 * A server on this machine is asked each time what it can do now: it may have been started again with another
	 * context window, and Ollama tells of its window only once a model is loaded.
	 */
	async get(providerId: string): Promise<ChatCompletionsClient> {
		const config = this.#find(providerId);
		if (!config) {
			throw this.#unknown(providerId);
		}
		const client = this.#clients.get(providerId)?.client ?? this.#make(config);
		this.#clients.set(providerId, { config, client });
		await client.ensureKey();
		if (isLocal(config.baseUrl)) {
			client.learn(await this.#tryList(config));
		}
		return client;
	}

	/**
	 * Lists the models of a provider, and keeps what the server tells of them for `info`.
	 * @throws {ModelError} when the provider is not set up or cannot be asked; the signal's reason when aborted
	 */
	async list(providerId: string, signal: AbortSignal): Promise<readonly ListedModel[]> {
		const config = this.#find(providerId);
		if (!config) {
			throw this.#unknown(providerId);
		}
		const models = await this.#list(config, signal);
		(await this.get(providerId)).learn(models);
		return models;
	}

	async #list(config: ProviderConfig, signal: AbortSignal): Promise<ListedModel[]> {
		const { id, label, baseUrl, getKey } = config;
		const { nativeModels, listHeaders } = providerOf(id) ?? {};
		const key = await getKey?.();
		return await listModels({ label, baseUrl, key, nativeModels, listHeaders, ...this.#fetchOf(id) }, signal);
	}

	/** That a server does not list its models shows, if it matters, at the request itself. */
	async #tryList(config: ProviderConfig): Promise<ListedModel[]> {
		try {
			return await this.#list(config, AbortSignal.timeout(LOCAL_LIST_MS));
		} catch {
			return [];
		}
	}

	#find(id: string): ProviderConfig | undefined {
		if (id === PRACTICE_PROVIDER_ID && this.#config.practice) {
			return { id, label: PRACTICE_LABEL, baseUrl: PRACTICE_BASE_URL };
		}
		const config = this.#config.providers.find((each) => each.id === id);
		return config && { ...config, baseUrl: cleanBaseUrl(config.baseUrl) };
	}

	#make(config: ProviderConfig): ChatCompletionsClient {
		const provider = providerOf(config.id);
		return new ChatCompletionsClient({
			label: config.label,
			baseUrl: config.baseUrl,
			...(config.getKey && { getKey: config.getKey }),
			// A gateway at another address has its own ways to let users in.
			keyRequired: provider?.key === 'required' && config.baseUrl === provider.baseUrl,
			...(provider?.dialect && { dialect: provider.dialect }),
			...this.#fetchOf(config.id),
		});
	}

	#fetchOf(id: string): { fetch?: typeof fetch } {
		if (id === PRACTICE_PROVIDER_ID) {
			return { fetch: createPracticeFetch({ paceMs: this.#options.practicePaceMs }) };
		}
		return this.#options.fetch ? { fetch: this.#options.fetch } : {};
	}

	#unknown(providerId: string): ModelError {
		const label = providerOf(providerId)?.label ?? providerId;
		return new ModelError('noModel', `${label === '' ? 'No model' : label} is not set up.`, {
			remedy: 'Choose a model: enter a key, start a local server such as Ollama, or use the practice model.',
		});
	}
}
