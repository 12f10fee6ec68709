import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { DialError, toDialError } from './dialError.ts';
import type { Host } from './hostName.ts';
import { formatAuthority, parseHost } from './hostName.ts';
import { raceConnect } from './raceConnect.ts';
import type { Resolver } from './resolver.ts';
import { readSome } from './socketReader.ts';

/** The proxy through which this machine reaches the internet: VS Code's `http.proxy` and `http.noProxy`. */
export interface UpstreamSettings {
	/** `http://user:password@host:port` or `https://...`. */
	readonly url: string;
	/** Hosts that are reached directly: a name stands for itself and what is below it; `*` for all. */
	readonly noProxy: readonly string[];
}

const MAX_REPLY_HEAD = 16_384;
const DEFAULT_PORTS = new Map([
	['http:', 80],
	['https:', 443],
]);

/** A proxy behind ours. It resolves names itself, so the address guard cannot see where they lead. */
export class UpstreamProxy {
	readonly #url: URL;
	readonly #port: number;
	readonly #noProxy: readonly { readonly host: string; readonly port: number | undefined }[];
	readonly #resolver: Resolver;
	/** The value of `Proxy-Authorization`, where the proxy's URL has credentials. */
	readonly authorization: string | undefined;

	/** @throws {TypeError} that names the setting and the remedy when the URL is not one of an HTTP proxy. */
	constructor(settings: UpstreamSettings, resolver: Resolver) {
		const url = URL.parse(settings.url.includes('://') ? settings.url : `http://${settings.url}`);
		const defaultPort = DEFAULT_PORTS.get(url?.protocol ?? '');
		if (url === null || defaultPort === undefined || url.hostname === '') {
			throw new TypeError('The proxy setting is not the URL of an HTTP proxy: write it as http://host:port.');
		}
		this.#url = url;
		this.#port = url.port === '' ? defaultPort : Number(url.port);
		this.#resolver = resolver;
		this.#noProxy = settings.noProxy.flatMap(parseNoProxy);
		const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
		this.authorization =
			credentials === ':' ? undefined : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
	}

	/** @returns whether a host is reached without this proxy. This machine itself always is. */
	bypasses(host: Host, port: number): boolean {
		const loopback =
			host.host === 'localhost' || host.host === '::1' || (host.kind === 'ipv4' && host.host.startsWith('127.'));
		return (
			loopback ||
			this.#noProxy.some(
				(entry) =>
					(entry.port === undefined || entry.port === port) &&
					(entry.host === '*' || host.host === entry.host || host.host.endsWith(`.${entry.host}`)),
			)
		);
	}

	/** @returns a connection to the proxy itself. @throws {DialError} when it cannot be reached. */
	async open(signal: AbortSignal): Promise<Socket> {
		const host = this.#url.hostname.replace(/^\[|\]$/g, '');
		try {
			const addresses = parseHost(host)?.kind === 'name' ? await this.#resolver.resolve(host, signal) : [host];
			const socket = await raceConnect(addresses, this.#port, signal);
			return this.#url.protocol === 'https:' ? await secured(socket, host, signal) : socket;
		} catch (error) {
			signal.throwIfAborted();
			const cause = toDialError(error, formatAuthority(host, this.#port));
			throw new DialError('upstream', `The upstream proxy cannot be reached: ${cause.message}`, { cause });
		}
	}

	/** @returns a tunnel through the proxy. @throws {DialError} when the proxy refuses. */
	async tunnel(host: string, port: number, signal: AbortSignal): Promise<Socket> {
		const socket = await this.open(signal);
		const authority = formatAuthority(host, port);
		const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
		if (this.authorization !== undefined) {
			lines.push(`Proxy-Authorization: ${this.authorization}`);
		}
		socket.write(`${lines.join('\r\n')}\r\n\r\n`);
		try {
			const status = await readReplyHead(socket, signal);
			if (!/^HTTP\/1\.[01] 2\d\d\b/.test(status)) {
				throw new DialError('upstream', `The upstream proxy refused ${authority}: ${status.slice(0, 200)}`);
			}
			return socket;
		} catch (error) {
			socket.destroy();
			throw error;
		}
	}
}

function parseNoProxy(entry: string): { host: string; port: number | undefined }[] {
	const match = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry.trim());
	const text = match?.[1];
	if (text === undefined) {
		return [];
	}
	const host = text === '*' ? '*' : parseHost(text)?.host;
	return host === undefined ? [] : [{ host, port: match?.[2] === undefined ? undefined : Number(match[2]) }];
}

async function secured(socket: Socket, servername: string, signal: AbortSignal): Promise<Socket> {
	const secure = tlsConnect({
		socket,
		host: servername,
		...(parseHost(servername)?.kind === 'name' ? { servername } : {}),
	});
	// Stays for the socket's life: 'close' tells whoever uses it.
	secure.on('error', () => undefined);
	try {
		await once(secure, 'secureConnect', { signal });
		return secure;
	} catch (error) {
		secure.destroy();
		throw error;
	}
}

/** Reads up to the blank line and no further: what follows belongs to the tunnel. @returns the status line. */
async function readReplyHead(socket: Socket, signal: AbortSignal): Promise<string> {
	let head = Buffer.alloc(0);
	while (head.length <= MAX_REPLY_HEAD) {
		const chunk = await readSome(socket, signal);
		if (chunk === undefined) {
			throw new DialError('upstream', 'The upstream proxy closed the connection without an answer.');
		}
		head = Buffer.concat([head, chunk]);
		const end = head.indexOf('\r\n\r\n');
		if (end !== -1) {
			const rest = head.subarray(end + 4);
			if (rest.length > 0) {
				socket.unshift(rest);
			}
			return head.subarray(0, head.indexOf('\r\n')).toString('latin1');
		}
	}
	throw new DialError('upstream', 'The upstream proxy sent too long an answer.');
}
