/** Stops waiting for what cannot be stopped itself. @throws the signal's reason when it is aborted first */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	const aborted = Promise.withResolvers<never>();
	const onAbort = () => aborted.reject(signal.reason as Error);
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		return await Promise.race([work, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
