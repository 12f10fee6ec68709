import { t } from '../state/l10n.ts';

/** @param ms milliseconds. @returns such as `0.4 s`, `12 s`, `3 min 05 s`. */
export function formatDuration(ms: number): string {
	const seconds = Math.max(0, ms) / 1000;
	if (seconds < 10) {
		return t('{0} s', seconds.toFixed(1));
	}
	if (seconds < 59.5) {
		return t('{0} s', Math.round(seconds));
	}
	const whole = Math.round(seconds);
	return t('{0} min {1} s', Math.floor(whole / 60), String(whole % 60).padStart(2, '0'));
}

/** @returns such as `950`, `3.2k`, `128k`, `1.1M`. */
export function formatCount(count: number): string {
	if (count < 1000) {
		return String(count);
	}
	if (count < 999_500) {
		return count < 9950 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
	}
	return `${(count / 1_000_000).toFixed(1)}M`;
}

/** @param at, now milliseconds since the epoch. */
export function formatAgo(at: number, now: number): string {
	const minutes = Math.floor(Math.max(0, now - at) / 60_000);
	if (minutes < 1) {
		return t('just now');
	}
	if (minutes < 60) {
		return t('{0} min ago', minutes);
	}
	const hours = Math.floor(minutes / 60);
	if (hours < 24) {
		return t('{0} h ago', hours);
	}
	const days = Math.floor(hours / 24);
	return days < 30 ? t('{0} d ago', days) : new Date(at).toLocaleDateString();
}

/** Splits a path so that a narrow card can cut the folder and keep the name. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
	const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
	return { folder: path.slice(0, cut), name: path.slice(cut) };
}
