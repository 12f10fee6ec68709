import { t } from './l10n.ts';
import type { PanelEvent } from './reduceEvent.ts';

/**
 * What a screen reader is told of an event, or null. Only things that happen once: the stream of text is never read
 * out while it runs. An approval names the exact command or path.
 */
export function announcementOf(event: PanelEvent): string | null {
	switch (event.type) {
		case 'approvalRequested':
			return t('Permission needed: {0}', event.approval.detail);
		case 'questionAsked':
			return t('Question: {0}', event.question.question);
		case 'turnStarted':
			return t('Working');
		case 'turnEnded':
			return endOf(event.reason);
		case 'itemStarted':
			return event.item.type === 'toolCall' && event.item.title !== '' ? event.item.title : null;
		case 'itemCompleted':
			return event.item.type === 'toolCall' ? failureOf(event.item.title, event.item.status) : null;
		case 'inputQueued':
			return t('Message queued');
		case 'retrying':
			return t('{0} Trying again.', event.message);
		case 'warning':
			return t('Warning: {0}', event.message);
		case 'error':
			return t('Error: {0}', event.message);
		default:
			return null;
	}
}

function endOf(reason: Extract<PanelEvent, { type: 'turnEnded' }>['reason']): string {
	switch (reason.type) {
		case 'completed':
			return t('Answer ready');
		case 'interrupted':
			return t('Stopped');
		case 'failed':
			return t('Error: {0}', reason.message);
	}
}

function failureOf(title: string, status: string): string | null {
	switch (status) {
		case 'failed':
			return t('Failed: {0}', title);
		case 'denied':
			return t('Denied: {0}', title);
		case 'blocked':
			return t('Blocked: {0}', title);
		default:
			return null;
	}
}

/** The most telling announcement of a batch: permission and questions first, else the newest. */
export function announcementOfBatch(events: readonly PanelEvent[]): string | null {
	const urgent = events.findLast((event) => event.type === 'approvalRequested' || event.type === 'questionAsked');
	if (urgent) {
		return announcementOf(urgent);
	}
	for (const event of events.toReversed()) {
		const text = announcementOf(event);
		if (text !== null) {
			return text;
		}
	}
	return null;
}
