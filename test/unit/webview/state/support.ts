import type { Event, EventBody, SessionHead } from '../../../../src/protocol/index.ts';
import { emptySession, type ItemEntry, type SessionView } from '../../../../webview/state/sessionView.ts';

export function head(patch: Partial<SessionHead> = {}): SessionHead {
	return {
		sessionId: 's1',
		title: 'A session',
		settings: { providerId: 'p', model: 'm', trustMode: 'safe' },
		protection: { egress: 'filtered', sandbox: 'enforced' },
		turnId: null,
		interrupted: false,
		todos: [],
		approvals: [],
		questions: [],
		usage: null,
		live: [],
		processes: [],
		unsaved: false,
		...patch,
	};
}

export const EMPTY: SessionView = emptySession(head());

const TRANSIENT = new Set(['itemDelta', 'retrying']);

/** Numbers events as a session does, from `first` on. */
export function events(bodies: readonly EventBody[], first = 1): Event[] {
	let seq = first - 1;
	return bodies.map((body) => ({
		...body,
		id: 'x',
		seq: TRANSIENT.has(body.type) ? 0 : ++seq,
		at: 1000 + seq,
	}));
}

export function delta(
	itemId: string,
	offset: number,
	text: string,
	channel: 'text' | 'args' | 'output' = 'text',
): EventBody {
	return { type: 'itemDelta', turnId: 't1', itemId, channel, offset, text };
}

export function agentStarted(itemId: string, text = ''): EventBody {
	return { type: 'itemStarted', turnId: 't1', item: { type: 'agentMessage', itemId, text, step: 1 } };
}

export function agentDone(itemId: string, text: string, turnId = 't1'): EventBody {
	return { type: 'itemCompleted', turnId, item: { type: 'agentMessage', itemId, text, step: 1 } };
}

export function toolStarted(itemId: string, turnId = 't1'): EventBody {
	return {
		type: 'itemStarted',
		turnId,
		item: {
			type: 'toolCall',
			itemId,
			tool: 'Bash',
			args: '',
			title: `Run ${itemId}`,
			effect: 'localMutation',
			status: 'running',
			output: '',
			step: 1,
		},
	};
}

export function turnEnded(turnId = 't1'): EventBody {
	return { type: 'turnEnded', turnId, reason: { type: 'completed' }, durationMs: 5 };
}

export function item(session: SessionView, key: string): ItemEntry {
	const entry = session.entries.find((each) => each.key === key);
	if (entry?.kind !== 'item') {
		throw new Error(`No item ${key}`);
	}
	return entry;
}

export function textOf(session: SessionView, key: string): string {
	const { item: shown } = item(session, key);
	return shown.type === 'toolCall' ? shown.args : shown.text;
}
