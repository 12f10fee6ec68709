import { z } from 'zod';
import type { Usage } from '../protocol/index.ts';

/** A piece of a tool call, as a server sent it; what it left out is undefined. */
export interface CallDelta {
	readonly index: number | undefined;
	readonly id: string | undefined;
	readonly name: string | undefined;
	/** JSON text. Servers that send an object get it written out here. */
	readonly args: string;
}

/** What one chunk of a stream says, whatever dialect its server speaks. */
export interface ChunkParts {
	readonly text: string;
	readonly reasoning: string;
	readonly calls: readonly CallDelta[];
	/** As the server wrote it; undefined while the answer goes on. */
	readonly finish: string | undefined;
	readonly usage: Usage | undefined;
	/** An error object or text in the place of a chunk. */
	readonly error: unknown;
}

/** Absent, null and of another type are all the same: not said. */
const optional = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const text = optional(z.string());
const count = z.number().nonnegative().catch(0).default(0);

const CallSchema = z.object({
	index: optional(z.coerce.number().int().nonnegative()),
	id: text,
	function: optional(z.object({ name: text, arguments: z.unknown().optional() })),
});
const MessageSchema = z.object({
	content: z.unknown().optional(),
	refusal: text,
	reasoning_content: text,
	reasoning: text,
	reasoning_text: text,
	thinking: text,
	tool_calls: z.unknown().optional(),
});
const ChoiceSchema = z.object({
	delta: optional(MessageSchema),
	/** In place of `delta` where a server answers in one piece. */
	message: optional(MessageSchema),
	finish_reason: text,
	error: z.unknown().optional(),
});
const UsageSchema = z.object({
	prompt_tokens: count,
	completion_tokens: count,
	prompt_cache_hit_tokens: optional(z.number()),
	prompt_tokens_details: optional(z.object({ cached_tokens: count })),
	completion_tokens_details: optional(z.object({ reasoning_tokens: count })),
});
const ChunkSchema = z.object({
	choices: optional(z.array(ChoiceSchema.catch({} as z.infer<typeof ChoiceSchema>))),
	usage: optional(UsageSchema),
	/** Groq's first place for usage. */
	x_groq: optional(z.object({ usage: optional(UsageSchema) })),
	error: z.unknown().optional(),
	/** vLLM marks errors so. */
	object: text,
	message: z.unknown().optional(),
});

/**
 * Reads one chunk. Unknown fields are ignored; known ones of a wrong type count as not sent.
 * @returns undefined when the value is no JSON object
 */
export function parseChunk(value: unknown): ChunkParts | undefined {
	const parsed = ChunkSchema.safeParse(value);
	if (!parsed.success) {
		return undefined;
	}
	const { choices, usage, x_groq, error, object, message: errorText } = parsed.data;
	const choice = choices?.[0];
	const message = choice?.delta ?? choice?.message;
	return {
		text: contentText(message?.content, 'text') + (message?.refusal ?? ''),
		// Servers that send reasoning under two names send the same text twice.
		reasoning:
			firstText(message?.reasoning_content, message?.reasoning, message?.reasoning_text, message?.thinking) ??
			contentText(message?.content, 'thinking'),
		calls: callDeltas(message?.tool_calls),
		finish: choice?.finish_reason === '' ? undefined : choice?.finish_reason,
		usage: toUsage(usage ?? x_groq?.usage),
		error: error ?? choice?.error ?? (object === 'error' ? errorText : undefined) ?? undefined,
	};
}

function firstText(...values: readonly (string | undefined)[]): string | undefined {
	return values.find((value) => value !== undefined && value !== '');
}

const ContentPartSchema = z.array(
	z.looseObject({ type: text, text: text, thinking: z.unknown().optional() }).catch({ thinking: undefined }),
);

/** Content is a text, or (Mistral) a list of parts of which some are thoughts, which are lists of parts again. */
function contentText(content: unknown, kind: 'text' | 'thinking'): string {
	if (typeof content === 'string') {
		return kind === 'text' ? content : '';
	}
	const parts = ContentPartSchema.safeParse(content);
	if (!parts.success) {
		return '';
	}
	const wanted = parts.data.filter((part) => (part.type === 'thinking') === (kind === 'thinking'));
	return wanted.map((part) => (kind === 'text' ? (part.text ?? '') : contentText(part.thinking, 'text'))).join('');
}

function callDeltas(value: unknown): CallDelta[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : value && typeof value === 'object' ? [value] : [];
	return list.flatMap((each) => {
		const parsed = CallSchema.safeParse(each);
		if (!parsed.success) {
			return [];
		}
		const { index, id, function: called } = parsed.data;
		return [{ index, id: id === '' ? undefined : id, name: called?.name, args: argsText(called?.arguments) }];
	});
}

function argsText(value: unknown): string {
	if (typeof value === 'string') {
		return value;
	}
	if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
		return '';
	}
	return JSON.stringify(value);
}

function toUsage(usage: z.infer<typeof UsageSchema> | undefined): Usage | undefined {
	// Some servers send zeros with each chunk until they know.
	if (!usage || usage.prompt_tokens + usage.completion_tokens === 0) {
		return undefined;
	}
	return {
		inputTokens: usage.prompt_tokens,
		cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0,
		outputTokens: usage.completion_tokens,
		reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
	};
}
