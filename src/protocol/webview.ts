import * as z from 'zod';
import { OpSchema } from './ops.ts';
import { SessionHeadSchema, SessionSummarySchema } from './sessions.ts';

const message = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
	z.object({ type: z.literal(type), ...shape });

export const ModelChoiceSchema = z.object({ providerId: z.string(), providerLabel: z.string(), model: z.string() });
export type ModelChoice = z.infer<typeof ModelChoiceSchema>;

/** What the panel tells the host. */
export const ToHostSchema = z.discriminatedUnion('type', [
	/** The panel is drawn. `sessionId` and `seq` say what it showed before it was closed, if anything. */
	message('ready', { version: z.number(), sessionId: z.string().optional(), seq: z.number().optional() }),
	/** Answered by `submitted` with the same requestId. With no session, a new one is made and opened. */
	message('submit', { requestId: z.string(), sessionId: z.string().nullable(), op: OpSchema }),
	message('newSession', {}),
	message('openSession', { sessionId: z.string() }),
	/** Something was missed: answered by `opened`. */
	message('resync', { sessionId: z.string(), seq: z.number() }),
	message('loadOlder', { sessionId: z.string(), beforeSeq: z.number() }),
	message('deleteSession', { sessionId: z.string() }),
	message('chooseModel', {}),
	message('setUp', { way: z.enum(['key', 'localServer', 'practice']) }),
	message('openFile', { path: z.string(), line: z.number().optional() }),
	message('openDiff', { sessionId: z.string(), itemId: z.string(), path: z.string() }),
	message('showTerminal', { sessionId: z.string(), itemId: z.string() }),
	message('showOutput', { sessionId: z.string(), itemId: z.string() }),
	message('openLink', { href: z.string() }),
	message('copy', { text: z.string() }),
	message('storageChoice', { choice: z.enum(['takeOver', 'wait', 'unsaved']) }),
	message('log', { level: z.enum(['warn', 'error']), message: z.string() }),
]);
export type ToHost = z.infer<typeof ToHostSchema>;

/** Events as sent: checked one by one with `parseEvent`, so that one unknown kind spoils nothing. */
const EventsSchema = z.array(z.unknown());

export const PanelSettingsSchema = z.object({
	/** What Enter does: send, or a new line (then Ctrl+Enter or Cmd+Enter sends). */
	sendKey: z.enum(['enter', 'ctrlEnter']),
	workspaceTrusted: z.boolean(),
	workspaceName: z.string(),
	/** Why auto mode would still ask, or null where it is fully available. */
	autoModeLimit: z.string().nullable(),
});
export type PanelSettings = z.infer<typeof PanelSettingsSchema>;

export const StorageStateSchema = z.discriminatedUnion('state', [
	z.object({ state: z.literal('open') }),
	z.object({ state: z.literal('opening') }),
	/** Another window or host holds the sessions and is busy. */
	z.object({ state: z.literal('busyElsewhere'), message: z.string() }),
	/** Sessions were handed to another window: this panel is read-only until it takes over again. */
	z.object({ state: z.literal('handedOver'), message: z.string() }),
	z.object({ state: z.literal('unsaved'), message: z.string() }),
]);
export type StorageState = z.infer<typeof StorageStateSchema>;

/** What the host tells the panel. */
export const ToPanelSchema = z.discriminatedUnion('type', [
	message('hello', {
		version: z.number(),
		settings: PanelSettingsSchema,
		/** Strings of the display language, by the English text. Empty for English. */
		strings: z.record(z.string(), z.string()),
		models: z.array(ModelChoiceSchema),
		/** The model a new session would use, or null where none is set up. */
		defaultModel: ModelChoiceSchema.nullable(),
	}),
	message('settings', { settings: PanelSettingsSchema }),
	message('models', { models: z.array(ModelChoiceSchema), defaultModel: ModelChoiceSchema.nullable() }),
	message('storage', { storage: StorageStateSchema }),
	message('sessions', { sessions: z.array(SessionSummarySchema) }),
	/** Replaces what is shown. `events` are the newest of the session; older ones are there when `hasOlder`. */
	message('opened', { head: SessionHeadSchema, events: EventsSchema, hasOlder: z.boolean() }),
	/** No session is open: the empty state. */
	message('closed', {}),
	message('older', { sessionId: z.string(), events: EventsSchema, hasOlder: z.boolean() }),
	/** `seq` is the newest stored event's among these and all before. */
	message('events', { sessionId: z.string(), seq: z.number(), events: EventsSchema }),
	message('submitted', { requestId: z.string(), error: z.string().nullable() }),
	message('notice', { level: z.enum(['info', 'warning', 'error']), message: z.string() }),
	/** From a command or a key: put the caret into the composer, with text added to its draft. */
	message('focusComposer', { text: z.string().optional() }),
]);
export type ToPanel = z.infer<typeof ToPanelSchema>;
