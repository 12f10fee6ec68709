import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readSaved, save } from '../state/vscodeApi.ts';

/** How near to the end, in pixels, counts as being there. */
const NEAR = 32;

/**
 * Keeps a growing list at its end, unless the user scrolled up; remembers the place over reloads.
 * @param sessionId another one starts at the end.
 * @param first the key of the first entry: when older ones come before it, what is in view stays where it is.
 */
export function useBottomAnchor(sessionId: string, first: string | undefined) {
	const box = useRef<HTMLDivElement>(null);
	const content = useRef<HTMLDivElement>(null);
	const pinned = useRef(true);
	const lastTop = useRef(0);
	const [away, setAway] = useState(false);
	const setPinned = (value: boolean) => {
		pinned.current = value;
		setAway(!value);
	};
	const toEnd = () => {
		setPinned(true);
		if (box.current) {
			box.current.scrollTop = box.current.scrollHeight;
		}
	};
	const onScroll = () => {
		const element = box.current;
		if (!element) {
			return;
		}
		const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
		// Growing content moves the end away between two frames: only moving up is the user's own doing.
		if (atEnd || element.scrollTop < lastTop.current - 1) {
			setPinned(atEnd);
		}
		lastTop.current = element.scrollTop;
		saveAnchor(element, pinned.current);
	};
	// A wheel turn upwards counts before its scroll event, or a delta in between would pull the list down again.
	const onWheel = (event: WheelEvent) => {
		const element = box.current;
		if (event.deltaY < 0 && element && element.scrollHeight > element.clientHeight) {
			setPinned(false);
		}
	};
	useLayoutEffect(() => {
		toEnd();
		restoreAnchor(box.current, setPinned);
	}, [sessionId]);
	useKeptPlace(box, first);
	useEffect(() => {
		if (!box.current || !content.current) {
			return;
		}
		const observer = new ResizeObserver(() => {
			if (pinned.current && box.current) {
				box.current.scrollTop = box.current.scrollHeight;
			}
		});
		observer.observe(content.current);
		observer.observe(box.current);
		return () => observer.disconnect();
	}, []);
	return { box, content, away, pinned, toEnd, onScroll, onWheel };
}

/** When entries are put before the first one, the browser's own scroll anchoring fails at the very top. */
function useKeptPlace(box: { readonly current: HTMLDivElement | null }, first: string | undefined): void {
	const before = useRef({ first, height: 0 });
	useLayoutEffect(() => {
		const element = box.current;
		if (!element) {
			return;
		}
		if (before.current.first !== first && element.scrollTop < NEAR && before.current.height > 0) {
			element.scrollTop += Math.max(0, element.scrollHeight - before.current.height);
		}
		before.current = { first, height: element.scrollHeight };
	});
}

function saveAnchor(box: HTMLElement, pinned: boolean): void {
	if (pinned) {
		save({ anchor: null });
		return;
	}
	const top = box.getBoundingClientRect().top;
	for (const entry of box.querySelectorAll<HTMLElement>('[data-key]')) {
		const { top: entryTop, bottom } = entry.getBoundingClientRect();
		if (bottom > top) {
			save({ anchor: { key: entry.dataset['key'] ?? '', offset: entryTop - top } });
			return;
		}
	}
}

let restored = false;

/** Once, after a reload: the place that was looked at. */
function restoreAnchor(box: HTMLElement | null, setPinned: (value: boolean) => void): void {
	const { anchor } = readSaved();
	if (restored || !box || !anchor) {
		restored = true;
		return;
	}
	restored = true;
	const entry = [...box.querySelectorAll<HTMLElement>('[data-key]')].find(
		({ dataset }) => dataset['key'] === anchor.key,
	);
	if (entry) {
		box.scrollTop += entry.getBoundingClientRect().top - box.getBoundingClientRect().top - anchor.offset;
		setPinned(false);
	}
}
