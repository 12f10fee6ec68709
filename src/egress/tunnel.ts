import type { Socket } from 'node:net';

export interface Traffic {
	/** Bytes from the command to the host. */
	readonly bytesUp: number;
	/** Bytes from the host to the command. */
	readonly bytesDown: number;
}

/**
 * Carries bytes both ways, unchanged, until both sides have ended; an end of one side is passed on alone. A failure of
 * one side closes the other: not with a reset, because Node's `resetAndDestroy` shuts the socket down first and, when it
 * is destroyed in between, never closes it (v24).
 * @param options.idleMs without a byte in either direction, after which both are closed.
 * @returns what was carried, once both are closed. Never rejects.
 */
export async function tunnel(
	client: Socket,
	remote: Socket,
	options: { readonly idleMs: number; readonly signal: AbortSignal },
): Promise<Traffic> {
	let [bytesUp, bytesDown] = [0, 0];
	const destroy = () => {
		client.destroy();
		remote.destroy();
	};
	// Each byte passes the remote side in one direction or the other: one timer sees both.
	remote.setTimeout(options.idleMs, destroy);
	options.signal.addEventListener('abort', destroy, { once: true });
	client.on('data', (chunk: Buffer) => (bytesUp += chunk.length));
	remote.on('data', (chunk: Buffer) => (bytesDown += chunk.length));
	client.pipe(remote);
	remote.pipe(client);
	const closed = [closing(client, remote), closing(remote, client)];
	if (options.signal.aborted) {
		destroy();
	}
	await Promise.all(closed);
	options.signal.removeEventListener('abort', destroy);
	return { bytesUp, bytesDown };
}

/** Settles when `socket` is closed; when that was before its end in both directions, `other` is cut as well. */
function closing(socket: Socket, other: Socket): Promise<void> {
	return new Promise((resolve) => {
		const onClose = () => {
			if (!socket.readableEnded || !socket.writableFinished) {
				other.destroy();
			}
			resolve();
		};
		socket.on('error', () => undefined);
		if (socket.closed) {
			onClose();
		} else {
			socket.once('close', onClose);
		}
	});
}

/** Sends a last answer and closes: what still comes in is read and dropped, because a reset could overtake the answer. */
export function endWith(socket: Socket, answer: string | Buffer): void {
	socket.on('error', () => undefined);
	if (socket.destroyed) {
		return;
	}
	socket.end(answer);
	socket.resume();
	socket.setTimeout(LINGER_MS, () => socket.destroy());
}

const LINGER_MS = 2_000;
