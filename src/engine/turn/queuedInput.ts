import type { OpenTurn } from '../session/sessionState.ts';
import type { SessionCore } from '../session/sessionCore.ts';

/** Gives the messages that were sent during a turn their place in the conversation. */
export function takeQueuedInput(core: SessionCore, submissionId: string, open: OpenTurn): void {
	for (const { itemId, text } of [...open.queued]) {
		core.emit(submissionId, {
			type: 'itemCompleted',
			turnId: open.turnId,
			item: { type: 'userMessage', itemId, text, steered: true },
		});
	}
}
