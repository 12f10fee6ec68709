import type { Event, EventOf, SessionHead, UnknownEvent } from '../../src/protocol/index.ts';
import { applyDelta, findItem, putItem, settleItems, updateItem, type Draft } from './reduceItems.ts';
import { emptySession, type Entry, type SessionView } from './sessionView.ts';

/** An event as it reaches the panel. */
export type PanelEvent = Event | UnknownEvent;

/**
 * Puts events into a session. Pure: the given session is not changed.
 * Stored events (`seq` above 0) that are already in it are left out, so that a batch may come twice.
 */
export function reduceEvents(session: SessionView, events: readonly PanelEvent[]): SessionView {
	const draft: Draft = { ...session, entries: session.entries.slice() };
	for (const event of events) {
		if (event.seq !== 0 && event.seq <= draft.seq) {
			continue;
		}
		reduceEvent(draft, event);
		draft.seq = Math.max(draft.seq, event.seq);
	}
	return draft;
}

/** What `opened` says: the newest events, then what they alone do not tell. */
export function openSession(head: SessionHead, events: readonly PanelEvent[], hasOlder: boolean): SessionView {
	const reduced = reduceEvents(emptySession(head), events);
	const draft: Draft = { ...reduced, entries: reduced.entries.slice() };
	draft.title = head.title;
	draft.settings = head.settings;
	draft.protection = head.protection;
	draft.turnId = head.turnId;
	draft.interrupted = head.interrupted;
	draft.approvals = head.approvals;
	draft.questions = head.questions;
	draft.todos = head.todos;
	draft.usage = head.usage ?? draft.usage;
	draft.hasOlder = hasOlder;
	draft.olderBefore = firstSeq(events);
	draft.gaps = 0;
	if (head.turnId === null) {
		settleItems(draft, null);
		draft.queued = [];
	}
	for (const { itemId, text, offset } of head.live) {
		const channel = findItem(draft, itemId)?.item.type === 'toolCall' ? 'output' : 'text';
		applyDelta(draft, { turnId: '', itemId, channel, offset, text });
	}
	for (const { processId, itemId } of head.processes) {
		updateItem(draft, itemId, (entry) => ({
			...entry,
			process: { processId, running: true, exitCode: null, signal: null },
		}));
	}
	return draft;
}

/** Puts a page of older events before what is shown. What is shown already stays as it is. */
export function prependOlder(session: SessionView, events: readonly PanelEvent[], hasOlder: boolean): SessionView {
	const older: Draft = { ...session, entries: [], seq: 0, queued: [] };
	for (const event of events) {
		reduceEvent(older, event);
	}
	settleItems(older, null);
	const shown = new Set(session.entries.map((entry) => entry.key));
	return {
		...session,
		entries: [...older.entries.filter((entry) => !shown.has(entry.key)), ...session.entries],
		hasOlder,
		olderBefore: Math.min(session.olderBefore, firstSeq(events)),
		loadingOlder: false,
	};
}

/** Keeps the newest entries only; the others can be loaded again. */
export function trimEntries(session: SessionView, keep: number): SessionView {
	let cut = session.entries.length - keep;
	const running = session.entries.findIndex((entry) => entry.kind === 'item' && entry.running);
	cut = running === -1 ? cut : Math.min(cut, running);
	if (cut <= 0) {
		return session;
	}
	const dropped = session.entries.slice(0, cut);
	return {
		...session,
		entries: session.entries.slice(cut),
		hasOlder: true,
		olderBefore: Math.max(...dropped.map((entry) => entry.lastSeq)) + 1,
	};
}

function firstSeq(events: readonly PanelEvent[]): number {
	return events.reduce((first, event) => (event.seq > 0 ? Math.min(first, event.seq) : first), Number.MAX_SAFE_INTEGER);
}

function reduceEvent(draft: Draft, event: PanelEvent): void {
	switch (event.type) {
		case 'sessionConfigured':
			draft.settings = event.settings;
			draft.cwd = event.cwd;
			break;
		case 'settingsChanged':
			draft.settings = event.settings;
			break;
		case 'protectionChanged':
			draft.protection = event.protection;
			break;
		case 'titleChanged':
			draft.title = event.title;
			break;
		case 'todosChanged':
			draft.todos = event.todos;
			break;
		case 'tokenCount':
			draft.usage = { last: event.last, total: event.total, contextWindow: event.contextWindow };
			break;
		case 'unknown':
			push(draft, event, { kind: 'unknown', eventKind: event.kind, raw: event.raw });
			break;
		case 'warning':
			push(draft, event, { kind: 'notice', level: 'warning', message: event.message });
			break;
		case 'error': {
			const { code, message, remedy } = event;
			push(draft, event, { kind: 'notice', level: 'error', code, message, ...(remedy !== undefined && { remedy }) });
			break;
		}
		default:
			reduceTurnEvent(draft, event);
	}
}

type TurnEvent = EventOf<
	| 'turnStarted'
	| 'turnEnded'
	| 'retrying'
	| 'itemStarted'
	| 'itemCompleted'
	| 'itemDelta'
	| 'inputQueued'
	| 'approvalRequested'
	| 'approvalResolved'
	| 'questionAsked'
	| 'questionAnswered'
	| 'processStarted'
	| 'processEnded'
>;

function reduceTurnEvent(draft: Draft, event: TurnEvent): void {
	switch (event.type) {
		case 'turnStarted':
			draft.turnId = event.turnId;
			draft.turnStartedAt = event.at;
			draft.interrupted = false;
			break;
		case 'turnEnded':
			endTurn(draft, event);
			break;
		case 'retrying': {
			const { attempt, max, delayMs, message } = event;
			draft.retrying = { attempt, max, delayMs, message };
			break;
		}
		case 'itemStarted':
		case 'itemCompleted':
			draft.retrying = null;
			putItem(draft, event);
			break;
		case 'itemDelta':
			draft.retrying = null;
			applyDelta(draft, event);
			break;
		case 'inputQueued':
			draft.queued = [...draft.queued, { itemId: event.itemId, text: event.text }];
			break;
		case 'approvalRequested':
			draft.approvals = [
				...draft.approvals.filter(({ approvalId }) => approvalId !== event.approval.approvalId),
				event.approval,
			];
			break;
		case 'approvalResolved':
			resolveApproval(draft, event);
			break;
		case 'questionAsked':
			draft.questions = [
				...draft.questions.filter(({ questionId }) => questionId !== event.question.questionId),
				event.question,
			];
			break;
		case 'questionAnswered':
			draft.questions = draft.questions.filter(({ questionId }) => questionId !== event.questionId);
			break;
		case 'processStarted': {
			const { processId } = event;
			updateItem(draft, event.itemId, (entry) => ({
				...entry,
				process: { processId, running: true, exitCode: null, signal: null },
			}));
			break;
		}
		case 'processEnded':
			endProcess(draft, event);
			break;
	}
}

function endTurn(draft: Draft, event: EventOf<'turnEnded'>): void {
	const { turnId, reason, durationMs, usage } = event;
	settleItems(draft, turnId);
	draft.turnId = draft.turnId === turnId ? null : draft.turnId;
	draft.retrying = null;
	draft.interrupted = reason.type === 'interrupted';
	draft.approvals = draft.approvals.filter((approval) => approval.turnId !== turnId);
	draft.questions = draft.questions.filter((question) => question.turnId !== turnId);
	push(draft, event, { kind: 'turnEnd', turnId, reason, durationMs, usage: usage ?? null });
}

function resolveApproval(draft: Draft, event: EventOf<'approvalResolved'>): void {
	const { approvalId, itemId, decision, by } = event;
	const approval = draft.approvals.find((pending) => pending.approvalId === approvalId);
	draft.approvals = draft.approvals.filter((pending) => pending.approvalId !== approvalId);
	const subject = approval?.subject === 'egress' ? approval.detail : '';
	updateItem(draft, itemId, (entry) => ({
		...entry,
		decisions: [
			...entry.decisions.filter((note) => note.approvalId !== approvalId),
			{ approvalId, subject, decision, by },
		],
	}));
}

function endProcess(draft: Draft, event: EventOf<'processEnded'>): void {
	const { processId, exitCode, signal } = event;
	const entry = draft.entries.findLast((each) => each.kind === 'item' && each.process?.processId === processId);
	if (entry) {
		updateItem(draft, entry.key, (each) => ({ ...each, process: { processId, running: false, exitCode, signal } }));
	}
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function push(draft: Draft, event: PanelEvent, entry: DistributiveOmit<Entry, 'key' | 'lastSeq' | 'at'>): void {
	const key = `${event.type}-${event.seq || `t${draft.entries.length}`}`;
	draft.entries.push({ key, lastSeq: event.seq, at: event.at, ...entry });
}
