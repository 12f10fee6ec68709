import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../engine/ports/index.ts';
import { Connections, listen, stopListening } from './connections.ts';
import type { SessionCredentials } from './credentials.ts';
import { toDialError } from './dialError.ts';
import type { Gateway } from './gateway.ts';
import { formatAuthority, parseAuthority } from './hostName.ts';
import { forward, parseForwardTarget, trafficOf } from './httpForward.ts';
import type { ProxyReply } from './httpReplies.ts';
import { authenticationRequired, malformed, refused, send, toBytes } from './httpReplies.ts';
import type { EgressLimits } from './limits.ts';
import { onGone } from './socketReader.ts';
import { endWith, tunnel } from './tunnel.ts';

/** Idle connections of clients that keep them: longer than most clients wait between two requests. */
const KEEP_ALIVE_MS = 60_000;

/**
 * An HTTP proxy for one session: CONNECT, and plain requests in absolute form. What may be reached depends on the
 * request's target alone. Heads are parsed by Node, strictly, so that both ends agree where a request ends.
 */
export class HttpProxy implements AsyncDisposable {
	readonly #gateway: Gateway;
	readonly #credentials: SessionCredentials;
	readonly #limits: EgressLimits;
	readonly #server: Server;
	readonly #connections: Connections;
	readonly #logger: Logger;
	/** Answers under way by their connection: pipelined requests may be several. */
	readonly #answering = new WeakMap<Duplex, Set<ServerResponse>>();

	constructor(gateway: Gateway, credentials: SessionCredentials, limits: EgressLimits, logger: Logger) {
		this.#gateway = gateway;
		this.#credentials = credentials;
		this.#limits = limits;
		this.#logger = logger;
		this.#connections = new Connections(logger);
		this.#server = createServer({
			insecureHTTPParser: false,
			maxHeaderSize: limits.headBytes,
			headersTimeout: limits.headMs,
			// A body may take as long as it moves: long uploads are not cut.
			requestTimeout: 0,
			keepAliveTimeout: KEEP_ALIVE_MS,
			connectionsCheckingInterval: Math.min(1_000, limits.headMs / 4),
			noDelay: true,
		});
		this.#server.maxHeadersCount = 0;
		this.#server.maxConnections = limits.maxConnections;
		this.#server.on('connection', (socket: Socket) => this.#connections.add(socket));
		this.#server.on('connect', (request, _socket, head) => {
			this.#connections.run(request.socket, () => this.#connect(request, head));
		});
		const onRequest = (request: IncomingMessage, response: ServerResponse) =>
			this.#connections.run(request.socket, () => this.#forward(request, response));
		this.#server.on('request', onRequest).on('checkContinue', onRequest);
		this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#clientError(error, socket));
	}

	/** @returns the port. @throws what binding fails with. */
	listen(host: string): Promise<number> {
		return listen(this.#server, { host, port: 0 }, this.#logger);
	}

	/** Serves a connection that another listener accepted. */
	accept(socket: Socket): void {
		this.#server.emit('connection', socket);
	}

	async #connect(request: IncomingMessage, head: Buffer): Promise<void> {
		const client = request.socket;
		if (head.length > 0) {
			client.unshift(head);
		}
		const identity = this.#credentials.verifyBasic(request.headers['proxy-authorization']);
		if (identity === undefined) {
			endWith(client, toBytes(authenticationRequired()));
			return;
		}
		const authority = parseAuthority(request.url ?? '');
		if (authority === undefined || this.#isAnswering(client)) {
			endWith(client, toBytes(malformed('CONNECT must come alone and name `host:port`.')));
			return;
		}
		const gone = new AbortController();
		const signal = AbortSignal.any([gone.signal, this.#connections.signal]);
		const watch = onGone(client, () => gone.abort());
		const target = { ...authority, protocol: 'connect', itemId: identity.itemId } as const;
		const outcome = await this.#gateway.open(target, 'tunnel', signal).finally(() => watch[Symbol.dispose]());
		if (!outcome.opened) {
			endWith(client, toBytes(refused(outcome)));
			return;
		}
		client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		const options = { idleMs: this.#limits.idleMs, signal: this.#connections.signal };
		outcome.finish(await tunnel(client, outcome.socket, options));
	}

	async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.#startAnswer(request.socket, response);
		const identity = this.#credentials.verifyBasic(request.headers['proxy-authorization']);
		const target = parseForwardTarget(request.url ?? '');
		const problem = target === undefined ? NOT_ABSOLUTE : problemOf(request);
		if (identity === undefined || target === undefined || problem !== undefined) {
			send(response, identity === undefined ? authenticationRequired() : malformed(problem ?? NOT_ABSOLUTE));
			return;
		}
		const gone = new AbortController();
		const signal = AbortSignal.any([gone.signal, this.#connections.signal]);
		response.once('close', () => gone.abort());
		const wanted = { ...target, protocol: 'http', itemId: identity.itemId } as const;
		const outcome = await this.#gateway.open(wanted, 'forward', signal);
		if (!outcome.opened) {
			send(response, refused(outcome));
			return;
		}
		const { socket } = outcome;
		socket.setTimeout(this.#limits.idleMs, () => socket.destroy());
		try {
			if (request.headers.expect !== undefined) {
				response.writeContinue();
			}
			await forward(request, response, target, outcome);
		} catch (error) {
			if (response.headersSent) {
				response.destroy();
			} else {
				const failure = toDialError(error, formatAuthority(target.host.host, target.port));
				send(response, badGateway(wanted, failure.message));
			}
		} finally {
			socket.destroy();
			outcome.finish(trafficOf(outcome));
		}
	}

	#isAnswering(socket: Duplex): boolean {
		return (this.#answering.get(socket)?.size ?? 0) > 0;
	}

	#startAnswer(socket: Duplex, response: ServerResponse): void {
		const answers = this.#answering.get(socket) ?? new Set();
		this.#answering.set(socket, answers.add(response));
		response.once('close', () => answers.delete(response));
	}

	#clientError(error: NodeJS.ErrnoException, socket: Duplex): void {
		const started = [...(this.#answering.get(socket) ?? [])].some((response) => response.headersSent);
		if (!(socket instanceof Socket) || !socket.writable || started || error.code === 'ECONNRESET') {
			socket.destroy();
			return;
		}
		endWith(socket, toBytes(replyTo(error)));
	}

	/** Closes everything, tunnels included. Their audit rows are written before this resolves. */
	async [Symbol.asyncDispose](): Promise<void> {
		const stopped = stopListening(this.#server);
		await this.#connections[Symbol.asyncDispose]();
		await stopped;
	}
}

const NOT_ABSOLUTE = 'Ask it for a whole URL, as in `GET http://host/path`, or use CONNECT. It is not a web server.';

/** Node's parser refuses most of what two readers could understand in two ways; this is the rest. */
function problemOf(request: IncomingMessage): string | undefined {
	const encoding = request.headers['transfer-encoding'];
	if (encoding !== undefined && encoding.trim().toLowerCase() !== 'chunked') {
		return 'The only Transfer-Encoding it takes is `chunked`.';
	}
	return encoding !== undefined && request.httpVersion === '1.0' ? 'HTTP/1.0 has no Transfer-Encoding.' : undefined;
}

function replyTo(error: NodeJS.ErrnoException): ProxyReply {
	switch (error.code) {
		case 'ERR_HTTP_REQUEST_TIMEOUT':
			return malformed('Its head did not arrive in time.', 408);
		case 'HPE_HEADER_OVERFLOW':
			return malformed('Its head is too long.', 431);
		default:
			return malformed('It is not valid HTTP/1.1.');
	}
}

function badGateway(target: Parameters<Gateway['open']>[0], rule: string): ProxyReply {
	return refused({ opened: false, kind: 'failed', target, rule, remedy: undefined });
}
