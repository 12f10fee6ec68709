/** Time, as the engine sees it: tests hand in a clock that they move by hand. */
export interface Clock {
	/** @returns milliseconds since the epoch. */
	now(): number;
	/** Calls back once after `ms` milliseconds unless disposed before. */
	after(ms: number, callback: () => void): Disposable;
}

/** Waits on a clock. @throws the signal's reason when it is aborted. */
export function delay(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	return new Promise((resolve, reject) => {
		const onAbort = () => {
			timer[Symbol.dispose]();
			reject(signal.reason as Error);
		};
		const timer = clock.after(ms, () => {
			signal.removeEventListener('abort', onAbort);
			resolve();
		});
		signal.addEventListener('abort', onAbort, { once: true });
	});
}

export const systemClock: Clock = {
	now: () => Date.now(),
	after: (ms, callback) => {
		const timer = setTimeout(callback, ms);
		return { [Symbol.dispose]: () => clearTimeout(timer) };
	},
};
