import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { EgressRow } from '../../../src/engine/ports/index.ts';
import { AddressGuard } from '../../../src/egress/addressGuard.ts';
import { HostFilter } from '../../../src/egress/hostFilter.ts';
import type { SessionEgressOptions } from '../../../src/egress/sessionEgress.ts';
import { SessionEgress } from '../../../src/egress/sessionEgress.ts';

export interface TestEgress extends AsyncDisposable {
	readonly egress: SessionEgress;
	readonly rows: EgressRow[];
	/** `user:password` of the environment. */
	readonly userinfo: string;
	readonly httpPort: number;
	readonly socksPort: number;
}

/** A real session's egress on loopback, to which every name leads; `allow` takes ports: `github.com:1234`. */
export async function startEgress(
	options: Partial<SessionEgressOptions> & {
		allow?: readonly string[];
		deny?: readonly string[];
		itemId?: string;
	} = {},
): Promise<TestEgress> {
	const rows: EgressRow[] = [];
	const egress = new SessionEgress({
		sessionId: 'session',
		record: (batch) => void rows.push(...batch),
		filter: new HostFilter({ allow: options.allow ?? [], deny: options.deny ?? [] }),
		guard: new AddressGuard({ exempt: ['127.0.0.1'] }),
		lookup: () => Promise.resolve(['127.0.0.1']),
		...options,
	});
	await egress.start();
	const url = new URL(egress.environment(options.itemId === undefined ? {} : { itemId: options.itemId }).HTTP_PROXY!);
	return {
		egress,
		rows,
		userinfo: `${url.username}:${url.password}`,
		httpPort: egress.ports!.http,
		socksPort: egress.ports!.socks,
		[Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
	};
}

export interface TestServer extends AsyncDisposable {
	readonly port: number;
	readonly server: Server;
}

async function listening(server: Server): Promise<TestServer> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
	});
	server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 });
	await once(server, 'listening');
	return {
		server,
		port: (server.address() as AddressInfo).port,
		[Symbol.asyncDispose]: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			sockets.forEach((socket) => socket.destroy());
			await closed;
		},
	};
}

export const tcpServer = (onSocket: (socket: Socket) => void): Promise<TestServer> =>
	listening(createServer({ allowHalfOpen: true }, onSocket));

/** Sends back what it gets, and ends when the other side does. */
export const echoServer = (): Promise<TestServer> => tcpServer((socket) => socket.pipe(socket));

export const webServer = (onRequest: RequestListener): Promise<TestServer> => listening(createHttpServer(onRequest));

/** Answers each request with what it saw of it. */
export const mirrorServer = (): Promise<TestServer> =>
	webServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method, url, rawHeaders } = request;
			response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
		});
	});

export const basic = (userinfo: string): string => `Basic ${Buffer.from(userinfo).toString('base64')}`;

/** Sends bytes to a port and collects all that comes until the other side closes or `until` is there. */
export async function exchange(
	port: number,
	bytes: string | Buffer,
	options: { until?: string; end?: boolean; path?: string } = {},
): Promise<{ text: string; socket: Socket }> {
	const socket =
		options.path === undefined
			? connect({ port, host: '127.0.0.1', allowHalfOpen: true })
			: connect({ path: options.path, allowHalfOpen: true });
	socket.on('error', () => undefined);
	let text = '';
	const done = new Promise<void>((resolve) => {
		socket.on('data', (chunk) => {
			text += chunk.toString('latin1');
			if (options.until !== undefined && text.includes(options.until)) {
				resolve();
			}
		});
		socket.on('end', () => {
			socket.end();
			resolve();
		});
		socket.on('close', () => resolve());
	});
	socket.write(bytes);
	if (options.end === true) {
		socket.end();
	}
	await done;
	return { text, socket };
}

/** A tunnel through the HTTP proxy. @throws with the proxy's answer when it refuses. */
export async function openTunnel(from: TestEgress, authority: string): Promise<Socket> {
	const head = `CONNECT ${authority} HTTP/1.1\r\nProxy-Authorization: ${basic(from.userinfo)}\r\n\r\n`;
	const { text, socket } = await exchange(from.httpPort, head, { until: '\r\n\r\n' });
	if (!text.startsWith('HTTP/1.1 200')) {
		throw new Error(text);
	}
	socket.removeAllListeners('data').removeAllListeners('end');
	return socket;
}

/** Waits until the condition holds; it is looked at after each turn of the event loop. */
export async function eventually(condition: () => boolean): Promise<void> {
	while (!condition()) {
		await new Promise((resolve) => setImmediate(resolve));
	}
}

export interface Finished {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs a real program with nothing of this process's environment but PATH. */
export async function run(
	command: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
	cwd = '/tmp',
): Promise<Finished> {
	const child = spawn(command, args, {
		cwd,
		env: { PATH: process.env.PATH, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let [stdout, stderr] = ['', ''];
	child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, stdout, stderr };
}
