import type { Socket } from 'node:net';

/**
 * Waits until a socket in paused mode has something to read, or will have nothing any more.
 * @returns false at the end of the stream. @throws the signal's reason when aborted.
 */
function waitReadable(socket: Socket, signal: AbortSignal): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const done = (settle: () => void) => () => {
			socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
			signal.removeEventListener('abort', onAbort);
			settle();
		};
		const onReadable = done(() => resolve(true));
		const onEnd = done(() => resolve(false));
		const onAbort = done(() => reject(signal.reason as Error));
		if (signal.aborted) {
			reject(signal.reason as Error);
		} else if (socket.readableEnded || socket.destroyed) {
			resolve(false);
		} else {
			socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd);
			signal.addEventListener('abort', onAbort, { once: true });
		}
	});
}

/**
 * Reads `length` bytes, or whatever is there when no length is given, and leaves the rest in the socket.
 * @returns undefined when the stream ended before. @throws the signal's reason when aborted.
 */
export async function readSome(socket: Socket, signal: AbortSignal, length?: number): Promise<Buffer | undefined> {
	for (;;) {
		const chunk = socket.read(length) as Buffer | null;
		if (chunk !== null) {
			// At the end of the stream `read` hands out what is left, however little.
			return length !== undefined && chunk.length < length ? undefined : chunk;
		}
		if (!(await waitReadable(socket, signal))) {
			return undefined;
		}
	}
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
