import { useEffect, useState } from 'preact/hooks';
import type { Entry } from '../state/sessionView.ts';

/**
 * Which entry Tab reaches: the one that last had the focus, else the newest.
 * @returns its key.
 */
export function useTabStop(entries: readonly Entry[]): string | undefined {
	const [focused, setFocused] = useState<string | null>(null);
	useEffect(() => {
		const onFocus = ({ target }: FocusEvent) => {
			const key = target instanceof HTMLElement && target.matches('article') ? target.dataset['key'] : undefined;
			if (key !== undefined) {
				setFocused(key);
			}
		};
		document.addEventListener('focusin', onFocus);
		return () => document.removeEventListener('focusin', onFocus);
	}, []);
	return entries.some((entry) => entry.key === focused) ? (focused ?? undefined) : entries.at(-1)?.key;
}

/** Arrow keys, Home and End go from article to article while one itself has the focus; Escape goes to the composer. */
export function moveInList(event: KeyboardEvent): void {
	const { target, currentTarget, key } = event;
	if (!(target instanceof HTMLElement) || !(currentTarget instanceof HTMLElement)) {
		return;
	}
	if (key === 'Escape') {
		document.querySelector<HTMLElement>('.composer textarea')?.focus();
		return;
	}
	if (!target.matches('article')) {
		return;
	}
	const articles = [...currentTarget.querySelectorAll<HTMLElement>('article')];
	const index = articles.indexOf(target);
	const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: articles.length - 1 }[key];
	if (next !== undefined && articles[next]) {
		event.preventDefault();
		articles[next].focus();
	}
}
