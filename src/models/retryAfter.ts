const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * How long a server asks to wait.
 * @param headers of the answer: `retry-after-ms`, `retry-after` (seconds or an HTTP date), `x-ratelimit-reset` (a time
 * since the epoch or a number of seconds)
 * @param text of the error: "try again in 7.5s", "Please retry in 1m3s", Gemini's `"retryDelay": "34s"`
 * @param now milliseconds since the epoch
 * @returns milliseconds, never negative; undefined when it does not ask
 */
export function retryAfterMs(headers: Headers | undefined, text: string, now = Date.now()): number | undefined {
	return (
		numberOf(headers?.get('retry-after-ms'), 1) ??
		retryAfterHeader(headers?.get('retry-after'), now) ??
		resetHeader(headers?.get('x-ratelimit-reset'), now) ??
		fromText(text)
	);
}

function numberOf(value: string | null | undefined, unitMs: number): number | undefined {
	return value && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Math.ceil(Number(value) * unitMs) : undefined;
}

function retryAfterHeader(value: string | null | undefined, now: number): number | undefined {
	const seconds = numberOf(value, 1000);
	if (seconds !== undefined || !value) {
		return seconds;
	}
	// A bare negative number would be read as a year.
	const at = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(at) ? duration(value) : Math.max(0, at - now);
}

/** Milliseconds since the epoch (OpenRouter), seconds since the epoch (GitHub), or seconds from now. */
function resetHeader(value: string | null | undefined, now: number): number | undefined {
	const number = numberOf(value, 1);
	if (number === undefined) {
		return value ? duration(value) : undefined;
	}
	if (number > 1e11) {
		return Math.max(0, number - now);
	}
	return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
}

function fromText(text: string): number | undefined {
	const found =
		/(?:(?:try|retry)(?: again)? (?:in|after)|retry-?delay["\s:]+|wait) ?((?:\d+(?:\.\d+)? ?(?:ms|h|m|s|seconds?|minutes?)(?![a-z])){1,4})/i.exec(
			text,
		);
	return found?.[1] === undefined ? undefined : duration(found[1]);
}

/** `1m3.5s`, `120ms`, `20 seconds`. */
function duration(text: string): number | undefined {
	const parts = [...text.matchAll(/(\d+(?:\.\d+)?) ?(ms|[hmsd])/gi)];
	if (parts.length === 0) {
		return undefined;
	}
	return Math.ceil(parts.reduce((sum, [, n, unit]) => sum + Number(n) * (UNIT_MS[unit?.toLowerCase() ?? ''] ?? 0), 0));
}
