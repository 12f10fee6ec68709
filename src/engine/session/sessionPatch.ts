import type { Event } from '../../protocol/index.ts';
import type { SessionPatch } from '../ports/index.ts';

/** @returns what a batch of events changes in the session's row of the list. */
export function sessionPatchOf(events: readonly Event[]): SessionPatch {
	return events.reduce<SessionPatch>((patch, event) => ({ ...patch, ...patchOf(event) }), {});
}

function patchOf(event: Event): SessionPatch {
	switch (event.type) {
		case 'turnStarted':
			return { state: 'running', updatedAt: event.at };
		case 'approvalRequested':
		case 'questionAsked':
			return { state: 'waiting' };
		case 'approvalResolved':
		case 'questionAnswered':
			return { state: 'running' };
		case 'turnEnded':
			return { state: event.reason.type === 'completed' ? 'idle' : 'interrupted', updatedAt: event.at };
		case 'titleChanged':
			return { title: event.title };
		case 'sessionConfigured':
		case 'settingsChanged':
			return { settings: event.settings };
		default:
			return {};
	}
}
