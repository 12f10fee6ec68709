import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Dialled } from './dialer.ts';
import type { Authority } from './hostName.ts';
import { formatAuthority, formatHost, parseAuthority } from './hostName.ts';
import type { Traffic } from './tunnel.ts';

/** A request in absolute form, `http://authority/path`, taken apart without changing a byte of its path. */
export interface ForwardTarget extends Authority {
	readonly path: string;
}

/** RFC 9110, section 7.6.1, with what older clients send to proxies. */
const HOP_BY_HOP = new Set([
	'connection',
	'proxy-connection',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-authentication-info',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'http2-settings',
]);
/** A client must not take these away by naming them in `Connection`: the length of the body depends on one of them. */
const NEVER_BY_NAME = new Set(['host', 'content-length']);
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** @returns undefined where the target is not that of a plain HTTP request to a proxy. */
export function parseForwardTarget(target: string): ForwardTarget | undefined {
	const match = /^http:\/\/([^/?#]+)([^#]*)/i.exec(target);
	const authority = parseAuthority(match?.[1] ?? '', 80);
	if (match === null || authority === undefined) {
		return undefined;
	}
	const rest = match[2] ?? '';
	return { ...authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** @returns the headers, as name and value in turn, that are meant for the other end. */
function endToEnd(rawHeaders: readonly string[]): string[] {
	const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, i) => rawHeaders.slice(2 * i, 2 * i + 2));
	const named = pairs
		.filter(([name]) => name?.toLowerCase() === 'connection')
		.flatMap(([, value]) => (value ?? '').split(','))
		.map((token) => token.trim().toLowerCase())
		.filter((token) => !NEVER_BY_NAME.has(token));
	const dropped = new Set([...HOP_BY_HOP, ...named]);
	return pairs.filter(([name]) => !dropped.has((name ?? '').toLowerCase())).flat();
}

function startRequest(incoming: IncomingMessage, target: ForwardTarget, dialled: Dialled): ClientRequest {
	const port = target.port === 80 ? '' : `:${target.port}`;
	const drop = new Set(['host', 'expect']);
	const kept = endToEnd(incoming.rawHeaders);
	const headers = ['Host', `${formatHost(target.host.host)}${port}`];
	for (let i = 0; i < kept.length; i += 2) {
		if (!drop.has((kept[i] ?? '').toLowerCase())) {
			headers.push(kept[i] ?? '', kept[i + 1] ?? '');
		}
	}
	if (incoming.headers['transfer-encoding'] !== undefined) {
		headers.push('Transfer-Encoding', 'chunked');
	} else if (incoming.headers['content-length'] === undefined && WITH_BODY.has(incoming.method ?? '')) {
		headers.push('Content-Length', '0');
	}
	if (dialled.upstream?.authorization !== undefined) {
		headers.push('Proxy-Authorization', dialled.upstream.authorization);
	}
	// One request for each connection: a pooled one could break just when a request that must not be sent twice is on it.
	headers.push('Connection', 'close');
	const authority = formatAuthority(target.host.host, target.port);
	// Not `request`: VS Code replaces that with one that connects by itself, through its own proxy.
	return new ClientRequest({
		method: incoming.method ?? 'GET',
		path: dialled.upstream === undefined ? target.path : `http://${authority}${target.path}`,
		headers,
		createConnection: () => dialled.socket,
		insecureHTTPParser: false,
	});
}

/**
 * Sends a request on to a host and its answer back, both unchanged but for what concerns the single connection.
 * @throws when the host breaks off or answers nonsense; what the client already got is then cut, never completed.
 */
export async function forward(
	incoming: IncomingMessage,
	response: ServerResponse,
	target: ForwardTarget,
	dialled: Dialled,
): Promise<void> {
	const outgoing = startRequest(incoming, target, dialled);
	const onClientGone = () => outgoing.destroy();
	response.once('close', onClientGone);
	const answered = new Promise<IncomingMessage>((resolve, reject) => {
		outgoing.once('response', resolve);
		outgoing.on('error', reject);
		outgoing.once('close', () => reject(new Error('The host closed the connection without an answer.')));
	});
	incoming.pipe(outgoing);
	try {
		const answer = await answered;
		response.sendDate = false;
		response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer.rawHeaders));
		await pipeline(answer, response);
	} finally {
		response.off('close', onClientGone);
		incoming.unpipe(outgoing);
		outgoing.destroy();
		// The host may answer before it has the whole body: the rest must not block the connection's next request.
		incoming.resume();
	}
}

/** @returns what passed the socket of a forwarded request since it was dialled. */
export function trafficOf(dialled: Dialled): Traffic {
	return { bytesUp: dialled.socket.bytesWritten, bytesDown: dialled.socket.bytesRead };
}
