import type { Socket } from 'node:net';

/**
 * Reads `length` bytes, or whatever is there when no length is given, and leaves the rest in the socket, which must not
 * be flowing.
 * @returns undefined when the stream ended before. @throws the signal's reason when aborted.
 */
export function readSome(socket: Socket, signal: AbortSignal, length?: number): Promise<Buffer | undefined> {
	return new Promise((resolve, reject) => {
		const stop = () => {
			socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
			signal.removeEventListener('abort', onAbort);
		};
		// Stays until there is enough: a listener that is added while too little is there is called at once, so adding
		// it again and again would starve everything else.
		const onReadable = () => {
			const chunk = socket.read(length) as Buffer | null;
			if (chunk !== null) {
				stop();
				// At the end of the stream `read` hands out what is left, however little.
				resolve(length !== undefined && chunk.length < length ? undefined : chunk);
			}
		};
		const onEnd = () => {
			stop();
			resolve(undefined);
		};
		const onAbort = () => {
			stop();
			reject(signal.reason as Error);
		};
		if (signal.aborted) {
			reject(signal.reason as Error);
		} else if (socket.readableEnded || socket.destroyed) {
			resolve(undefined);
		} else {
			socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
			signal.addEventListener('abort', onAbort, { once: true });
			onReadable();
		}
	});
}

/** Calls back once when the other side goes away while nothing is read from it. What it sent stays in the socket. */
export function onGone(socket: Socket, callback: () => void): Disposable {
	const check = () => {
		// Lets the stream notice its end without taking anything out of it.
		socket.read(0);
	};
	const gone = () => {
		stop();
		callback();
	};
	const stop = () => {
		socket.off('readable', check).off('end', gone).off('close', gone);
	};
	if (socket.destroyed) {
		callback();
	} else {
		socket.on('readable', check).on('end', gone).on('close', gone);
	}
	return { [Symbol.dispose]: stop };
}
