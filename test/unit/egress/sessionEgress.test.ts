import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname } from 'node:path';
import { EgressAudit } from '../../../src/egress/egressAudit.ts';
import { SessionEgress } from '../../../src/egress/sessionEgress.ts';
import type { Clock, EgressRow } from '../../../src/engine/ports/index.ts';
import { silentLogger } from '../../../src/engine/ports/index.ts';
import { basic, echoServer, exchange, mirrorServer, openTunnel, startEgress } from './support.ts';

describe('SessionEgress', () => {
	it('says that it filters, and gives every tool its variables in both cases', async () => {
		await using own = await startEgress();
		assert.deepEqual(own.egress.protection(), { egress: 'filtered' });
		const env = own.egress.environment();
		const http = `http://${own.userinfo}@127.0.0.1:${own.httpPort}`;
		const socks = `socks5h://${own.userinfo}@127.0.0.1:${own.socksPort}`;
		for (const name of [
			'HTTP_PROXY',
			'https_proxy',
			'npm_config_proxy',
			'npm_config_https_proxy',
			'PIP_PROXY',
			'CARGO_HTTP_PROXY',
			'DOCKER_HTTP_PROXY',
		]) {
			assert.equal(env[name], http, name);
		}
		assert.equal(env.ALL_PROXY, socks);
		assert.equal(env.all_proxy, socks);
		assert.equal(env.NODE_USE_ENV_PROXY, '1');
		for (const name of ['NO_PROXY', 'no_proxy', 'npm_config_noproxy']) {
			assert.deepEqual(env[name]?.split(',').slice(0, 3), ['localhost', '127.0.0.1', '::1'], name);
		}
		const inside = own.egress.environment({ port: 3128 });
		assert.match(inside.HTTP_PROXY!, /@127\.0\.0\.1:3128$/);
		assert.match(inside.ALL_PROXY!, /^socks5h:.*@127\.0\.0\.1:3128$/);
		assert.doesNotMatch(Object.values(inside).join(), new RegExp(`:${own.httpPort}\\b`));
	});

	it('listens on loopback alone', async () => {
		await using own = await startEgress();
		const outside = Object.values(networkInterfaces())
			.flat()
			.filter((address) => address?.internal === false && address.family === 'IPv4');
		for (const address of outside) {
			const socket = connect(own.httpPort, address!.address);
			await assert.rejects(once(socket, 'connect'), { code: 'ECONNREFUSED' });
		}
	});

	it('gives each session its own ports and password', async () => {
		await using one = await startEgress();
		await using other = await startEgress();
		assert.notEqual(one.httpPort, other.httpPort);
		assert.notEqual(one.userinfo, other.userinfo);
	});

	it('lives without a proxy that cannot start, says why, and starts when it can', async () => {
		// An address of the documentation range (RFC 5737) is never this machine's: binding fails as with no free port.
		const options = { sessionId: 's', record: () => undefined, listenHost: '192.0.2.1' };
		await using egress = new SessionEgress(options);
		assert.equal(egress.protection().egress, 'unfiltered');
		const protection = await egress.start();
		assert.equal(protection.egress, 'unfiltered');
		assert.match(protection.reason ?? '', /could not be started: .*EADDRNOTAVAIL/);
		assert.deepEqual(egress.environment(), {});
		assert.equal(egress.socketPath, undefined);
		options.listenHost = '127.0.0.1';
		assert.deepEqual(await egress.start(), { egress: 'filtered' });
	});

	it('starts once however often it is asked', async () => {
		await using egress = new SessionEgress({ sessionId: 's', record: () => undefined });
		await Promise.all([egress.start(), egress.start()]);
		const { ports } = egress;
		await egress.start();
		assert.deepEqual(egress.ports, ports);
	});

	it('can be disposed while it starts', async () => {
		const egress = new SessionEgress({ sessionId: 's', record: () => undefined });
		const started = egress.start();
		await egress[Symbol.asyncDispose]();
		await started;
		assert.equal(egress.ports, undefined);
	});

	it('takes everything down with it: ports, tunnels, socket, and writes their rows', async () => {
		await using echo = await echoServer();
		const own = await startEgress({ allow: [`a.example:${echo.port}`] });
		const path = own.egress.socketPath!;
		const tunnel = await openTunnel(own, `a.example:${echo.port}`);
		tunnel.write('12345');
		await once(tunnel, 'data');
		const closed = once(tunnel.resume(), 'end');
		await own[Symbol.asyncDispose]();
		await closed;
		tunnel.destroy();
		assert.deepEqual(
			own.rows.map(({ verdict, bytesUp, bytesDown }) => [verdict, bytesUp, bytesDown]),
			[['allowed', 5, 5]],
		);
		assert.equal(existsSync(dirname(path)), false);
		await assert.rejects(once(connect(own.httpPort, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
		await assert.rejects(once(connect(own.socksPort, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
		assert.equal(own.egress.protection().egress, 'unfiltered');
	});
});

describe('unix socket', () => {
	it('serves both protocols to this user alone, with the password as anywhere', async () => {
		await using mirror = await mirrorServer();
		await using own = await startEgress({ allow: [`a.example:${mirror.port}`] });
		const path = own.egress.socketPath!;
		assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
		const auth = `Host: x\r\nConnection: close\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
		const url = `http://a.example:${mirror.port}/`;
		assert.match((await exchange(0, `GET ${url} HTTP/1.1\r\n${auth}`, { path })).text, /^HTTP\/1\.1 200 /);
		const post = `POST ${url} HTTP/1.1\r\nContent-Length: 100000\r\n${auth}${'x'.repeat(100_000)}`;
		assert.match((await exchange(0, post, { path })).text, /x{100000}/);
		assert.match(
			(await exchange(0, `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, { path })).text,
			/^HTTP\/1\.1 407 /,
		);
		const connectHead = `CONNECT a.example:${mirror.port} HTTP/1.1\r\n${auth}GET /early HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
		assert.match((await exchange(0, connectHead, { path })).text, /200 Connection Established[^]*\/early/);
		assert.equal((await exchange(0, Buffer.from([5, 1, 0]), { path })).text, '\x05\xff');
	});

	it('closes what says nothing', async () => {
		await using own = await startEgress({ limits: { headMs: 40 } });
		assert.equal((await exchange(0, '', { path: own.egress.socketPath! })).text, '');
	});
});

describe('EgressAudit', () => {
	const row = (host: string): EgressRow => ({
		...{ at: 1, sessionId: 's', itemId: null, host, port: 443, protocol: 'connect', verdict: 'allowed' },
		...{ rule: 'r', bytesUp: 0, bytesDown: 0, durationMs: 0 },
	});

	/** A clock that the test moves. */
	function handClock(): Clock & { tick: () => void; readonly waits: number[] } {
		let due: (() => void)[] = [];
		const waits: number[] = [];
		return {
			waits,
			now: () => 0,
			after: (ms, callback) => {
				waits.push(ms);
				due.push(callback);
				return { [Symbol.dispose]: () => void (due = due.filter((other) => other !== callback)) };
			},
			tick: () => due.splice(0).forEach((callback) => callback()),
		};
	}

	it('writes rows together, and the rest at the end', async () => {
		const batches: string[][] = [];
		const clock = handClock();
		const audit = new EgressAudit((rows) => void batches.push(rows.map(({ host }) => host)), clock, silentLogger);
		audit.add(row('a'));
		audit.add(row('b'));
		assert.deepEqual(clock.waits, [250]);
		clock.tick();
		await audit.flush();
		audit.add(row('c'));
		await audit[Symbol.asyncDispose]();
		assert.deepEqual(batches, [['a', 'b'], ['c']]);
	});

	it('keeps rows that could not be written for the next time, in order', async () => {
		const batches: string[][] = [];
		let fails = true;
		const record = (rows: readonly EgressRow[]) => {
			if (fails) {
				throw new Error('disk full');
			}
			batches.push(rows.map(({ host }) => host));
		};
		const audit = new EgressAudit(record, handClock(), silentLogger);
		audit.add(row('a'));
		await audit.flush();
		audit.add(row('b'));
		fails = false;
		await audit[Symbol.asyncDispose]();
		assert.deepEqual(batches, [['a', 'b']]);
	});
});
