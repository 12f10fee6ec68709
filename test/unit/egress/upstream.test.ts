import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SessionEgress } from '../../../src/egress/sessionEgress.ts';
import { UpstreamProxy } from '../../../src/egress/upstreamProxy.ts';
import { parseHost } from '../../../src/egress/hostName.ts';
import { Resolver } from '../../../src/egress/resolver.ts';
import { basic, echoServer, exchange, mirrorServer, openTunnel, startEgress, tcpServer } from './support.ts';

describe('upstream proxy', () => {
	it('is used with its credentials, for tunnels and plain requests, and does the DNS', async () => {
		await using mirror = await mirrorServer();
		const allow = [`a.example:${mirror.port}`];
		await using corporate = await startEgress({ allow, itemId: 'corporate' });
		await using own = await startEgress({
			allow,
			lookup: () => Promise.reject(new Error('no DNS here')),
			upstream: { url: `http://${corporate.userinfo}@127.0.0.1:${corporate.httpPort}`, noProxy: [] },
		});
		const tunnel = await openTunnel(own, `a.example:${mirror.port}`);
		tunnel.end('GET /via-tunnel HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n');
		let answer = '';
		for await (const chunk of tunnel) {
			answer += (chunk as Buffer).toString();
		}
		assert.match(answer, /"url":"\/via-tunnel"/);
		const head = `GET http://a.example:${mirror.port}/plain?q HTTP/1.1\r\nHost: x\r\nConnection: close\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		const plain = (await exchange(own.httpPort, head)).text;
		assert.match(plain, /"url":"\/plain\?q"/);
		assert.doesNotMatch(plain, /authorization/i);
		await own.egress[Symbol.asyncDispose]();
		await corporate.egress[Symbol.asyncDispose]();
		assert.deepEqual(corporate.rows.map((row) => row.protocol).toSorted(), ['connect', 'http']);
		assert.deepEqual(
			own.rows.map((row) => row.verdict),
			['allowed', 'allowed'],
		);
	});

	it('may itself be reached over TLS', async () => {
		await using echo = await echoServer();
		await using corporate = await startEgress({ allow: [`a.example:${echo.port}`] });
		const dir = mkdtempSync(join(tmpdir(), 'belay-upstream-'));
		const [keyFile, certFile] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
		execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
			'-subj', '/CN=proxy', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', keyFile, '-out', certFile,
		], { stdio: 'ignore' }); // prettier-ignore
		const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)];
		rmSync(dir, { recursive: true });
		const server = createTlsServer({ key, cert }, (socket) => {
			const behind = connect(corporate.httpPort, '127.0.0.1');
			socket.on('error', () => behind.destroy());
			behind.on('error', () => socket.destroy());
			socket.pipe(behind).pipe(socket);
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const upstream = { url: `https://${corporate.userinfo}@127.0.0.1:${port}`, noProxy: [] };
		await using own = await startEgress({ allow: [`a.example:${echo.port}`], upstream });
		await assert.rejects(
			openTunnel(own, `a.example:${echo.port}`),
			/502 .*upstream proxy cannot be reached.*self-signed/s,
		);
		const trusted = getCACertificates('default');
		setDefaultCACertificates([...trusted, cert.toString()]);
		try {
			const tunnel = await openTunnel(own, `a.example:${echo.port}`);
			tunnel.write('over TLS');
			const [chunk] = (await once(tunnel, 'data')) as [Buffer];
			assert.equal(chunk.toString(), 'over TLS');
			tunnel.destroy();
		} finally {
			setDefaultCACertificates(trusted);
			server.close();
		}
	});

	it('is not used for its exceptions nor for this machine', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({
			allow: [`x.corp.example:${echo.port}`, `localhost:${echo.port}`],
			upstream: { url: 'http://127.0.0.1:1', noProxy: ['.corp.example'] },
		});
		(await openTunnel(own, `x.corp.example:${echo.port}`)).destroy();
		(await openTunnel(own, `localhost:${echo.port}`)).destroy();
	});

	it('keeps bytes that come with its answer', async () => {
		await using proxy = await tcpServer((socket) => {
			socket.once('data', () => socket.end('HTTP/1.0 200 ok\r\nVia: x\r\n\r\nbanner'));
		});
		await using own = await startEgress({
			allow: ['a.example'],
			upstream: { url: `127.0.0.1:${proxy.port}`, noProxy: [] },
		});
		const head = `CONNECT a.example:443 HTTP/1.1\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		assert.match((await exchange(own.httpPort, head)).text, /^HTTP\/1\.1 200 [^]*\r\n\r\nbanner$/);
	});

	for (const [name, answer, expected] of [
		['refuses', 'HTTP/1.1 407 Who are you\r\n\r\n', /502 .*upstream proxy refused a\.example:443: HTTP\/1\.1 407/s],
		['hangs up', '', /502 .*closed the connection without an answer/s],
		['talks without end', 'x'.repeat(40_000), /502 .*too long an answer/s],
	] as const) {
		it(`is named in the error when it ${name}`, async () => {
			await using proxy = await tcpServer((socket) => {
				socket.once('data', () => socket.end(answer));
			});
			const upstream = { url: `http://127.0.0.1:${proxy.port}`, noProxy: [] };
			await using own = await startEgress({ allow: ['a.example'], upstream });
			await assert.rejects(openTunnel(own, 'a.example:443'), expected);
		});
	}

	it('is named in the error when it cannot be reached', async () => {
		await using own = await startEgress({ allow: ['a.example'], upstream: { url: 'http://127.0.0.1:1', noProxy: [] } });
		await assert.rejects(openTunnel(own, 'a.example:443'), /502 .*upstream proxy cannot be reached.*ECONNREFUSED/s);
	});

	it('leaves the session without a proxy, and says so, when its URL makes no sense', async () => {
		for (const url of ['socks5://127.0.0.1:1080', 'http://', 'file:///etc', 'http://a b']) {
			await using egress = new SessionEgress({
				sessionId: 's',
				record: () => undefined,
				upstream: { url, noProxy: [] },
			});
			const protection = await egress.start();
			assert.equal(protection.egress, 'unfiltered');
			assert.match(protection.reason ?? '', /write it as http:\/\/host:port/);
		}
	});

	it('reads exceptions as suffixes of whole labels', () => {
		const noProxy = ['corp.example', '*.internal', '.x.example:8080', '10.0.0.1', ' spaced.example ', '', '!'];
		const proxy = new UpstreamProxy({ url: 'http://p:1', noProxy }, new Resolver());
		const bypassed = (host: string, port = 443) => proxy.bypasses(parseHost(host)!, port);
		const yes = ['corp.example', 'git.corp.example', 'a.b.internal', '10.0.0.1', 'spaced.example', '127.0.0.9', '::1'];
		const no = ['notcorp.example', 'corp.example.evil', 'x.example', 'github.com', '10.0.0.11'];
		assert.deepEqual(
			yes.filter((host) => !bypassed(host)),
			[],
		);
		assert.deepEqual(
			no.filter((host) => bypassed(host)),
			[],
		);
		assert.equal(bypassed('a.x.example', 8080), true);
		assert.equal(bypassed('a.x.example', 443), false);
		assert.equal(
			new UpstreamProxy({ url: 'p:1', noProxy: ['*'] }, new Resolver()).bypasses(parseHost('a.b')!, 1),
			true,
		);
	});
});
