import * as z from 'zod';
import { ApprovalDecisionSchema, ApprovalRequestSchema, QuestionSchema } from './approvals.ts';
import { ItemSchema, TodoSchema, TrustModeSchema, UsageSchema } from './items.ts';

/** Raised when stored or sent shapes change so that an older reader would misread them. */
export const PROTOCOL_VERSION = 1;

/** What really protects the user in this session, found by a trial run, never assumed. */
export const ProtectionSchema = z.object({
	egress: z.enum(['filtered', 'unfiltered']),
	egressReason: z.string().optional(),
	sandbox: z.enum(['enforced', 'advisory']),
	sandboxReason: z.string().optional(),
});
export type Protection = z.infer<typeof ProtectionSchema>;

export const SessionSettingsSchema = z.object({
	providerId: z.string(),
	model: z.string(),
	trustMode: TrustModeSchema,
});
export type SessionSettings = z.infer<typeof SessionSettingsSchema>;

export const ErrorCodeSchema = z.enum([
	'badRequest',
	'unauthorized',
	'rateLimited',
	'usageLimit',
	'contextOverflow',
	'network',
	'server',
	'stream',
	'noModel',
	'storage',
	'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCodeSchema>;

export const TurnEndReasonSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('completed') }),
	z.object({ type: z.literal('interrupted'), by: z.enum(['user', 'hostStopped']) }),
	z.object({ type: z.literal('failed'), code: ErrorCodeSchema, message: z.string(), remedy: z.string().optional() }),
]);
export type TurnEndReason = z.infer<typeof TurnEndReasonSchema>;

const base = { id: z.string(), seq: z.number(), at: z.number() };
const event = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
	z.object({ type: z.literal(type), ...base, ...shape });

/**
 * What comes out of a session. `id` is the submission that caused it ('' for the start), `seq` its place in the
 * rollout (0 for events that are only delivered), `at` milliseconds since the epoch.
 */
export const EventSchema = z.discriminatedUnion('type', [
	event('sessionConfigured', { settings: SessionSettingsSchema, cwd: z.string(), version: z.number() }),
	event('settingsChanged', { settings: SessionSettingsSchema }),
	event('protectionChanged', { protection: ProtectionSchema }),
	event('titleChanged', { title: z.string() }),
	event('turnStarted', { turnId: z.string() }),
	event('turnEnded', {
		turnId: z.string(),
		reason: TurnEndReasonSchema,
		durationMs: z.number(),
		usage: UsageSchema.optional(),
	}),
	event('itemStarted', { turnId: z.string(), item: ItemSchema }),
	/**
	 * Text of a running item. What the item had from `offset` on is replaced by `text`. For `output` an offset past the
	 * end means that what lies between was left out; for the others it means that something was missed.
	 */
	event('itemDelta', {
		turnId: z.string(),
		itemId: z.string(),
		channel: z.enum(['text', 'args', 'output']),
		offset: z.number(),
		text: z.string(),
	}),
	event('itemCompleted', { turnId: z.string(), item: ItemSchema }),
	/** A message sent during a turn is waiting for the model's next call. It comes again as a completed item. */
	event('inputQueued', { turnId: z.string(), itemId: z.string(), text: z.string() }),
	event('approvalRequested', { approval: ApprovalRequestSchema }),
	event('approvalResolved', {
		approvalId: z.string(),
		itemId: z.string(),
		decision: ApprovalDecisionSchema,
		/** `turn`: denied because the turn ended. */
		by: z.enum(['user', 'turn', 'rule']),
	}),
	event('questionAsked', { question: QuestionSchema }),
	event('questionAnswered', { questionId: z.string(), itemId: z.string(), answer: z.string().nullable() }),
	event('todosChanged', { todos: z.array(TodoSchema) }),
	event('tokenCount', { turnId: z.string(), last: UsageSchema, total: UsageSchema, contextWindow: z.number() }),
	event('retrying', {
		turnId: z.string(),
		attempt: z.number(),
		max: z.number(),
		delayMs: z.number(),
		message: z.string(),
	}),
	event('processStarted', { processId: z.string(), itemId: z.string(), command: z.string() }),
	event('processEnded', { processId: z.string(), exitCode: z.number().nullable(), signal: z.string().nullable() }),
	event('warning', { message: z.string() }),
	/** One submission was refused, or something failed outside a turn. Nothing was changed. */
	event('error', { code: ErrorCodeSchema, message: z.string(), remedy: z.string().optional() }),
]);
export type Event = z.infer<typeof EventSchema>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event before its place, time and submission are known. */
export type EventBody = DistributiveOmit<Event, 'id' | 'seq' | 'at'>;

/** An event of a kind that this version does not know: shown as such, never an error. */
export interface UnknownEvent {
	readonly type: 'unknown';
	readonly kind: string;
	readonly id: string;
	readonly seq: number;
	readonly at: number;
	readonly raw: unknown;
}

const EnvelopeSchema = z.object({ type: z.string(), ...base });

/**
 * Reads an event that came from storage or over a wire.
 * @returns the event; an {@link UnknownEvent} where its kind or shape is not known; undefined where it is no event at all.
 */
export function parseEvent(value: unknown): Event | UnknownEvent | undefined {
	const known = EventSchema.safeParse(value);
	if (known.success) {
		return known.data;
	}
	const envelope = EnvelopeSchema.safeParse(value);
	if (!envelope.success) {
		return undefined;
	}
	const { type, id, seq, at } = envelope.data;
	return { type: 'unknown', kind: type, id, seq, at, raw: value };
}

/** Kinds that are delivered but not stored. */
export const TRANSIENT_EVENTS: ReadonlySet<EventType> = new Set<EventType>(['itemDelta', 'retrying']);
