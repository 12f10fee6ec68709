import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import {
	basic,
	eventually,
	exchange,
	mirrorServer,
	openTunnel,
	startEgress,
	tcpServer,
	echoServer,
	webServer,
} from './support.ts';

interface Mirrored {
	readonly method: string;
	readonly url: string;
	readonly rawHeaders: readonly string[];
	readonly body: string;
}

const bodyOf = (text: string): Mirrored => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as Mirrored;

describe('HTTP proxy: who may use it', () => {
	it('asks for the password, and takes no other session’s', async () => {
		await using mirror = await mirrorServer();
		const allow = [`a.example:${mirror.port}`];
		await using own = await startEgress({ allow });
		await using other = await startEgress({ allow });
		const wrong = [
			'',
			basic(other.userinfo),
			basic('belay:'),
			basic('belay'),
			'Bearer x',
			basic(`root:${own.userinfo.split(':')[1]!}`),
		];
		for (const authorization of wrong) {
			const header = authorization === '' ? '' : `Proxy-Authorization: ${authorization}\r\n`;
			const connect = await exchange(own.httpPort, `CONNECT a.example:${mirror.port} HTTP/1.1\r\n${header}\r\n`);
			assert.match(connect.text, /^HTTP\/1\.1 407 .*proxy-authenticate: Basic realm="Belay"/s, authorization);
			const plain = `GET http://a.example:${mirror.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`;
			assert.match((await exchange(own.httpPort, plain)).text, /^HTTP\/1\.1 407 /, authorization);
		}
		await own.egress[Symbol.asyncDispose]();
		assert.deepEqual(own.rows, []);
	});

	it('takes the scheme name in any case', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({ allow: [`a.example:${echo.port}`] });
		const head = `CONNECT a.example:${echo.port} HTTP/1.1\r\nproxy-authorization: bAsIc  ${basic(own.userinfo).slice(6)}\r\n\r\n`;
		const { text, socket } = await exchange(own.httpPort, head, { until: '\r\n\r\n' });
		socket.destroy();
		assert.match(text, /^HTTP\/1\.1 200 /);
	});
});

describe('HTTP proxy: CONNECT', () => {
	it('keeps bytes that came with the head, and passes on the end of one side alone', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({ allow: [`a.example:${echo.port}`] });
		const head = `CONNECT a.example:${echo.port} HTTP/1.1\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		const { text } = await exchange(own.httpPort, `${head}early bytes`, { end: true });
		assert.equal(text, 'HTTP/1.1 200 Connection Established\r\n\r\nearly bytes');
	});

	it('says host, rule and remedy when it denies', async () => {
		await using own = await startEgress({ allow: ['github.com'] });
		const head = `CONNECT evil.example:443 HTTP/1.1\r\nHost: github.com:443\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		const { text } = await exchange(own.httpPort, head);
		assert.match(text, /^HTTP\/1\.1 403 Blocked by Belay\r\n/);
		assert.match(text, /\r\nx-belay-egress: denied\r\n/);
		assert.match(text, /evil\.example:443.*Rule: not in the allowlist.*Remedy: .*settings/s);
	});

	for (const target of [
		'a.example',
		'a.example:',
		'a.example:0',
		'a.example:99999',
		'/',
		'http://a.example/',
		':443',
	]) {
		it(`refuses the target ${target}`, async () => {
			await using own = await startEgress({ allow: ['a.example'] });
			const { text } = await exchange(
				own.httpPort,
				`CONNECT ${target} HTTP/1.1\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`,
			);
			assert.match(text, /^HTTP\/1\.1 400 /);
		});
	}

	it('tells a refused connection from a denied one, and from a name that does not exist', async () => {
		const gone = await echoServer();
		await gone[Symbol.asyncDispose]();
		const lookup = (name: string) =>
			name === 'a.example'
				? Promise.resolve(['127.0.0.1'])
				: Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
		await using own = await startEgress({ allow: [`a.example:${gone.port}`, 'no.example'], lookup });
		await assert.rejects(
			openTunnel(own, `a.example:${gone.port}`),
			/^Error: HTTP\/1\.1 502 .*x-belay-egress: failed.*ECONNREFUSED/s,
		);
		await assert.rejects(openTunnel(own, 'no.example:443'), /^Error: HTTP\/1\.1 502 .*ENOTFOUND/s);
	});

	it('gives up on a host that does not answer: 504', async () => {
		await using own = await startEgress({
			allow: ['slow.example'],
			lookup: () => new Promise(() => undefined),
			limits: { dialMs: 50 },
		});
		await assert.rejects(
			openTunnel(own, 'slow.example:443'),
			/^Error: HTTP\/1\.1 504 .*did not answer within 0\.05 s/s,
		);
	});

	it('closes the client’s side when the host resets', async () => {
		await using reset = await tcpServer((socket) => {
			socket.once('data', () => socket.resetAndDestroy());
		});
		await using own = await startEgress({ allow: [`a.example:${reset.port}`] });
		const socket = await openTunnel(own, `a.example:${reset.port}`);
		socket.write('now');
		await once(socket.resume(), 'end');
		socket.destroy();
	});

	it('closes a tunnel that is idle for too long', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({ allow: [`a.example:${echo.port}`], limits: { idleMs: 50 } });
		const socket = await openTunnel(own, `a.example:${echo.port}`);
		await once(socket.resume(), 'end');
		socket.destroy();
	});

	it('has no time limit of the head over the tunnel', async () => {
		await using slow = await tcpServer((socket) => void setTimeout(() => socket.end('late'), 250));
		await using own = await startEgress({ allow: [`a.example:${slow.port}`], limits: { headMs: 60, dialMs: 60 } });
		const socket = await openTunnel(own, `a.example:${slow.port}`);
		const [chunk] = (await once(socket, 'data')) as [Buffer];
		assert.equal(chunk.toString(), 'late');
		socket.destroy();
	});
});

describe('HTTP proxy: plain requests', () => {
	it('sends the request on with Host from its target, and without what is for the proxy', async () => {
		await using mirror = await mirrorServer();
		await using own = await startEgress({ allow: [`a.example:${mirror.port}`] });
		const { text } = await exchange(
			own.httpPort,
			[
				`POST http://A.Example:${mirror.port}/p%61th/../x?q=1&%C3%A9 HTTP/1.1`,
				'Host: evil.example',
				`Proxy-Authorization: ${basic(own.userinfo)}`,
				'Proxy-Connection: keep-alive',
				'Connection: close, X-Hop, Content-Length, Host',
				'X-Hop: gone',
				'Keep-Alive: 5',
				'TE: trailers',
				'Upgrade: h2c',
				'X-Kept: Yes',
				'x-kept: again',
				'Content-Length: 4',
				'',
				'body',
			].join('\r\n'),
		);
		const mirrored = bodyOf(text);
		assert.equal(mirrored.method, 'POST');
		assert.equal(mirrored.url, '/p%61th/../x?q=1&%C3%A9');
		assert.equal(mirrored.body, 'body');
		assert.deepEqual(mirrored.rawHeaders, [
			...['Host', `a.example:${mirror.port}`, 'X-Kept', 'Yes', 'x-kept', 'again', 'Content-Length', '4'],
			...['Connection', 'close'],
		]);
	});

	it('keeps the client’s connection for the next request, each judged on its own', async () => {
		await using mirror = await mirrorServer();
		await using own = await startEgress({ allow: [`a.example:${mirror.port}`] });
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const get = async (host: string) => {
			const path = `http://${host}:${mirror.port}/`;
			const headers = { 'proxy-authorization': basic(own.userinfo) };
			const sent = request({ agent, host: '127.0.0.1', port: own.httpPort, path, headers }).end();
			const [answer] = (await once(sent, 'response')) as [IncomingMessage];
			answer.resume();
			await once(answer, 'end');
			return [answer.statusCode, sent.reusedSocket];
		};
		const statuses = [await get('a.example'), await get('evil.example'), await get('a.example')];
		agent.destroy();
		assert.deepEqual(statuses, [
			[200, false],
			[403, true],
			[200, true],
		]);
	});

	it('carries chunked bodies both ways, and bodies of unknown length to HTTP/1.0 clients', async () => {
		await using server = await webServer((incoming, response) => {
			incoming.pipe(response);
		});
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const head = (version: string, more: string) =>
			`POST http://a.example:${server.port}/ HTTP/${version}\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n${more}\r\n`;
		const chunked = await exchange(
			own.httpPort,
			`${head('1.1', 'Transfer-Encoding: chunked\r\n')}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
		);
		assert.match(chunked.text, /Transfer-Encoding: chunked\r\n/i);
		assert.equal(
			chunked.text
				.split('\r\n\r\n')[1]
				?.replaceAll(/\r\n/g, '')
				.replaceAll(/[\d\s]/g, ''),
			'abcde',
		);
		const old = await exchange(own.httpPort, `${head('1.0', 'Content-Length: 5\r\n')}abcde`);
		assert.match(old.text, /\r\n\r\nabcde$/);
	});

	it('sends the 403 also to a client that is still uploading', async () => {
		await using own = await startEgress();
		const size = 300_000;
		const head = `PUT http://evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${basic(own.userinfo)}\r\nContent-Length: ${size}\r\n\r\n`;
		const { text } = await exchange(own.httpPort, head + 'x'.repeat(size));
		assert.match(text, /^HTTP\/1\.1 403 .*Remedy: /s);
	});

	it('goes on when the host answers before it has the whole body', async () => {
		await using server = await tcpServer((socket) => {
			socket.once('data', () =>
				socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno'),
			);
		});
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const auth = `Host: x\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n`;
		const size = 400_000;
		const first = `POST http://a.example:${server.port}/ HTTP/1.1\r\n${auth}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`;
		const second = `GET http://evil.example/ HTTP/1.1\r\n${auth}Connection: close\r\n\r\n`;
		const { text } = await exchange(own.httpPort, first + second);
		assert.match(text, /^HTTP\/1\.1 413 Too Large.*\r\n\r\nnoHTTP\/1\.1 403 /s);
	});

	for (const [name, answer] of [
		['nonsense', 'hello\r\n\r\n'],
		['nothing', ''],
		[
			'an answer with two lengths',
			'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
		],
		['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
	] as const) {
		it(`answers 502 when the host sends ${name}`, async () => {
			await using server = await tcpServer((socket) => {
				socket.once('data', () => socket.end(answer));
			});
			await using own = await startEgress({ allow: [`a.example:${server.port}`] });
			const head = `GET http://a.example:${server.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
			assert.match((await exchange(own.httpPort, head)).text, /^HTTP\/1\.1 502 .*x-belay-egress: failed/s);
		});
	}

	it('cuts an answer that the host broke off', async () => {
		await using server = await tcpServer((socket) => {
			socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
		});
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const head = `GET http://a.example:${server.port}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		const { text } = await exchange(own.httpPort, head);
		assert.match(text, /Content-Length: 10\r\n.*half$/s);
	});
});

describe('HTTP proxy: hostile and broken clients', () => {
	const cases: readonly (readonly [name: string, request: string, status: RegExp])[] = [
		['a length and chunks', 'POST http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /evil HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
		['two lengths', 'POST http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde', /^HTTP\/1\.1 400 /],
		['a list of lengths', 'POST http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nContent-Length: 4, 4\r\n\r\nabcd', /^HTTP\/1\.1 400 /],
		['an unknown encoding', 'POST http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', /^HTTP\/1\.1 400 .*only Transfer-Encoding/s],
		['chunks in HTTP/1.0', 'POST http://a.example:PORT/ HTTP/1.0\r\nHost: x\r\nAUTH\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', /^HTTP\/1\.1 400 /],
		['chunked not last', 'POST http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n', /^HTTP\/1\.1 400 /],
		['a bad chunk size', 'POST http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n', /^(HTTP\/1\.1 400 |$)/],
		['bare line feeds', 'GET http://a.example:PORT/ HTTP/1.1\nHost: x\nAUTH\n\n', /^HTTP\/1\.1 400 /],
		['a space before the colon', 'GET http://a.example:PORT/ HTTP/1.1\r\nHost : x\r\nAUTH\r\n\r\n', /^HTTP\/1\.1 400 /],
		['a folded header', 'GET http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\n folded\r\nAUTH\r\n\r\n', /^HTTP\/1\.1 400 /],
		['a target without a host', 'GET /path HTTP/1.1\r\nHost: a.example:PORT\r\nConnection: close\r\nAUTH\r\n\r\n', /^HTTP\/1\.1 400 .*whole URL/s],
		['https in absolute form', 'GET https://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAUTH\r\n\r\n', /^HTTP\/1\.1 400 /],
		['a user in the target', 'GET http://a.example:PORT@evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAUTH\r\n\r\n', /^HTTP\/1\.1 400 /],
		['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1\.1 400 /],
		['TLS', '\x16\x03\x01\x02\x00\x01\x00', /^HTTP\/1\.1 400 /],
		['a head of 17 KiB', `GET http://a.example:PORT/ HTTP/1.1\r\nHost: x\r\nAUTH\r\nX: ${'a'.repeat(17_408)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
		['a head that does not end', `GET http://a.example:PORT/${'a'.repeat(40_000)}`, /^HTTP\/1\.1 431 /],
	]; // prettier-ignore

	for (const [name, text, status] of cases) {
		it(`refuses ${name}, and the host sees no whole request`, async () => {
			let requests = 0;
			await using server = await webServer((incoming, response) => {
				incoming.on('error', () => undefined).resume();
				incoming.on('end', () => {
					requests++;
					response.end();
				});
			});
			await using own = await startEgress({ allow: [`a.example:${server.port}`] });
			const filled = text
				.replaceAll('PORT', String(server.port))
				.replaceAll('AUTH', `Proxy-Authorization: ${basic(own.userinfo)}`);
			assert.match((await exchange(own.httpPort, Buffer.from(filled, 'latin1'))).text, status);
			assert.equal(requests, 0);
		});
	}

	it('takes a head of 15 KiB', async () => {
		await using mirror = await mirrorServer();
		await using own = await startEgress({ allow: [`a.example:${mirror.port}`] });
		const head = `GET http://a.example:${mirror.port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${basic(own.userinfo)}\r\nX: ${'a'.repeat(15_000)}\r\n\r\n`;
		assert.match((await exchange(own.httpPort, head)).text, /^HTTP\/1\.1 200 /);
	});

	it('gives a slow head its time and no more (slow loris)', async () => {
		await using own = await startEgress({ limits: { headMs: 100 } });
		for (const start of ['', 'GET http://a.example/ HTTP/1.1\r\nHost: a', 'CONNECT a.example:443 HTTP/1.1\r\n']) {
			assert.match((await exchange(own.httpPort, start)).text, /^HTTP\/1\.1 408 /, start);
		}
	});

	it('does not mix a tunnel with an answer that is under way', async () => {
		let answer = (): void => undefined;
		await using server = await webServer((_incoming, response) => {
			answer = () => response.end('late');
		});
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const auth = `Host: x\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		const both = `GET http://a.example:${server.port}/ HTTP/1.1\r\n${auth}CONNECT a.example:${server.port} HTTP/1.1\r\n${auth}`;
		const { text } = await exchange(own.httpPort, both);
		answer();
		assert.doesNotMatch(text, /200 Connection Established/);
	});

	it('stops the request to the host when the client goes away', async () => {
		let closed = false;
		await using server = await webServer((incoming) => {
			incoming.socket.on('close', () => (closed = true));
			incoming.socket.emit('seen');
		});
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const sent = request({
			host: '127.0.0.1',
			port: own.httpPort,
			path: `http://a.example:${server.port}/`,
			headers: { 'proxy-authorization': basic(own.userinfo) },
		}).end();
		sent.on('error', () => undefined);
		await once(server.server, 'request');
		sent.destroy();
		await eventually(() => closed);
	});
});
