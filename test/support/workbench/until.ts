import { setTimeout as delay } from 'node:timers/promises';

/** How long and how often `until` looks. */
export interface Patience {
	readonly timeoutMs?: number;
	readonly stepMs?: number;
}

/**
 * Waits for a condition.
 * @param probe looked at again and again until it answers something truthy; what it throws counts as not yet
 * @param what names the condition in the error
 * @returns what the probe answered
 * @throws Error when the time is over, caused by what the probe threw last
 */
export async function until<T>(
	probe: () => T | Promise<T>,
	what: string,
	{ timeoutMs = 15_000, stepMs = 50 }: Patience = {},
): Promise<NonNullable<T>> {
	const end = performance.now() + timeoutMs;
	let cause: unknown;
	for (;;) {
		try {
			const value = await probe();
			if (value) {
				return value;
			}
			cause = undefined;
		} catch (error) {
			cause = error;
		}
		if (performance.now() > end) {
			throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`, { cause });
		}
		await delay(stepMs);
	}
}
