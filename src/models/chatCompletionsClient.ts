import { randomUUID } from 'node:crypto';
import type { ClientOptions, OpenAI } from 'openai';
import {
	ModelError,
	type ModelClient,
	type ModelEvent,
	type ModelInfo,
	type ModelRequest,
} from '../engine/ports/index.ts';
import { abortable } from './abortable.ts';
import { CompletionReader } from './completionReader.ts';
import { brokenStream } from './connectionErrors.ts';
import { IdleWatch } from './idleWatch.ts';
import { streamFailure, withoutSecret } from './modelErrors.ts';
import type { ListedModel } from './modelList.ts';
import { contextWindowOf } from './modelTable.ts';
import { describePlace, type Place } from './place.ts';
import { requestBody, type Dialect } from './requestBody.ts';
import { guardFetch } from './responseGuard.ts';

/**
 * Longest silence, also before the first byte: a local server that loads a model or reads a long prompt says nothing
 * for minutes (engine-reference 2.4). Making the connection is limited to 10 s by Node's fetch itself.
 */
const IDLE_TIMEOUT_MS = 300_000;
/** After the finish reason only usage can come: a server that keeps the connection open is not waited for. */
const AFTER_FINISH_MS = 3_000;

/** The longest time that a Node timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface ChatCompletionsOptions {
	/** The provider's name, for messages. */
	readonly label: string;
	/** Without `/chat/completions`. */
	readonly baseUrl: string;
	/** Asked at the first request, then remembered until a server refuses the key. Absent: the server needs none. */
	readonly getKey?: () => Promise<string | undefined>;
	/** Without a key nothing is sent. */
	readonly keyRequired?: boolean;
	readonly dialect?: Dialect;
	readonly fetch?: typeof fetch;
	/** Longest silence. Milliseconds. */
	readonly idleTimeoutMs?: number;
	/** Longest silence after the finish reason. Milliseconds. */
	readonly afterFinishMs?: number;
	readonly makeId?: () => string;
}

/** A model behind an OpenAI-compatible Chat Completions API. The SDK is loaded at the first request. */
export class ChatCompletionsClient implements ModelClient {
	readonly #options: ChatCompletionsOptions;
	readonly #listed = new Map<string, ListedModel>();
	#key: Promise<string | undefined> | undefined;
	/** Servers that refuse `stream_options` are asked without from then on. */
	#includeUsage = true;

	constructor(options: ChatCompletionsOptions) {
		this.#options = options;
	}

	/** What the server's own list says of its models comes before the table. */
	learn(models: readonly ListedModel[]): void {
		for (const model of models) {
			this.#listed.set(model.id, model);
		}
	}

	info(model: string): ModelInfo {
		const listed = this.#listed.get(model);
		return {
			contextWindow: listed?.contextWindow ?? contextWindowOf(model),
			supportsTools: listed?.supportsTools ?? true,
		};
	}

	/** @throws {ModelError} `noModel` where a key is needed and there is none */
	async ensureKey(): Promise<void> {
		await this.#readKey();
	}

	async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
		signal.throwIfAborted();
		const { label, baseUrl, makeId = newId, idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
		const place: Place = { label, baseUrl, model: request.model };
		const key = await abortable(this.#readKey(), signal);
		const { OpenAI: Sdk } = await abortable(import('openai'), signal);
		using watch = new IdleWatch(idleTimeoutMs);
		const reader = new CompletionReader(place, makeId);
		try {
			const sdk = new Sdk(this.#sdkOptions(key, place, watch));
			const chunks = await this.#open(sdk, request, AbortSignal.any([signal, watch.signal]));
			for await (const chunk of chunks) {
				// A consumer that takes its time is not a server that is silent.
				watch.pause();
				yield* reader.push(chunk);
				watch.touch();
				if (reader.finished) {
					watch.shorten(this.#options.afterFinishMs ?? AFTER_FINISH_MS);
				}
			}
		} catch (error) {
			signal.throwIfAborted();
			const failure = toModelError(error, place, watch, idleTimeoutMs);
			// Once the finish reason is there, nothing is lost with the connection.
			if (!reader.finished || error instanceof ModelError) {
				this.#forgetRefusedKey(failure);
				throw withoutSecret(failure, key);
			}
		}
		// The SDK ends without an error when it is aborted.
		signal.throwIfAborted();
		if (watch.expired && !reader.finished) {
			throw silence(place, idleTimeoutMs);
		}
		yield* reader.end();
	}

	async #open(sdk: OpenAI, request: ModelRequest, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
		const { dialect = {} } = this.#options;
		const send = () => sdk.chat.completions.create(requestBody(request, dialect, this.#includeUsage), { signal });
		try {
			return await send();
		} catch (error) {
			if (!this.#includeUsage || !refusesUsage(error)) {
				throw error;
			}
			this.#includeUsage = false;
			return await send();
		}
	}

	/** Nothing is taken from the environment: another program's key or organisation is not for this server. */
	#sdkOptions(key: string | undefined, place: Place, watch: IdleWatch): ClientOptions {
		const { fetch: inner = globalThis.fetch, baseUrl } = this.#options;
		return {
			baseURL: baseUrl,
			apiKey: key ?? 'none',
			adminAPIKey: null,
			organization: null,
			project: null,
			webhookSecret: null,
			// The engine retries, so that the user sees it and can stop it.
			maxRetries: 0,
			// Its timer is for the headers alone: ours covers them too.
			timeout: MAX_TIMER_MS,
			logLevel: 'off',
			fetch: guardFetch(inner, place, () => watch.touch()),
			defaultHeaders: {
				...STRIPPED_HEADERS,
				'User-Agent': 'Belay',
				...(key === undefined && { Authorization: null }),
			},
		};
	}

	async #readKey(): Promise<string | undefined> {
		const { label, getKey, keyRequired } = this.#options;
		const reading = (this.#key ??= getKey?.() ?? Promise.resolve(undefined));
		let key: string | undefined;
		try {
			key = (await reading)?.trim() || undefined;
		} catch (error) {
			this.#key = undefined;
			throw new ModelError('noModel', `The API key of ${label} cannot be read from the secret storage.`, {
				remedy: 'Enter the key again.',
				cause: error,
			});
		}
		if (key === undefined) {
			// Asked again next time: the user may have entered one.
			this.#key = undefined;
			if (keyRequired) {
				throw noKey(label);
			}
		}
		return key;
	}

	#forgetRefusedKey(error: ModelError): void {
		if (error.code === 'unauthorized') {
			this.#key = undefined;
		}
	}
}

/** The error for a provider that needs a key and has none. */
function noKey(label: string): ModelError {
	return new ModelError('noModel', `No API key is set for ${label}.`, {
		remedy: `Enter your API key of ${label}, or choose another model.`,
	});
}

/** What the SDK tells of this machine with each request: no server needs it. */
const STRIPPED_HEADERS = Object.fromEntries(
	['Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'].map((name) => [
		`X-Stainless-${name}`,
		null,
	]),
);

const newId = (): string => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

function refusesUsage(error: unknown): boolean {
	const failure = ownCause(error);
	return failure?.code === 'badRequest' && /stream_options|include_usage/i.test(failure.message);
}

function silence(place: Place, ms: number): ModelError {
	return new ModelError('network', `${describePlace(place)} sent nothing for ${Math.round(ms / 1000)} s.`, {
		retryable: true,
		remedy: 'Check that the server still runs, then continue.',
	});
}

/** The SDK wraps what its fetch throws. */
function ownCause(error: unknown): ModelError | undefined {
	let current: unknown = error;
	while (current instanceof Error) {
		if (current instanceof ModelError) {
			return current;
		}
		current = current.cause;
	}
	return undefined;
}

function toModelError(error: unknown, place: Place, watch: IdleWatch, ms: number): ModelError {
	const own = ownCause(error);
	if (own) {
		return own;
	}
	if (watch.expired) {
		return silence(place, ms);
	}
	// The SDK throws an error object that came in the stream as an error with that object in it.
	return error instanceof Error && 'error' in error && error.error
		? streamFailure(error.error, place)
		: brokenStream(error, place);
}
