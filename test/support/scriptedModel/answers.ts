import type { Gate } from './gate.ts';

/** Token counts as an OpenAI server reports them. */
export interface WireUsage {
	readonly prompt_tokens: number;
	readonly completion_tokens: number;
	readonly total_tokens?: number;
	readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
	readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
}

/** One piece of a streamed answer. */
export type Part =
	| { readonly type: 'text'; readonly text: string; readonly chunkSize: number }
	| { readonly type: 'reasoning'; readonly text: string; readonly chunkSize: number; readonly field: string }
	| {
			readonly type: 'toolCall';
			readonly id: string | undefined;
			readonly name: string;
			readonly args: string;
			readonly chunkSize: number;
	  }
	/** A chunk's JSON as given. */
	| { readonly type: 'chunk'; readonly chunk: unknown }
	/** Bytes as given, between the events or in place of them. */
	| { readonly type: 'raw'; readonly bytes: string | Uint8Array }
	/** The connection is cut; nothing after it is sent. */
	| { readonly type: 'drop' }
	| Gate;

export interface StreamOptions {
	/** By default `tool_calls` where a call was made, else `stop`. `none`: the stream ends without one. */
	readonly finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'none';
	/** By default plausible counts, sent where the request asks for them. `none`: never sent. */
	readonly usage?: WireUsage | 'none';
	/** Ends with `data: [DONE]`, as OpenAI does. Default true. */
	readonly done?: boolean;
}

export type Answer =
	| ({ readonly kind: 'stream'; readonly parts: readonly Part[] } & StreamOptions)
	| {
			readonly kind: 'plain';
			readonly status: number;
			readonly headers: Readonly<Record<string, string>>;
			readonly body: string;
	  };

/** What `reply` takes: a text, parts, or an answer with options. */
export type AnswerLike = string | Part | readonly Part[] | Answer;

/** `chunkSize`: characters of a streamed piece. */
export const text = (value: string, chunkSize = 8): Part => ({ type: 'text', text: value, chunkSize });

export const reasoning = (value: string, field = 'reasoning_content', chunkSize = 8): Part => ({
	type: 'reasoning',
	text: value,
	field,
	chunkSize,
});

/**
 * @param args an object, or the argument text as it shall go over the wire
 * @param options `id`: undefined makes one. `chunkSize`: characters of a piece of the arguments
 */
export const toolCall = (
	name: string,
	args: object | string,
	options: { readonly id?: string; readonly chunkSize?: number } = {},
): Part => ({
	type: 'toolCall',
	name,
	args: typeof args === 'string' ? args : JSON.stringify(args),
	id: options.id,
	chunkSize: options.chunkSize ?? 10,
});

export const chunk = (value: unknown): Part => ({ type: 'chunk', chunk: value });
export const drop = (): Part => ({ type: 'drop' });

export const stream = (parts: readonly Part[], options: StreamOptions = {}): Answer => ({
	kind: 'stream',
	parts,
	...options,
});

/** An answer that is no stream. An object is sent as JSON, a string as it is. */
export const status = (
	code: number,
	body: object | string,
	headers: Readonly<Record<string, string>> = {},
): Answer => ({
	kind: 'plain',
	status: code,
	headers: { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers },
	body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** What OpenAI answers to a request that fails. */
export const errorStatus = (
	code: number,
	message: string,
	options: { readonly type?: string; readonly code?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Answer =>
	status(
		code,
		{ error: { message, type: options.type ?? 'invalid_request_error', param: null, code: options.code ?? null } },
		options.headers,
	);

/** A web page where an API was expected, as a captive portal sends it. */
export const html = (body = '<!doctype html><html><body>Log in to the network</body></html>', code = 200): Answer =>
	status(code, body, { 'content-type': 'text/html; charset=utf-8' });

export function toAnswer(value: AnswerLike): Answer {
	if (typeof value === 'string') {
		return stream([text(value)]);
	}
	if ('kind' in value) {
		return value;
	}
	return stream('type' in value ? [value] : value);
}
