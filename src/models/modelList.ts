import { z } from 'zod';
import { ModelError } from '../engine/ports/index.ts';
import { connectionFailure } from './connectionErrors.ts';
import { httpFailure, notAModelServer, withoutSecret, type Place } from './modelErrors.ts';
import { describePlace } from './place.ts';

/** A model as its server lists it. What the server does not tell is undefined. */
export interface ListedModel {
	readonly id: string;
	/** Tokens. */
	readonly contextWindow: number | undefined;
	readonly supportsTools: boolean | undefined;
}

export interface ListOptions {
	/** The provider's name, for messages. */
	readonly label: string;
	readonly baseUrl: string;
	readonly key?: string | undefined;
	/** See `ProviderDefinition.nativeModels`. */
	readonly nativeModels?: string | undefined;
	/** See `ProviderDefinition.listHeaders`. */
	readonly listHeaders?: Readonly<Record<string, string>> | undefined;
	readonly fetch?: typeof fetch;
	/** Milliseconds for the whole answer. Default 10,000. */
	readonly timeoutMs?: number;
}

/** Servers with many models list those that cannot chat too. */
const NOT_FOR_CHAT =
	/embed|whisper|tts|dall-e|moderation|transcribe|realtime|rerank|-image|audio|^gpt-3\.5-turbo-instruct|^sora|^babbage|^davinci|^(text|code)-|imagen|^veo|^aqa$/i;

const tokens = z.number().int().positive().optional().catch(undefined);
const EntrySchema = z.object({
	/** `name` in Ollama's own lists. */
	id: z.string().optional(),
	name: z.string().optional().catch(undefined),
	type: z.string().optional().catch(undefined),
	/** In the order of trust: what the server runs with comes before what the model could do. */
	loaded_context_length: tokens, // LM Studio
	max_model_len: tokens, // vLLM
	context_length: tokens, // OpenRouter, Together, Fireworks; Ollama's running models
	context_window: tokens, // Groq
	max_context_length: tokens, // Mistral, LM Studio
	meta: z.object({ n_ctx: tokens }).optional().catch(undefined), // llama.cpp
	supported_parameters: z.array(z.string()).optional().catch(undefined), // OpenRouter
	capabilities: z
		.union([z.array(z.string()), z.object({ function_calling: z.boolean() })])
		.optional()
		.catch(undefined), // LM Studio, Mistral
});
type Entry = z.infer<typeof EntrySchema>;
const entries = z.array(EntrySchema.catch({}));
/** OpenAI's shape, Together's bare list, Ollama's own. */
const ListSchema = z.union([
	z.object({ data: entries }).transform(({ data }) => data),
	entries,
	z.object({ models: entries }).transform(({ models }) => models),
]);

/**
 * Lists the models that a server offers for chat.
 * @returns in the server's order
 * @throws {ModelError} when it cannot be reached, refuses, or is no model server; the signal's reason when aborted
 */
export async function listModels(options: ListOptions, signal: AbortSignal): Promise<ListedModel[]> {
	const place: Place = { label: options.label, baseUrl: options.baseUrl, model: '' };
	const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000);
	const both = AbortSignal.any([signal, timeout]);
	try {
		const [listed, native] = await Promise.all([
			getList(`${options.baseUrl}/models`, options, place, both),
			nativeList(options, place, both),
		]);
		return merge(listed, native);
	} catch (error) {
		signal.throwIfAborted();
		if (timeout.aborted) {
			throw new ModelError('network', `${describePlace(place)} did not list its models in time.`, {
				retryable: true,
				remedy: 'Check that the server runs, then try again.',
			});
		}
		throw error instanceof ModelError ? withoutSecret(error, options.key) : connectionFailure(error, place);
	}
}

async function getList(url: string, options: ListOptions, place: Place, signal: AbortSignal): Promise<Entry[]> {
	const { fetch: request = globalThis.fetch } = options;
	const response = await request(url, { headers: headersFor(options), signal });
	const body = await response.text();
	if (!response.ok) {
		throw httpFailure(response.status, body, response.headers, place);
	}
	const parsed = ListSchema.safeParse(parseJson(body));
	if (!parsed.success) {
		throw notAModelServer(place, body.trimStart().startsWith('<') ? 'a web page' : 'no list of models');
	}
	return parsed.data;
}

function headersFor({ key, listHeaders }: ListOptions): Record<string, string> {
	const auth = listHeaders ?? { authorization: 'Bearer {key}' };
	const filled = Object.entries(auth).map(([name, value]) => [name, value.replace('{key}', key ?? '')] as const);
	return { accept: 'application/json', ...(key && Object.fromEntries(filled)) };
}

/** What a server tells beyond OpenAI's API only adds to it: without it the list is still good. */
async function nativeList(options: ListOptions, place: Place, signal: AbortSignal): Promise<Entry[]> {
	if (!options.nativeModels) {
		return [];
	}
	try {
		return await getList(new URL(options.nativeModels, options.baseUrl).href, options, place, signal);
	} catch {
		return [];
	}
}

function merge(listed: readonly Entry[], native: readonly Entry[]): ListedModel[] {
	const more = new Map(native.map((entry) => [entry.id ?? entry.name, entry]));
	return listed.flatMap((entry) => {
		const { id } = entry;
		const other = more.get(id);
		if (!id || NOT_FOR_CHAT.test(id) || /embed|image|audio/.test(entry.type ?? other?.type ?? '')) {
			return [];
		}
		return [
			{
				id: id.replace(/^models\//, ''),
				contextWindow: windowOf(other) ?? windowOf(entry),
				supportsTools: toolsOf(other) ?? toolsOf(entry),
			},
		];
	});
}

function windowOf(entry: Entry | undefined): number | undefined {
	return (
		entry?.loaded_context_length ??
		entry?.max_model_len ??
		entry?.context_length ??
		entry?.context_window ??
		entry?.max_context_length ??
		entry?.meta?.n_ctx
	);
}

function toolsOf(entry: Entry | undefined): boolean | undefined {
	const { supported_parameters: parameters, capabilities } = entry ?? {};
	if (parameters) {
		return parameters.includes('tools');
	}
	return Array.isArray(capabilities) ? capabilities.includes('tool_use') : capabilities?.function_calling;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
