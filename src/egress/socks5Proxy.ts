import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Logger } from '../engine/ports/index.ts';
import { Connections, listen, stopListening } from './connections.ts';
import type { Identity, SessionCredentials } from './credentials.ts';
import type { Gateway, Refusal } from './gateway.ts';
import type { Authority, Host } from './hostName.ts';
import { parseHost } from './hostName.ts';
import type { EgressLimits } from './limits.ts';
import { onGone, readSome } from './socketReader.ts';
import { endWith, tunnel } from './tunnel.ts';

const VERSION = 5;
const USER_PASSWORD = 2;
const CONNECT = 1;

/** Reply codes of RFC 1928, section 6. */
const REPLY = {
	succeeded: 0,
	failure: 1,
	notAllowed: 2,
	networkUnreachable: 3,
	hostUnreachable: 4,
	refused: 5,
	commandNotSupported: 7,
	addressNotSupported: 8,
} as const;

/** Ends a handshake with an answer. */
class HandshakeError extends Error {
	readonly answer: Buffer;

	constructor(message: string, answer: Buffer) {
		super(message);
		this.name = 'HandshakeError';
		this.answer = answer;
	}
}

/**
 * A SOCKS5 proxy for one session (RFC 1928, with the user name and password of RFC 1929). Names are resolved here;
 * addresses go through the same filter as any host, so they pass only when they are listed.
 */
export class Socks5Proxy implements AsyncDisposable {
	readonly #gateway: Gateway;
	readonly #credentials: SessionCredentials;
	readonly #limits: EgressLimits;
	readonly #server: Server;
	readonly #connections: Connections;
	readonly #logger: Logger;

	constructor(gateway: Gateway, credentials: SessionCredentials, limits: EgressLimits, logger: Logger) {
		this.#gateway = gateway;
		this.#credentials = credentials;
		this.#limits = limits;
		this.#logger = logger;
		this.#connections = new Connections(logger);
		this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.accept(socket));
		this.#server.maxConnections = limits.maxConnections;
	}

	/** @returns the port. @throws what binding fails with. */
	listen(host: string): Promise<number> {
		return listen(this.#server, { host, port: 0 }, this.#logger);
	}

	/** Serves a connection that another listener accepted. It must allow half-open. */
	accept(socket: Socket): void {
		this.#connections.add(socket);
		this.#connections.run(socket, () => this.#serve(socket));
	}

	async #serve(client: Socket): Promise<void> {
		const request = await this.#handshake(client);
		if (request === undefined) {
			return;
		}
		const gone = new AbortController();
		const signal = AbortSignal.any([gone.signal, this.#connections.signal]);
		const watch = onGone(client, () => gone.abort());
		const target = { ...request, protocol: 'socks5' } as const;
		const outcome = await this.#gateway.open(target, 'tunnel', signal).finally(() => watch[Symbol.dispose]());
		if (!outcome.opened) {
			endWith(client, reply(codeOf(outcome.kind)));
			return;
		}
		client.write(reply(REPLY.succeeded));
		const options = { idleMs: this.#limits.idleMs, signal: this.#connections.signal };
		outcome.finish(await tunnel(client, outcome.socket, options));
	}

	/** The time limit is for the handshake alone: neither the user's answer nor the tunnel counts. */
	async #handshake(client: Socket): Promise<(Authority & Identity) | undefined> {
		const limit = new AbortController();
		const timer = setTimeout(() => limit.abort(), this.#limits.headMs);
		const signal = AbortSignal.any([limit.signal, this.#connections.signal]);
		try {
			const identity = await this.#authenticate(client, signal);
			return { ...(await readRequest(client, signal)), ...identity };
		} catch (error) {
			if (error instanceof HandshakeError) {
				endWith(client, error.answer);
			} else {
				client.destroy();
			}
			return undefined;
		} finally {
			clearTimeout(timer);
		}
	}

	async #authenticate(client: Socket, signal: AbortSignal): Promise<Identity> {
		const [version = 0, methodCount = 0] = await take(client, signal, 2);
		const methods = version === VERSION && methodCount > 0 ? await take(client, signal, methodCount) : Buffer.alloc(0);
		if (!methods.includes(USER_PASSWORD)) {
			throw new HandshakeError('no acceptable method', Buffer.from([VERSION, 0xff]));
		}
		client.write(Buffer.from([VERSION, USER_PASSWORD]));
		const [authVersion, userLength = 0] = await take(client, signal, 2);
		const user = await take(client, signal, userLength);
		const [passwordLength = 0] = await take(client, signal, 1);
		const password = await take(client, signal, passwordLength);
		const identity =
			authVersion === 1 ? this.#credentials.verify(user.toString('utf8'), password.toString('utf8')) : undefined;
		if (identity === undefined) {
			throw new HandshakeError('wrong password', Buffer.from([1, 1]));
		}
		client.write(Buffer.from([1, 0]));
		return identity;
	}

	/** Closes everything, tunnels included. Their audit rows are written before this resolves. */
	async [Symbol.asyncDispose](): Promise<void> {
		const stopped = stopListening(this.#server);
		await this.#connections[Symbol.asyncDispose]();
		await stopped;
	}
}

/** @throws {HandshakeError} when the stream ended before. */
async function take(client: Socket, signal: AbortSignal, length: number): Promise<Buffer> {
	const bytes = length === 0 ? Buffer.alloc(0) : await readSome(client, signal, length);
	if (bytes === undefined) {
		throw new HandshakeError('ended in the handshake', Buffer.alloc(0));
	}
	return bytes;
}

async function readRequest(client: Socket, signal: AbortSignal): Promise<Authority> {
	const [version, command, , addressType = 0] = await take(client, signal, 4);
	if (version !== VERSION) {
		throw new HandshakeError('not SOCKS5', reply(REPLY.failure));
	}
	const host = await readHost(client, signal, addressType);
	const port = (await take(client, signal, 2)).readUInt16BE();
	if (command !== CONNECT) {
		throw new HandshakeError('only CONNECT', reply(REPLY.commandNotSupported));
	}
	if (host === undefined || port === 0) {
		throw new HandshakeError('not a host', reply(REPLY.failure));
	}
	return { host, port };
}

async function readHost(client: Socket, signal: AbortSignal, addressType: number): Promise<Host | undefined> {
	switch (addressType) {
		case 1:
			return parseHost([...(await take(client, signal, 4))].join('.'));
		case 3: {
			const [length = 0] = await take(client, signal, 1);
			const name = await take(client, signal, length);
			// Bytes that are no UTF-8 become U+FFFD, which no host name may have.
			return length === 0 ? undefined : parseHost(name.toString('utf8'));
		}
		case 4: {
			const groups = (await take(client, signal, 16)).toString('hex').match(/.{4}/g);
			return parseHost(groups?.join(':') ?? '');
		}
		default:
			throw new HandshakeError('unknown address type', reply(REPLY.addressNotSupported));
	}
}

function reply(code: number): Buffer {
	return Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

function codeOf(kind: Refusal['kind']): number {
	switch (kind) {
		case 'denied':
		case 'notPublic':
			return REPLY.notAllowed;
		case 'refused':
			return REPLY.refused;
		case 'networkUnreachable':
			return REPLY.networkUnreachable;
		case 'hostUnreachable':
		case 'dns':
		case 'timeout':
			return REPLY.hostUnreachable;
		case 'upstream':
		case 'failed':
			return REPLY.failure;
	}
}
