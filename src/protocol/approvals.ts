import * as z from 'zod';
import { EffectSchema, FileDiffSchema } from './items.ts';

/** A question to the user whether something may be done. Keyed by its own id, so that parallel ones live side by side. */
export const ApprovalRequestSchema = z.object({
	approvalId: z.string(),
	turnId: z.string(),
	/** The tool call that waits for the answer. */
	itemId: z.string(),
	subject: z.enum(['tool', 'egress']),
	tool: z.string(),
	title: z.string(),
	/** The exact command, path, or `host:port`: what a screen reader reads out. */
	detail: z.string(),
	cwd: z.string().optional(),
	/** In words: why this asks. */
	reason: z.string(),
	effect: EffectSchema,
	preview: z.array(FileDiffSchema).optional(),
	/** What "Allow for this session" would also allow, in words; absent when that choice is not offered. */
	sessionScope: z.string().optional(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequestSchema>;

export const ApprovalDecisionSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('allowOnce') }),
	z.object({ type: z.literal('allowForSession') }),
	z.object({ type: z.literal('deny'), feedback: z.string().optional() }),
	/** Denies, and stops the turn. */
	z.object({ type: z.literal('stop') }),
]);
export type ApprovalDecision = z.infer<typeof ApprovalDecisionSchema>;

export const QuestionSchema = z.object({
	questionId: z.string(),
	turnId: z.string(),
	itemId: z.string(),
	question: z.string(),
	options: z.array(z.string()),
});
export type Question = z.infer<typeof QuestionSchema>;
