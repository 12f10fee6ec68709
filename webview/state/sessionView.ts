import type {
	ApprovalDecision,
	ApprovalRequest,
	ErrorCode,
	Item,
	Protection,
	Question,
	SessionHead,
	SessionSettings,
	Todo,
	TurnEndReason,
	Usage,
} from '../../src/protocol/index.ts';
import type { OutputText } from './outputText.ts';

interface EntryBase {
	/** Unique in the session; the same over all changes of the entry. */
	readonly key: string;
	/** The newest stored event that touched this entry: what lies before it can be loaded again. */
	readonly lastSeq: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
}

/** A command that goes on in the background. */
export interface ProcessView {
	readonly processId: string;
	readonly running: boolean;
	readonly exitCode: number | null;
	readonly signal: string | null;
}

/** What the user (or the turn's end) answered to an approval of this item. */
export interface DecisionNote {
	readonly approvalId: string;
	readonly subject: string;
	readonly decision: ApprovalDecision;
	readonly by: 'user' | 'turn' | 'rule';
}

export interface ItemEntry extends EntryBase {
	readonly kind: 'item';
	readonly turnId: string;
	readonly item: Item;
	readonly running: boolean;
	/** Output while the call runs. */
	readonly output: OutputText;
	readonly process: ProcessView | null;
	readonly decisions: readonly DecisionNote[];
}
export interface NoticeEntry extends EntryBase {
	readonly kind: 'notice';
	readonly level: 'warning' | 'error';
	readonly message: string;
	readonly code?: ErrorCode;
	readonly remedy?: string;
}
export interface TurnEndEntry extends EntryBase {
	readonly kind: 'turnEnd';
	readonly turnId: string;
	readonly reason: TurnEndReason;
	readonly durationMs: number;
	readonly usage: Usage | null;
}
/** An event of a kind that this version does not know. */
export interface UnknownEntry extends EntryBase {
	readonly kind: 'unknown';
	readonly eventKind: string;
	readonly raw: unknown;
}
export type Entry = ItemEntry | NoticeEntry | TurnEndEntry | UnknownEntry;

export interface QueuedMessage {
	readonly itemId: string;
	readonly text: string;
}

export interface Retrying {
	readonly attempt: number;
	readonly max: number;
	readonly delayMs: number;
	readonly message: string;
}

/** All that the panel knows of the open session. */
export interface SessionView {
	readonly sessionId: string;
	readonly title: string;
	readonly cwd: string;
	readonly settings: SessionSettings;
	readonly protection: Protection | null;
	/** The newest stored event that is in here. */
	readonly seq: number;
	readonly turnId: string | null;
	/** Milliseconds since the epoch, when known. */
	readonly turnStartedAt: number | null;
	readonly interrupted: boolean;
	readonly entries: readonly Entry[];
	readonly queued: readonly QueuedMessage[];
	readonly approvals: readonly ApprovalRequest[];
	readonly questions: readonly Question[];
	readonly todos: readonly Todo[];
	readonly usage: SessionHead['usage'];
	readonly retrying: Retrying | null;
	readonly hasOlder: boolean;
	/** Older events are those with a lower seq. */
	readonly olderBefore: number;
	readonly loadingOlder: boolean;
	/** Goes up each time a gap was found: the store answers with `resync`. */
	readonly gaps: number;
	readonly unsaved: boolean;
}

export function emptySession(head: SessionHead): SessionView {
	return {
		sessionId: head.sessionId,
		title: head.title,
		cwd: '',
		settings: head.settings,
		protection: head.protection,
		seq: 0,
		turnId: null,
		turnStartedAt: null,
		interrupted: false,
		entries: [],
		queued: [],
		approvals: [],
		questions: [],
		todos: [],
		usage: null,
		retrying: null,
		hasOlder: false,
		olderBefore: 0,
		loadingOlder: false,
		gaps: 0,
		unsaved: head.unsaved,
	};
}
