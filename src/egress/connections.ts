import type { Server, Socket } from 'node:net';
import type { ListenOptions } from 'node:net';
import type { Logger } from '../engine/ports/index.ts';

/** The open connections of one proxy and the work on them, so that both end together. */
export class Connections implements AsyncDisposable {
	readonly #sockets = new Set<Socket>();
	readonly #work = new Set<Promise<void>>();
	readonly #closing = new AbortController();
	readonly #logger: Logger;

	constructor(logger: Logger) {
		this.#logger = logger;
	}

	/** Aborted when the proxy closes. */
	get signal(): AbortSignal {
		return this.#closing.signal;
	}

	add(socket: Socket): void {
		this.#sockets.add(socket);
		// A client may reset its connection at any time: 'close' follows, and that is enough to know.
		socket.on('error', () => undefined);
		socket.once('close', () => this.#sockets.delete(socket));
	}

	/** Does the work for one connection. What it throws is logged, unless the connection or the proxy was closing. */
	run(socket: Socket, work: () => Promise<void>): void {
		const running = work()
			.catch((error: unknown) => {
				if (!socket.destroyed && !this.signal.aborted) {
					this.#logger.error('Egress proxy: a connection failed.', error);
				}
				socket.destroy();
			})
			.finally(() => this.#work.delete(running));
		this.#work.add(running);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#closing.abort();
		this.#sockets.forEach((socket) => socket.destroy());
		await Promise.all(this.#work);
	}
}

/** Node's own backlog is 511: a burst of more would wait a second for the retransmission. */
const BACKLOG = 1_024;

/** @returns the port, 0 for a path. @throws what `listen` fails with. */
export function listen(server: Server, options: ListenOptions, logger: Logger): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen({ backlog: BACKLOG, ...options }, () => {
			server.off('error', reject);
			// Out of file descriptors, for one: that connection is lost, and the host must not fall with it.
			server.on('error', (error) => logger.error('Egress proxy: a connection could not be accepted.', error));
			const address = server.address();
			resolve(typeof address === 'object' && address !== null ? address.port : 0);
		});
	});
}

/** Stops listening; does not wait for open connections to end. Harmless where it never listened. */
export function stopListening(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
	});
}
