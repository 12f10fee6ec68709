import { mkdtemp, rm } from 'node:fs/promises';
import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../engine/ports/index.ts';
import { Connections, listen, stopListening } from './connections.ts';
import type { EgressLimits } from './limits.ts';
import { readSome } from './socketReader.ts';

const SOCKS5_VERSION = 5;

/**
 * One unix socket for both proxies, in a directory that only this user can enter: the single hole that a sandboxed
 * command's network has. No HTTP request starts with the byte 5, and every SOCKS5 handshake does.
 */
export class SharedSocket implements AsyncDisposable {
	readonly #server: Server;
	readonly #connections: Connections;
	readonly #logger: Logger;
	readonly #limits: EgressLimits;
	readonly #serve: { readonly http: (socket: Socket) => void; readonly socks: (socket: Socket) => void };
	#directory: string | undefined;

	constructor(
		serve: { readonly http: (socket: Socket) => void; readonly socks: (socket: Socket) => void },
		limits: EgressLimits,
		logger: Logger,
	) {
		this.#serve = serve;
		this.#limits = limits;
		this.#logger = logger;
		this.#connections = new Connections(logger);
		this.#server = createServer({ allowHalfOpen: true }, (socket) => {
			this.#connections.add(socket);
			this.#connections.run(socket, () => this.#dispatch(socket));
		});
		this.#server.maxConnections = limits.maxConnections;
	}

	/** @returns the socket's path. @throws what making the directory or binding fails with. */
	async listen(): Promise<string> {
		// Made with mode 0700.
		this.#directory = await mkdtemp(join(tmpdir(), 'belay-'));
		const path = join(this.#directory, 'egress.sock');
		await listen(this.#server, { path }, this.#logger);
		return path;
	}

	async #dispatch(socket: Socket): Promise<void> {
		const limit = new AbortController();
		const timer = setTimeout(() => limit.abort(), this.#limits.headMs);
		try {
			const signal = AbortSignal.any([limit.signal, this.#connections.signal]);
			const first = await readSome(socket, signal, 1);
			if (first === undefined) {
				socket.destroy();
				return;
			}
			socket.unshift(first);
			(first[0] === SOCKS5_VERSION ? this.#serve.socks : this.#serve.http)(socket);
		} catch {
			socket.destroy();
		} finally {
			clearTimeout(timer);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const stopped = stopListening(this.#server);
		await this.#connections[Symbol.asyncDispose]();
		await stopped;
		if (this.#directory !== undefined) {
			await rm(this.#directory, { recursive: true, force: true });
		}
	}
}
