import { useEffect, useState } from 'preact/hooks';

/** @returns those of the waiting approvals and questions whose card is not in view. */
export function useOutOfView(ids: readonly string[]): readonly string[] {
	const [inView, setInView] = useState<ReadonlySet<string>>(new Set(ids));
	const joined = ids.join(' ');
	useEffect(() => {
		const observer = new IntersectionObserver((changes) => {
			setInView((before) => {
				const after = new Set(before);
				for (const { target, isIntersecting } of changes) {
					const id = target instanceof HTMLElement ? (target.dataset['waiting'] ?? '') : '';
					if (isIntersecting) {
						after.add(id);
					} else {
						after.delete(id);
					}
				}
				return after;
			});
		});
		for (const card of document.querySelectorAll('[data-waiting]')) {
			observer.observe(card);
		}
		return () => observer.disconnect();
	}, [joined]);
	return ids.filter((id) => !inView.has(id));
}
