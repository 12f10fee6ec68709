/**
 * An answered card goes away. If the focus was in it, it goes on to the next card that waits, else to the composer; the
 * focus of someone who is elsewhere is not touched.
 */
export function moveFocusAfterAnswer(card: HTMLElement | null): void {
	if (!card?.contains(document.activeElement)) {
		return;
	}
	const waiting = [...document.querySelectorAll<HTMLElement>('[data-waiting]')].filter((other) => other !== card);
	(waiting[0] ?? document.querySelector<HTMLElement>('.composer textarea'))?.focus();
}
