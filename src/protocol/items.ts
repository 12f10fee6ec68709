import * as z from 'zod';

/** What a tool call may do. The order is from harmless to harmful; see `worstEffect` in the engine. */
export const EffectSchema = z.enum(['readOnly', 'remoteAction', 'localMutation', 'destructive']);
export type Effect = z.infer<typeof EffectSchema>;

export const TrustModeSchema = z.enum(['plan', 'safe', 'auto']);
export type TrustMode = z.infer<typeof TrustModeSchema>;

/** One file's change, as a unified diff without file headers' timestamps. `diff` may be cut (`truncated`). */
export const FileDiffSchema = z.object({
	path: z.string(),
	change: z.enum(['create', 'update', 'delete']),
	diff: z.string(),
	added: z.number(),
	removed: z.number(),
	truncated: z.boolean().optional(),
});
export type FileDiff = z.infer<typeof FileDiffSchema>;

export const TodoSchema = z.object({
	content: z.string(),
	status: z.enum(['pending', 'inProgress', 'completed']),
	priority: z.enum(['high', 'medium', 'low']),
});
export type Todo = z.infer<typeof TodoSchema>;

/** What a card shows of a finished tool call, beside the text that the model was given. */
export const ToolDisplaySchema = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('text'), text: z.string() }),
	z.object({ kind: z.literal('edit'), files: z.array(FileDiffSchema) }),
	z.object({
		kind: z.literal('command'),
		/** The end of the screen's text: at most 16 KiB. The rest is in the tool output store. */
		tail: z.string(),
		exitCode: z.number().nullable(),
		signal: z.string().nullable(),
		timedOut: z.boolean(),
		/** Set when the command goes on in the background. */
		processId: z.string().nullable(),
		totalBytes: z.number(),
	}),
	z.object({ kind: z.literal('todos'), todos: z.array(TodoSchema) }),
	z.object({ kind: z.literal('answer'), question: z.string(), answer: z.string() }),
]);
export type ToolDisplay = z.infer<typeof ToolDisplaySchema>;

export const ToolStatusSchema = z.enum(['running', 'completed', 'failed', 'denied', 'blocked', 'interrupted']);
export type ToolStatus = z.infer<typeof ToolStatusSchema>;

/** The model call within its turn that the item came from: history is rebuilt by it. */
const step = z.number();

export const UserMessageSchema = z.object({
	type: z.literal('userMessage'),
	itemId: z.string(),
	text: z.string(),
	/** Sent while a turn was running, and seen by the model at its next call. */
	steered: z.boolean().optional(),
});
export const AgentMessageSchema = z.object({
	type: z.literal('agentMessage'),
	itemId: z.string(),
	text: z.string(),
	/** Cut off by an interrupt or a lost stream: shown, and told to the model as unfinished. */
	partial: z.boolean().optional(),
	/** Cut off, and not told to the model, since the same call was tried again. */
	dropped: z.boolean().optional(),
	step,
});
export const ReasoningSchema = z.object({
	type: z.literal('reasoning'),
	itemId: z.string(),
	text: z.string(),
	step,
});
export const ToolCallSchema = z.object({
	type: z.literal('toolCall'),
	/** The same as the model's call id, made unique within the session. */
	itemId: z.string(),
	tool: z.string(),
	/** The arguments as the model sent them: JSON text, unparsed so that nothing is lost. */
	args: z.string(),
	title: z.string(),
	/** The exact command, path or address that the title shortens. */
	detail: z.string().optional(),
	effect: EffectSchema,
	status: ToolStatusSchema,
	/** The text that the model was given as the result. Empty while running. */
	output: z.string(),
	display: ToolDisplaySchema.optional(),
	/** Why the call was allowed to run, or was not. */
	verdict: z.string().optional(),
	durationMs: z.number().optional(),
	/** More of the output is in the tool output store. */
	hasFullOutput: z.boolean().optional(),
	step,
});

export const ItemSchema = z.discriminatedUnion('type', [
	UserMessageSchema,
	AgentMessageSchema,
	ReasoningSchema,
	ToolCallSchema,
]);
export type Item = z.infer<typeof ItemSchema>;
export type UserMessage = z.infer<typeof UserMessageSchema>;
export type AgentMessage = z.infer<typeof AgentMessageSchema>;
export type Reasoning = z.infer<typeof ReasoningSchema>;
export type ToolCall = z.infer<typeof ToolCallSchema>;

export const UsageSchema = z.object({
	inputTokens: z.number(),
	cachedInputTokens: z.number(),
	outputTokens: z.number(),
	reasoningTokens: z.number(),
});
export type Usage = z.infer<typeof UsageSchema>;
