import type {
	ChatCompletionCreateParamsStreaming,
	ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { HistoryEntry, ModelRequest } from '../engine/ports/index.ts';

/** Where a server differs from OpenAI's in what it takes. */
export interface Dialect {
	/** The server takes `prompt_cache_key`. */
	readonly cacheKey?: boolean;
	/** Under this name the server wants the reasoning back that led to tool calls. */
	readonly reasoningField?: 'reasoning_content' | 'reasoning';
	/** Added to the first tool call of each message: see the provider that sets it. */
	readonly callExtra?: Readonly<Record<string, unknown>>;
}

/** Writes a request as the body of a streamed chat completion. */
export function requestBody(
	request: ModelRequest,
	dialect: Dialect,
	includeUsage: boolean,
): ChatCompletionCreateParamsStreaming {
	return {
		model: request.model,
		messages: [
			{ role: 'system', content: request.system },
			...request.history.flatMap((entry) => toMessage(entry, dialect)),
		],
		...(request.tools.length > 0 && {
			tools: request.tools.map(({ name, description, parameters }) => ({
				type: 'function' as const,
				function: { name, description, parameters },
			})),
		}),
		stream: true,
		...(includeUsage && { stream_options: { include_usage: true } }),
		...(dialect.cacheKey && { prompt_cache_key: request.cacheKey }),
	};
}

function toMessage(entry: HistoryEntry, dialect: Dialect): ChatCompletionMessageParam[] {
	switch (entry.role) {
		case 'user':
			return [{ role: 'user', content: entry.text }];
		case 'tool':
			return [{ role: 'tool', tool_call_id: entry.callId, content: entry.output }];
		case 'assistant':
			return toAssistant(entry, dialect);
	}
}

function toAssistant(
	entry: Extract<HistoryEntry, { role: 'assistant' }>,
	dialect: Dialect,
): ChatCompletionMessageParam[] {
	if (entry.calls.length === 0) {
		// Servers refuse an empty message.
		return entry.text === '' ? [] : [{ role: 'assistant', content: entry.text }];
	}
	const tool_calls = entry.calls.map((call, index) => ({
		id: call.callId,
		type: 'function' as const,
		function: { name: call.name, arguments: call.args.trim() === '' ? '{}' : call.args },
		...(index === 0 && dialect.callExtra),
	}));
	return [
		{
			role: 'assistant',
			content: entry.text === '' ? null : entry.text,
			tool_calls,
			...(dialect.reasoningField && entry.reasoning && { [dialect.reasoningField]: entry.reasoning }),
		},
	];
}
