import type { ModelError } from '../ports/index.ts';

/** session-reference.md 3.3: five tries after the first, 200 ms doubled each time, 10 % of jitter. */
export const MAX_RETRIES = 5;
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 30_000;
const JITTER = 0.1;

/**
 * @param attempt 1 for the first retry.
 * @param random a number from 0 to 1.
 * @returns milliseconds to wait: what the server asked for, else an exponential delay.
 */
export function retryDelay(error: ModelError, attempt: number, random: number): number {
	if (error.retryAfterMs !== undefined) {
		return error.retryAfterMs;
	}
	// A rate limit does not go away in a fraction of a second: its steps are whole seconds (engine-reference.md 2.4).
	const unit = error.code === 'rateLimited' ? 1000 : FIRST_DELAY_MS;
	const base = Math.min(unit * 2 ** (attempt - 1), MAX_DELAY_MS);
	return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}
