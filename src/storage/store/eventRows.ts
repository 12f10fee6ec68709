import { parseEvent, type Event } from '../../protocol/index.ts';
import type { StoredEvent } from '../../engine/ports/index.ts';
import type { SqlRow } from '../sql/sqlDriver.ts';

/** What the rollout keeps of an event. */
export interface EventRecord {
	readonly seq: number;
	readonly turnId: string | null;
	readonly kind: string;
	readonly at: number;
	readonly payload: string;
	/** The item that this event completes. */
	readonly completedItemId: string | undefined;
	/** What a search finds, for messages. */
	readonly searchText: string | undefined;
}

/** @throws TypeError where the event cannot be written as JSON */
export function toRecord(event: Event): EventRecord {
	return {
		seq: event.seq,
		turnId: 'turnId' in event ? event.turnId : null,
		kind: event.type,
		at: event.at,
		payload: JSON.stringify(event),
		completedItemId: event.type === 'itemCompleted' ? event.item.itemId : undefined,
		searchText: searchText(event),
	};
}

export function searchText(event: StoredEvent): string | undefined {
	if (event.type !== 'itemCompleted') {
		return undefined;
	}
	const { item } = event;
	return item.type === 'userMessage' || item.type === 'agentMessage' ? item.text : undefined;
}

/** Reads columns `seq` and `payload`. @returns the event, or in words why there is none */
export function fromRow(row: SqlRow): { readonly event: StoredEvent } | { readonly reason: string } {
	let value: unknown;
	try {
		value = JSON.parse(String(row.payload));
	} catch (error) {
		return { reason: `not valid JSON: ${(error as Error).message}` };
	}
	const event = parseEvent(value);
	if (event === undefined) {
		return { reason: 'not an event' };
	}
	if (event.seq !== row.seq) {
		return { reason: `stored as number ${String(row.seq)}, but says ${event.seq}` };
	}
	return { event };
}
