import type { Entry } from '../state/sessionView.ts';

/** What the user wrote in this session, newest last, without repetitions in a row. */
export function sentMessages(entries: readonly Entry[]): readonly string[] {
	const texts = entries.flatMap((entry) =>
		entry.kind === 'item' && entry.item.type === 'userMessage' ? [entry.item.text] : [],
	);
	return texts.filter((text, index) => text !== texts[index - 1]);
}

/** Walks through earlier messages as a shell does. `at` counts from the newest; -1 is the text being written. */
export interface HistoryPlace {
	readonly at: number;
	readonly shown: string | null;
}

export const NO_PLACE: HistoryPlace = { at: -1, shown: null };

/**
 * @param text what stands in the composer: changed texts are never replaced.
 * @returns the new place, or null when the key should do what it always does.
 */
export function stepHistory(
	place: HistoryPlace,
	text: string,
	sent: readonly string[],
	step: 1 | -1,
): HistoryPlace | null {
	const walking = place.shown !== null && text === place.shown;
	if (!walking && (text !== '' || step === -1)) {
		return null;
	}
	const at = (walking ? place.at : -1) + step;
	if (at < 0) {
		return { at: -1, shown: '' };
	}
	const shown = sent.at(-1 - at);
	return shown === undefined || at >= sent.length ? null : { at, shown };
}
