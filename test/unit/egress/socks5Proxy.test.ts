import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import type { TestEgress } from './support.ts';
import { echoServer, exchange, startEgress, tcpServer } from './support.ts';

const GREETING = Buffer.from([5, 1, 2]);

function auth(userinfo: string): Buffer {
	const [user = '', password = ''] = userinfo.split(':').map((text) => Buffer.from(text));
	return Buffer.concat([
		Buffer.from([1, user.length]),
		Buffer.from(user),
		Buffer.from([password.length]),
		Buffer.from(password),
	]);
}

function connectTo(host: string | readonly number[], port: number, command = 1): Buffer {
	const name = typeof host === 'string' ? Buffer.from(host) : Buffer.from(host);
	const type = typeof host === 'string' ? [3, name.length] : [host.length === 4 ? 1 : 4];
	return Buffer.concat([Buffer.from([5, command, 0, ...type]), name, Buffer.from([port >> 8, port & 0xff])]);
}

/** All of a handshake at once, as optimistic clients send it. @returns the reply code and what came after it. */
async function request(
	own: TestEgress,
	bytes: Buffer,
	payload = '',
): Promise<{ code: number | undefined; rest: string }> {
	const all = Buffer.concat([GREETING, auth(own.userinfo), bytes, Buffer.from(payload)]);
	const { text } = await exchange(own.socksPort, all, { end: payload !== '' });
	const answer = Buffer.from(text, 'latin1');
	assert.deepEqual([...answer.subarray(0, 4)], [5, 2, 1, 0]);
	return { code: answer[5], rest: answer.subarray(14).toString() };
}

describe('SOCKS5 proxy', () => {
	it('connects by name, keeps early bytes, passes on the end, and writes it down', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({ allow: [`a.example:${echo.port}`], itemId: 'call-1' });
		assert.deepEqual(await request(own, connectTo('A.example.', echo.port), 'early'), { code: 0, rest: 'early' });
		await own.egress[Symbol.asyncDispose]();
		const { at, durationMs, ...row } = own.rows[0]!;
		assert.ok(at > 0 && durationMs >= 0);
		assert.deepEqual(row, {
			sessionId: 'session',
			itemId: 'call-1',
			host: 'a.example',
			port: echo.port,
			protocol: 'socks5',
			verdict: 'allowed',
			rule: `a.example:${echo.port}`,
			bytesUp: 5,
			bytesDown: 5,
		});
	});

	it('takes only the password method: no session without its password', async () => {
		await using own = await startEgress();
		for (const methods of [[0], [1], [0, 1, 3], []]) {
			const { text } = await exchange(own.socksPort, Buffer.from([5, methods.length, ...methods]));
			assert.equal(text, '\x05\xff', methods.join());
		}
	});

	it('refuses a wrong password and another session’s', async () => {
		await using own = await startEgress();
		await using other = await startEgress();
		for (const userinfo of [other.userinfo, 'belay:', ':', `${own.userinfo}x`]) {
			const { text } = await exchange(own.socksPort, Buffer.concat([GREETING, auth(userinfo)]));
			assert.equal(text, '\x05\x02\x01\x01');
		}
	});

	it('closes on what is not SOCKS5', async () => {
		await using own = await startEgress();
		for (const bytes of ['\x04\x01\x00\x50\x7f\x00\x00\x01\x00', 'GET / HTTP/1.1\r\n\r\n']) {
			assert.match((await exchange(own.socksPort, Buffer.from(bytes, 'latin1'))).text, /^(\x05\xff)?$/);
		}
	});

	it('replies by cause', async () => {
		const gone = await echoServer();
		await gone[Symbol.asyncDispose]();
		const lookup = (name: string) =>
			name === 'no.example'
				? Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }))
				: Promise.resolve(['127.0.0.1']);
		await using own = await startEgress({ allow: [`a.example:${gone.port}`, 'no.example'], lookup });
		const cases: readonly (readonly [string, Buffer, number])[] = [
			['not allowed', connectTo('evil.example', 443), 2],
			['an address that is not listed', connectTo([127, 0, 0, 1], 443), 2],
			['an IPv6 address that is not listed', connectTo(Array.from({ length: 16 }, () => 0xfd), 443), 2],
			['an address as a name', connectTo('0x7f.1', 443), 2],
			['refused', connectTo('a.example', gone.port), 5],
			['no such name', connectTo('no.example', 443), 4],
			['BIND', connectTo('a.example', gone.port, 2), 7],
			['UDP', connectTo('a.example', gone.port, 3), 7],
			['an empty name', connectTo('', 443), 1],
			['bytes that are no name', connectTo('a\0b', 443), 1],
			['a delimiter in the name', connectTo('a.example@evil', 443), 1],
			['port 0', connectTo('a.example', 0), 1],
			['an unknown address type', Buffer.from([5, 1, 0, 9, 1, 1]), 8],
			['another version', Buffer.from([4, 1, 0, 1, 1, 1, 1, 1, 0, 80]), 1],
		]; // prettier-ignore
		for (const [name, bytes, code] of cases) {
			assert.equal((await request(own, bytes)).code, code, name);
		}
	});

	it('connects to addresses that are listed', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({ allow: [`127.0.0.1:${echo.port}`] });
		assert.deepEqual(await request(own, connectTo([127, 0, 0, 1], echo.port), 'x'), { code: 0, rest: 'x' });
		const mapped = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1];
		assert.deepEqual(await request(own, connectTo(mapped, echo.port), 'y'), { code: 0, rest: 'y' });
	});

	it('says "host unreachable" when the host does not answer in time', async () => {
		await using own = await startEgress({
			allow: ['slow.example'],
			lookup: () => new Promise(() => undefined),
			limits: { dialMs: 30 },
		});
		const all = Buffer.concat([GREETING, auth(own.userinfo), connectTo('slow.example', 443)]);
		assert.equal(Buffer.from((await exchange(own.socksPort, all)).text, 'latin1')[5], 4);
	});

	it('limits the handshake, and nothing after it', async () => {
		await using slow = await tcpServer((socket) => void setTimeout(() => socket.end('late'), 200));
		await using own = await startEgress({ allow: [`a.example:${slow.port}`], limits: { headMs: 60 } });
		for (const bytes of [Buffer.alloc(0), Buffer.from([5]), Buffer.concat([GREETING, Buffer.from([1, 200])])]) {
			assert.match((await exchange(own.socksPort, bytes)).text, /^(\x05\x02)?$/);
		}
		const all = Buffer.concat([GREETING, auth(own.userinfo), connectTo('a.example', slow.port)]);
		assert.match((await exchange(own.socksPort, all)).text, /late$/);
	});

	it('reads a handshake in any pieces (property)', async () => {
		await using echo = await echoServer();
		await using own = await startEgress({ allow: [`a.example:${echo.port}`] });
		const all = Buffer.concat([
			GREETING,
			auth(own.userinfo),
			connectTo('a.example', echo.port),
			Buffer.from('payload'),
		]);
		await fc.assert(
			fc.asyncProperty(fc.uniqueArray(fc.nat(all.length), { maxLength: 6 }), async (cuts) => {
				const points = [0, ...cuts.toSorted((a, b) => a - b), all.length];
				const socket = connect({ port: own.socksPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
				for (let i = 1; i < points.length; i++) {
					await new Promise<void>((resolve) => socket.write(all.subarray(points[i - 1], points[i]), () => resolve()));
				}
				socket.end();
				let text = '';
				for await (const chunk of socket) {
					text += (chunk as Buffer).toString('latin1');
				}
				assert.ok(text.endsWith('payload'));
			}),
			{ numRuns: 40 },
		);
	});

	it('survives random bytes (property)', async () => {
		await using own = await startEgress();
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.boolean(), async (bytes, greeted) => {
				const start = greeted ? [GREETING, auth(own.userinfo)] : [];
				const { text } = await exchange(own.socksPort, Buffer.concat([...start, bytes]), { end: true });
				assert.ok(text.length <= 14);
			}),
			{ numRuns: 60 },
		);
	});
});
