import * as z from 'zod';
import { ApprovalRequestSchema, QuestionSchema } from './approvals.ts';
import { ProtectionSchema, SessionSettingsSchema } from './events.ts';
import { TodoSchema, UsageSchema } from './items.ts';

/** A row of the session list. Times are milliseconds since the epoch. */
export const SessionSummarySchema = z.object({
	sessionId: z.string(),
	title: z.string(),
	createdAt: z.number(),
	updatedAt: z.number(),
	archived: z.boolean(),
	/** `waiting`: for the user; `interrupted`: the last turn did not end by itself. */
	state: z.enum(['idle', 'running', 'waiting', 'interrupted']),
});
export type SessionSummary = z.infer<typeof SessionSummarySchema>;

/** Everything about a session that its newest events alone do not tell. */
export const SessionHeadSchema = z.object({
	sessionId: z.string(),
	title: z.string(),
	settings: SessionSettingsSchema,
	/** Null until it has been found out by trying, with the first turn. */
	protection: ProtectionSchema.nullable(),
	/** The turn that runs now. */
	turnId: z.string().nullable(),
	/** The last turn was cut off and can be continued. */
	interrupted: z.boolean(),
	todos: z.array(TodoSchema),
	approvals: z.array(ApprovalRequestSchema),
	questions: z.array(QuestionSchema),
	usage: z.object({ last: UsageSchema, total: UsageSchema, contextWindow: z.number() }).nullable(),
	/** Texts of items that are running now, by item id. */
	live: z.array(z.object({ itemId: z.string(), text: z.string(), offset: z.number() })),
	processes: z.array(z.object({ processId: z.string(), itemId: z.string(), command: z.string() })),
	/** Not kept when the window closes: the store could not be opened. */
	unsaved: z.boolean(),
});
export type SessionHead = z.infer<typeof SessionHeadSchema>;
