import type { ErrorCode, Usage } from '../../protocol/index.ts';

/** A tool as the model is told of it. `parameters` is a JSON schema of type object. */
export interface ToolDefinition {
	readonly name: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
}

/** One entry of what the model is told. */
export type HistoryEntry =
	| { readonly role: 'user'; readonly text: string }
	| {
			readonly role: 'assistant';
			readonly text: string;
			readonly reasoning?: string;
			readonly calls: readonly ModelToolCall[];
	  }
	| { readonly role: 'tool'; readonly callId: string; readonly output: string };

/** `args` is the JSON text as it came: checked by the tool, never repaired. */
export interface ModelToolCall {
	readonly callId: string;
	readonly name: string;
	readonly args: string;
}

export interface ModelRequest {
	readonly model: string;
	readonly system: string;
	readonly history: readonly HistoryEntry[];
	readonly tools: readonly ToolDefinition[];
	/** Stable within a session: servers that cache prompts by key are told it. */
	readonly cacheKey: string;
}

export type FinishReason = 'stop' | 'toolCalls' | 'length' | 'contentFilter';

/**
 * What a model's stream yields. `toolCallDelta` is for display alone; `toolCall` comes once for each call, complete,
 * as soon as it is known to be complete. `finished` comes last, exactly once; a stream that ends without it throws.
 */
export type ModelEvent =
	| { readonly type: 'textDelta'; readonly text: string }
	| { readonly type: 'reasoningDelta'; readonly text: string }
	| { readonly type: 'toolCallDelta'; readonly index: number; readonly name: string; readonly argsDelta: string }
	| { readonly type: 'toolCall'; readonly call: ModelToolCall }
	| { readonly type: 'usage'; readonly usage: Usage }
	| { readonly type: 'finished'; readonly reason: FinishReason };

export interface ModelInfo {
	/** Tokens. */
	readonly contextWindow: number;
	readonly supportsTools: boolean;
}

/** A connection to one provider. Stateless: everything a call needs is in its request. */
export interface ModelClient {
	/**
	 * @throws {ModelError} for everything that goes wrong, also in mid stream; the signal's reason when aborted.
	 */
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
	/** What is known of a model, from the server where it tells, from a table otherwise. Never throws. */
	info(model: string): ModelInfo;
}

/** Finds the client that a session's settings name. */
export interface ModelClients {
	/** @throws {ModelError} `noModel` with a remedy when the provider is not set up (no key, unknown name). */
	get(providerId: string): Promise<ModelClient>;
}

/** A failed model call. `retryable`: the same request may succeed later. */
export class ModelError extends Error {
	readonly code: ErrorCode;
	readonly retryable: boolean;
	/** Milliseconds that the server asked to wait. */
	readonly retryAfterMs: number | undefined;
	/** What the user can do, in one sentence. */
	readonly remedy: string | undefined;

	constructor(
		code: ErrorCode,
		message: string,
		options: {
			retryable?: boolean;
			retryAfterMs?: number | undefined;
			remedy?: string | undefined;
			cause?: unknown;
		} = {},
	) {
		super(message, { cause: options.cause });
		this.name = 'ModelError';
		this.code = code;
		this.retryable = options.retryable ?? false;
		this.retryAfterMs = options.retryAfterMs;
		this.remedy = options.remedy;
	}
}
