import type { ApprovalDecision, ApprovalRequest, Event, Question, SessionSettings } from '../../protocol/index.ts';
import { Broker } from '../approvals/broker.ts';
import { History } from '../history/history.ts';
import type {
	Clock,
	IdSource,
	Logger,
	ModelClients,
	SessionRow,
	Store,
	StoredEvent,
	ToolRuntimeFactory,
} from '../ports/index.ts';
import { EventLog } from './eventLog.ts';
import { LiveItems } from './liveItems.ts';
import { Session } from './session.ts';
import type { SessionCore, SessionPlace } from './sessionCore.ts';
import { SessionState } from './sessionState.ts';

/** What every session of this window is made from. */
export interface SessionParts {
	readonly store: Store;
	readonly models: ModelClients;
	readonly clock: Clock;
	readonly newId: IdSource;
	readonly logger: Logger;
	readonly place: SessionPlace;
	readonly createTools: ToolRuntimeFactory;
}

/** Makes a new session and its row in the store. Its first event is `sessionConfigured`. */
export async function createSession(parts: SessionParts, settings: SessionSettings): Promise<Session> {
	const sessionId = parts.newId('session');
	const now = parts.clock.now();
	await parts.store.createSession({
		sessionId,
		title: '',
		createdAt: now,
		updatedAt: now,
		archived: false,
		state: 'idle',
		settings,
		cwd: parts.place.cwd,
	});
	const session = assemble(parts, sessionId, settings, { events: [], lastSeq: 0 });
	session.configure();
	return session;
}

/** Takes a stored session up where it stopped. Records that cannot be read are skipped, reported, and kept. */
export async function resumeSession(parts: SessionParts, row: SessionRow): Promise<Session> {
	const { events, skipped } = await parts.store.readEvents(row.sessionId, { after: 0 });
	for (const { seq, reason } of skipped) {
		parts.logger.warn(`Session ${row.sessionId}: record ${seq} can't be read (${reason}); it is left as it is`);
	}
	const lastSeq = await parts.store.lastSeq(row.sessionId);
	const session = assemble(parts, row.sessionId, row.settings, { events, lastSeq });
	await session.recover();
	return session;
}

function assemble(
	parts: SessionParts,
	sessionId: string,
	settings: SessionSettings,
	past: { events: readonly StoredEvent[]; lastSeq: number },
): Session {
	const { store, clock, logger, newId, models, place } = parts;
	const state = new SessionState(settings);
	const history = new History();
	const apply = (event: Event | StoredEvent) => {
		state.apply(event);
		history.apply(event);
	};
	past.events.forEach(apply);
	// What held in another host says nothing of this one.
	state.protection = undefined;
	const log = new EventLog({ sessionId, store, clock, logger, lastSeq: past.lastSeq });
	// The tools ask back through the session, which is made with them: they get it by name, when they first need it.
	const late: { session: Session | undefined } = { session: undefined };
	const tools = parts.createTools({
		sessionId,
		askEgress: async (question) => (late.session === undefined ? 'deny' : await late.session.askEgress(question)),
		protectionChanged: (protection) => late.session?.protectionChanged(protection),
	});
	const core: SessionCore = {
		sessionId,
		place,
		clock,
		newId,
		logger,
		store,
		models,
		tools,
		state,
		history,
		log,
		live: new LiveItems({ sessionId, store, clock, logger, log }),
		approvals: new Broker<ApprovalRequest, ApprovalDecision>(),
		questions: new Broker<Question, string | null>(),
		allowedKeys: new Set(),
		emit: (submissionId, body, options) => {
			const event = log.emit(submissionId, body, options);
			apply(event);
			return event;
		},
	};
	late.session = new Session(core);
	return late.session;
}
