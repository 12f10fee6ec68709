import { parseEvent } from '../../src/protocol/index.ts';
import type { ModelChoice, PanelSettings, SessionSummary, StorageState, ToPanel } from '../../src/protocol/index.ts';
import { announcementOfBatch } from './announce.ts';
import { openSession, prependOlder, reduceEvents, trimEntries, type PanelEvent } from './reduceEvent.ts';
import type { SessionView } from './sessionView.ts';

export interface Notice {
	readonly id: number;
	readonly level: 'info' | 'warning' | 'error';
	readonly message: string;
}

/** A submission that the host has not answered yet. `text` is what the user wrote, for a user turn. */
export interface Sending {
	readonly requestId: string;
	readonly text: string | null;
	/** The approval or question that it answers. */
	readonly answers: string | null;
}

/** Everything that the panel draws, but for what the user is typing. */
export interface PanelState {
	/** False until the host said hello. */
	readonly connected: boolean;
	readonly settings: PanelSettings;
	readonly strings: Readonly<Record<string, string>>;
	readonly models: readonly ModelChoice[];
	readonly defaultModel: ModelChoice | null;
	readonly storage: StorageState;
	/** Null until the host sent the list. */
	readonly sessions: readonly SessionSummary[] | null;
	readonly session: SessionView | null;
	readonly screen: 'conversation' | 'sessions';
	readonly notices: readonly Notice[];
	readonly nextNotice: number;
	readonly sending: readonly Sending[];
	/** Approvals and questions that the user has answered: they take no second answer unless the host refuses the first. */
	readonly answered: readonly string[];
	/** For the live region. `count` tells the same text said again from the text that still stands there. */
	readonly announcement: { readonly count: number; readonly text: string };
	/** Goes up when the host sent events of a session that is not drawn. */
	readonly strays: { readonly count: number; readonly sessionId: string };
}

export const INITIAL_STATE: PanelState = {
	connected: false,
	settings: { sendKey: 'enter', workspaceTrusted: true, workspaceName: '', autoModeLimit: null },
	strings: {},
	models: [],
	defaultModel: null,
	storage: { state: 'opening' },
	sessions: null,
	session: null,
	screen: 'conversation',
	notices: [],
	nextNotice: 1,
	sending: [],
	answered: [],
	announcement: { count: 0, text: '' },
	strays: { count: 0, sessionId: '' },
};

export type PanelAction =
	| { readonly type: 'host'; readonly message: ToPanel }
	| { readonly type: 'showSessions'; readonly show: boolean }
	| { readonly type: 'dismissNotice'; readonly id: number }
	| { readonly type: 'sent'; readonly sending: Sending }
	| { readonly type: 'loadingOlder' }
	| { readonly type: 'announce'; readonly text: string }
	| { readonly type: 'trim'; readonly keep: number };

/** The whole of the panel's logic: what the state is after an action. Pure. */
export function reduce(state: PanelState, action: PanelAction): PanelState {
	switch (action.type) {
		case 'host':
			return reduceMessage(state, action.message);
		case 'showSessions':
			return { ...state, screen: action.show ? 'sessions' : 'conversation' };
		case 'dismissNotice':
			return { ...state, notices: state.notices.filter((notice) => notice.id !== action.id) };
		case 'sent':
			return reduceSent(state, action.sending);
		case 'loadingOlder':
			return withSession(state, (session) => ({ ...session, loadingOlder: true }));
		case 'announce':
			return announced(state, action.text);
		case 'trim':
			return withSession(state, (session) => trimEntries(session, action.keep));
	}
}

function withSession(state: PanelState, change: (session: SessionView) => SessionView): PanelState {
	return state.session ? { ...state, session: change(state.session) } : state;
}

function announced(state: PanelState, text: string | null): PanelState {
	return text === null ? state : { ...state, announcement: { count: state.announcement.count + 1, text } };
}

function reduceMessage(state: PanelState, message: ToPanel): PanelState {
	switch (message.type) {
		case 'hello': {
			const { settings, strings, models, defaultModel } = message;
			return { ...state, connected: true, settings, strings, models, defaultModel };
		}
		case 'settings':
			return { ...state, settings: message.settings };
		case 'models':
			return { ...state, models: message.models, defaultModel: message.defaultModel };
		case 'storage':
			return { ...state, storage: message.storage };
		case 'sessions':
			return { ...state, sessions: message.sessions };
		case 'opened':
			return {
				...state,
				screen: 'conversation',
				session: openSession(message.head, parseEvents(message.events), message.hasOlder),
			};
		case 'closed':
			return { ...state, session: null, screen: 'conversation' };
		case 'older':
			return withSession(state, (session) =>
				session.sessionId === message.sessionId
					? prependOlder(session, parseEvents(message.events), message.hasOlder)
					: session,
			);
		case 'events':
			return reduceEventsMessage(state, message);
		case 'submitted':
			return reduceSubmitted(state, message.requestId, message.error);
		case 'notice':
			return addNotice(state, message.level, message.message);
		case 'focusComposer':
			return state; // Acted on by the store: the caret and the draft are no state of the session.
	}
}

function reduceEventsMessage(state: PanelState, message: Extract<ToPanel, { type: 'events' }>): PanelState {
	const { session } = state;
	if (session?.sessionId !== message.sessionId) {
		const strays = { count: state.strays.count + 1, sessionId: message.sessionId };
		return session ? state : { ...state, strays };
	}
	const events = parseEvents(message.events);
	const fresh = events.filter((event) => event.seq === 0 || event.seq > session.seq);
	const next = reduceEvents(session, events);
	return announced(
		{ ...state, session: { ...next, seq: Math.max(next.seq, message.seq) } },
		announcementOfBatch(fresh),
	);
}

function reduceSubmitted(state: PanelState, requestId: string, error: string | null): PanelState {
	const { sending, answered } = state;
	const done = sending.find((each) => each.requestId === requestId);
	const next = { ...state, sending: sending.filter((each) => each !== done) };
	if (error === null) {
		return next;
	}
	return addNotice({ ...next, answered: answered.filter((id) => id !== done?.answers) }, 'error', error);
}

function reduceSent(state: PanelState, sending: Sending): PanelState {
	const { answers } = sending;
	// Ids of long ago are of no use: what they answered is resolved.
	const answered = answers === null ? state.answered : [...state.answered.slice(-50), answers];
	return { ...state, sending: [...state.sending, sending], answered };
}

function addNotice(state: PanelState, level: Notice['level'], message: string): PanelState {
	// The same message twice is one notice: a failing host must not fill the panel.
	const notices = state.notices.filter((notice) => notice.message !== message).slice(-4);
	const next = { ...state, notices: [...notices, { id: state.nextNotice, level, message }] };
	return announced({ ...next, nextNotice: state.nextNotice + 1 }, message);
}

function parseEvents(values: readonly unknown[]): PanelEvent[] {
	return values.map(parseEvent).filter((event) => event !== undefined);
}
