import type { Event, SessionSettings, SessionSummary, UnknownEvent } from '../../protocol/index.ts';

export interface SessionRow extends SessionSummary {
	readonly settings: SessionSettings;
	readonly cwd: string;
}
export type SessionPatch = Partial<Pick<SessionRow, 'title' | 'updatedAt' | 'archived' | 'state' | 'settings' | 'cwd'>>;

/** An event as it goes into the rollout: `seq` is above every one before it in its session. */
export type StoredEvent = Event | UnknownEvent;

export interface EventPage {
	/** In order of `seq`. */
	readonly events: readonly StoredEvent[];
	/** Records that could not be read: they stay in the store, and the user is told. */
	readonly skipped: readonly { readonly seq: number; readonly reason: string }[];
	/** There are more in the direction in which the query went. */
	readonly more: boolean;
}

export type EventQuery =
	/** The oldest `limit` events with a `seq` above `after`. */
	| { readonly after: number; readonly limit?: number }
	/** The newest `limit` events with a `seq` below `before` (all when Infinity). */
	| { readonly before: number; readonly limit: number };

/**
 * A piece of the text of an item that is still running, so that a killed host loses at most the last 250 ms of it.
 * What the item's pieces held from `offset` (characters) on is replaced by `text`.
 */
export interface PartialText {
	readonly turnId: string;
	readonly itemId: string;
	readonly itemType: 'agentMessage' | 'reasoning' | 'toolCall';
	readonly offset: number;
	readonly text: string;
}

/** One connection that a command tried to make. */
export interface EgressRow {
	readonly at: number;
	readonly sessionId: string;
	/** The tool call whose command asked, where that is known. */
	readonly itemId: string | null;
	readonly host: string;
	readonly port: number;
	readonly protocol: 'connect' | 'http' | 'socks5';
	readonly verdict: 'allowed' | 'denied' | 'failed';
	/** The rule or the reason, in words. */
	readonly rule: string;
	readonly bytesUp: number;
	readonly bytesDown: number;
	readonly durationMs: number;
}

/**
 * Where sessions are kept. Every method's promise settles only when the change is committed, or rejects with a
 * {@link StoreError}; nothing is half done.
 */
export interface Store {
	createSession(row: SessionRow): Promise<void>;
	/** Changes nothing where there is no such session. */
	updateSession(sessionId: string, patch: SessionPatch): Promise<void>;
	getSession(sessionId: string): Promise<SessionRow | undefined>;
	/** Newest first. */
	listSessions(query?: { readonly limit?: number; readonly archived?: boolean }): Promise<readonly SessionRow[]>;
	/** Deletes the session and all that belongs to it. */
	deleteSession(sessionId: string): Promise<void>;

	/**
	 * Adds events to a session's rollout, with a change of its row, in one transaction. An `itemCompleted` event
	 * removes the item's partial text: the completed item holds all of it.
	 * `flush`: written to the disk, so that it survives a power cut, not only a killed process.
	 */
	append(
		sessionId: string,
		events: readonly Event[],
		options?: { readonly flush?: boolean; readonly session?: SessionPatch },
	): Promise<void>;
	readEvents(sessionId: string, query: EventQuery): Promise<EventPage>;
	/** 0 where there are none. */
	lastSeq(sessionId: string): Promise<number>;

	/** Keeps pieces of running items' texts: later pieces of an item replace what stood from their offset on. */
	savePartials(sessionId: string, pieces: readonly PartialText[]): Promise<void>;
	/** The texts of items that never completed, one entry an item with offset 0, in order of their first piece. */
	readPartials(sessionId: string): Promise<readonly PartialText[]>;

	saveToolOutput(sessionId: string, itemId: string, text: string): Promise<void>;
	readToolOutput(sessionId: string, itemId: string): Promise<string | undefined>;

	appendEgress(rows: readonly EgressRow[]): Promise<void>;
	/** Newest first. */
	readEgress(sessionId: string, limit: number): Promise<readonly EgressRow[]>;

	/** Finishes what is queued, then closes. Later calls reject. */
	close(): Promise<void>;
}

export class StoreError extends Error {
	readonly code: 'closed' | 'newerSchema' | 'corrupt' | 'busyElsewhere' | 'full' | 'io' | 'invalid';
	readonly remedy: string | undefined;

	constructor(
		code: StoreError['code'],
		message: string,
		options: { remedy?: string | undefined; cause?: unknown } = {},
	) {
		super(message, { cause: options.cause });
		this.name = 'StoreError';
		this.code = code;
		this.remedy = options.remedy;
	}
}
