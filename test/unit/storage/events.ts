import type { SessionRow } from '../../../src/engine/ports/index.ts';
import type { Event, EventOf } from '../../../src/protocol/index.ts';

export function session(sessionId: string, changes: Partial<SessionRow> = {}): SessionRow {
	return {
		sessionId,
		title: `Title of ${sessionId}`,
		createdAt: 1_700_000_000_000,
		updatedAt: 1_700_000_000_000,
		archived: false,
		state: 'idle',
		settings: { providerId: 'openai', model: 'some-model', trustMode: 'safe' },
		cwd: '/workspace',
		...changes,
	};
}

export function warning(seq: number, message = `warning ${seq}`): EventOf<'warning'> {
	return { type: 'warning', id: 'op1', seq, at: 1_700_000_000_000 + seq, message };
}

export function message(seq: number, text: string, role: 'userMessage' | 'agentMessage' = 'agentMessage'): Event {
	const itemId = `item${seq}`;
	return {
		type: 'itemCompleted',
		id: 'op1',
		seq,
		at: 1_700_000_000_000 + seq,
		turnId: 'turn1',
		item: role === 'userMessage' ? { type: role, itemId, text } : { type: role, itemId, text, step: 1 },
	};
}

export function warnings(from: number, to: number): Event[] {
	return Array.from({ length: to - from + 1 }, (_, index) => warning(from + index));
}
