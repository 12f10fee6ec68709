import type { ApprovalDecision, ApprovalRequest, Event, EventBody, Question } from '../../protocol/index.ts';
import type { Broker } from '../approvals/broker.ts';
import type { History } from '../history/history.ts';
import type { Clock, IdSource, Logger, ModelClients, Store, ToolRuntime } from '../ports/index.ts';
import type { EventLog } from './eventLog.ts';
import type { LiveItems } from './liveItems.ts';
import type { SessionState } from './sessionState.ts';

/** What never changes of a session: its place on this machine. */
export interface SessionPlace {
	/** Absolute. */
	readonly cwd: string;
	/** Absolute, real paths of the workspace's folders. */
	readonly roots: readonly string[];
	/** An untrusted workspace gets plan mode, whatever the settings say. */
	readonly isTrusted: () => boolean;
}

/** What the parts of one session share. Nothing of it is shared with another session, the store and clock apart. */
export interface SessionCore {
	readonly sessionId: string;
	readonly place: SessionPlace;
	readonly clock: Clock;
	readonly newId: IdSource;
	readonly logger: Logger;
	readonly store: Store;
	readonly models: ModelClients;
	readonly tools: ToolRuntime;
	readonly state: SessionState;
	readonly history: History;
	readonly log: EventLog;
	readonly live: LiveItems;
	readonly approvals: Broker<ApprovalRequest, ApprovalDecision>;
	readonly questions: Broker<Question, string | null>;
	/** Session keys (see `Assessment.sessionKey`) that the user allowed. */
	readonly allowedKeys: Set<string>;
	/** Takes an event into state and history at once, and stores and delivers it. */
	readonly emit: (submissionId: string, body: EventBody, options?: { flush?: boolean }) => Event;
}
