import type { EventOf, Item } from '../../src/protocol/index.ts';
import { applyOutput, NO_OUTPUT } from './outputText.ts';
import type { Entry, ItemEntry, SessionView } from './sessionView.ts';

/** A session while a batch of events is put into it: the entries' array is its own, the entries are not. */
export type Draft = { -readonly [K in keyof SessionView]: SessionView[K] } & { entries: Entry[] };

/** Looks from the end: what changes is nearly always among the newest. */
function indexOf(draft: Draft, key: string): number {
	return draft.entries.findLastIndex((entry) => entry.key === key);
}

export function findItem(draft: Draft, itemId: string): ItemEntry | undefined {
	const entry = draft.entries[indexOf(draft, itemId)];
	return entry?.kind === 'item' ? entry : undefined;
}

/** Changes an item's entry; does nothing where there is none. */
export function updateItem(draft: Draft, itemId: string, change: (entry: ItemEntry) => ItemEntry): void {
	const index = indexOf(draft, itemId);
	const entry = draft.entries[index];
	if (entry?.kind === 'item') {
		draft.entries[index] = change(entry);
	}
}

/** Shows an item that started or completed, in the place where it first appeared. */
export function putItem(draft: Draft, event: EventOf<'itemStarted' | 'itemCompleted'>): void {
	const { item } = event;
	const before = findItem(draft, item.itemId);
	const entry: ItemEntry = {
		key: item.itemId,
		lastSeq: event.seq,
		at: before?.at ?? event.at,
		kind: 'item',
		turnId: event.turnId,
		item,
		running: event.type === 'itemStarted',
		output: event.type === 'itemStarted' ? (before?.output ?? NO_OUTPUT) : NO_OUTPUT,
		process: before?.process ?? null,
		decisions: before?.decisions ?? [],
	};
	if (before) {
		updateItem(draft, item.itemId, () => entry);
	} else {
		draft.entries.push(entry);
	}
	draft.queued = draft.queued.filter((queued) => queued.itemId !== item.itemId);
}

/** Puts a delta of a running item in its place; finds out when something before it was missed. */
export function applyDelta(draft: Draft, event: Omit<EventOf<'itemDelta'>, 'type' | 'id' | 'at' | 'seq'>): void {
	const entry = findItem(draft, event.itemId);
	if (!entry) {
		draft.gaps += 1;
		return;
	}
	if (!entry.running) {
		return; // Late: the completed item holds all of it.
	}
	const { channel, offset, text } = event;
	if (channel === 'output') {
		updateItem(draft, event.itemId, () => ({ ...entry, output: applyOutput(entry.output, offset, text) }));
		return;
	}
	const current = textOf(entry.item, channel);
	if (current === undefined) {
		return;
	}
	if (offset > current.length) {
		draft.gaps += 1;
		return;
	}
	const next = current.slice(0, offset) + text;
	if (next !== current) {
		updateItem(draft, event.itemId, () => ({ ...entry, item: withText(entry.item, next) }));
	}
}

function textOf(item: Item, channel: 'text' | 'args'): string | undefined {
	if (item.type === 'toolCall') {
		return channel === 'args' ? item.args : undefined;
	}
	return channel === 'text' ? item.text : undefined;
}

function withText(item: Item, text: string): Item {
	return item.type === 'toolCall' ? { ...item, args: text } : { ...item, text };
}

/**
 * Nothing of a turn that is over runs on: what did not complete was cut off.
 * @param turnId null for all turns.
 */
export function settleItems(draft: Draft, turnId: string | null): void {
	draft.entries.forEach((entry, index) => {
		if (entry.kind === 'item' && entry.running && (turnId === null || entry.turnId === turnId)) {
			draft.entries[index] = settled(entry);
		}
	});
}

function settled(entry: ItemEntry): ItemEntry {
	const { item } = entry;
	switch (item.type) {
		case 'toolCall':
			return { ...entry, running: false, item: { ...item, status: 'interrupted' } };
		case 'agentMessage':
			return { ...entry, running: false, item: { ...item, partial: true } };
		case 'reasoning':
		case 'userMessage':
			return { ...entry, running: false };
	}
}
