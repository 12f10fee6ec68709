import type { Item } from '../../protocol/index.ts';
import { interruptedOutcome } from '../turn/toolCalls.ts';
import type { SessionCore } from './sessionCore.ts';
import type { OpenTurn } from './sessionState.ts';

/**
 * Closes what ran when the host stopped, with the text that was saved of it. Calls that had not begun, because they
 * waited for the user, stay open.
 */
export async function completeInterrupted(core: SessionCore, turn: OpenTurn): Promise<void> {
	const texts = await savedTexts(core);
	const waiting = new Set([
		...[...core.state.approvals.values()].filter(({ subject }) => subject === 'tool').map(({ itemId }) => itemId),
		...[...core.state.questions.values()].map(({ itemId }) => itemId),
	]);
	for (const [questionId, { itemId }] of [...core.state.questions]) {
		// The tool asks anew, under a new id.
		core.emit('', { type: 'questionAnswered', questionId, itemId, answer: null });
	}
	for (const approval of [...core.state.approvals.values()]) {
		if (!waiting.has(approval.itemId)) {
			const { approvalId, itemId } = approval;
			core.emit('', { type: 'approvalResolved', approvalId, itemId, decision: { type: 'deny' }, by: 'turn' });
		}
	}
	for (const item of [...turn.running.values()]) {
		if (!waiting.has(item.itemId)) {
			core.emit('', { type: 'itemCompleted', turnId: turn.turnId, item: closed(item, texts.get(item.itemId) ?? '') });
		}
	}
	for (const { processId } of [...core.state.processes.values()]) {
		core.emit('', { type: 'processEnded', processId, exitCode: null, signal: 'SIGKILL' });
	}
}

async function savedTexts(core: SessionCore): Promise<ReadonlyMap<string, string>> {
	try {
		const partials = await core.store.readPartials(core.sessionId);
		return new Map(partials.map(({ itemId, text }) => [itemId, text]));
	} catch (error) {
		core.logger.error('The texts that were running could not be read', error);
		return new Map();
	}
}

function closed(item: Item, text: string): Item {
	switch (item.type) {
		case 'agentMessage':
			return { ...item, text, partial: true };
		case 'reasoning':
			return { ...item, text };
		case 'toolCall':
			return { ...item, ...interruptedOutcome(text) };
		case 'userMessage':
			return item;
	}
}
