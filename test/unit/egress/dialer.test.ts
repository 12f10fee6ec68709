import assert from 'node:assert/strict';
import { once } from 'node:events';
import { interleave, raceConnect } from '../../../src/egress/raceConnect.ts';
import { Resolver } from '../../../src/egress/resolver.ts';
import { eventually, openTunnel, startEgress, tcpServer } from './support.ts';

const never = new AbortController().signal;

describe('dialling', () => {
	it('dials the address that was checked, however the name resolves a moment later (rebinding)', async () => {
		await using server = await tcpServer((socket) => void socket.once('data', () => socket.end('checked')));
		const answers = [['127.0.0.1'], ['10.0.0.1']];
		let asked = 0;
		await using own = await startEgress({
			allow: [`a.example:${server.port}`],
			lookup: () => Promise.resolve(answers[asked++] ?? []),
		});
		const socket = await openTunnel(own, `a.example:${server.port}`);
		socket.write('?');
		const [chunk] = (await once(socket, 'data')) as [Buffer];
		socket.destroy();
		assert.equal(chunk.toString(), 'checked');
		assert.equal(asked, 1);
		await assert.rejects(openTunnel(own, `a.example:${server.port}`), /403 .*resolves to 10\.0\.0\.1/s);
	});

	it('refuses a name with one address that is not public among others', async () => {
		await using own = await startEgress({
			allow: ['a.example'],
			lookup: () => Promise.resolve(['127.0.0.1', '10.0.0.1']),
		});
		await assert.rejects(openTunnel(own, 'a.example:443'), /403 .*resolves to 10\.0\.0\.1 \(private\)/s);
	});

	it('tries the next address when one fails', async () => {
		await using server = await tcpServer((socket) => socket.end('here'));
		const socket = await raceConnect(['127.0.0.9', '::1', '127.0.0.1'], server.port, never);
		const [chunk] = (await once(socket, 'data')) as [Buffer];
		assert.equal(chunk.toString(), 'here');
		socket.destroy();
	});

	it('tells why the first address failed when none works', async () => {
		const server = await tcpServer(() => undefined);
		await server[Symbol.asyncDispose]();
		await assert.rejects(raceConnect(['127.0.0.3', '127.0.0.1'], server.port, never), {
			failure: 'refused',
			message: /127\.0\.0\.3/,
		});
		await assert.rejects(raceConnect([], 443, never), { failure: 'dns' });
	});

	it('stops when it is told to', async () => {
		await assert.rejects(raceConnect(['127.0.0.1'], 1, AbortSignal.abort(new Error('stop'))), /stop/);
	});

	it('takes turns between the families', () => {
		assert.deepEqual(interleave(['::1', '::2', '1.1.1.1', '::3']), ['::1', '1.1.1.1', '::2', '::3']);
		assert.deepEqual(interleave([]), []);
	});
});

describe('Resolver', () => {
	it('looks a name up once for those who ask together, two names at a time', async () => {
		const started: string[] = [];
		const finish = new Map<string, (addresses: readonly string[]) => void>();
		const resolver = new Resolver((name) => {
			started.push(name);
			return new Promise((resolve) => finish.set(name, resolve));
		});
		const results = ['a', 'b', 'a', 'c', 'd'].map((name) => resolver.resolve(name, never));
		await eventually(() => started.length === 2);
		assert.deepEqual(started, ['a', 'b']);
		finish.get('a')!(['1']);
		await eventually(() => started.length === 3);
		finish.get('b')!(['2']);
		await eventually(() => started.length === 4);
		finish.get('c')!(['3']);
		finish.get('d')!(['4']);
		assert.deepEqual(await Promise.all(results), [['1'], ['2'], ['1'], ['3'], ['4']]);
	});

	it('lets go of a lookup that hangs, and asks anew after one that failed', async () => {
		let fail: (error: Error) => void = () => undefined;
		const resolver = new Resolver(() => new Promise((_, reject) => (fail = reject)));
		const gone = new AbortController();
		const waiting = resolver.resolve('a', gone.signal);
		gone.abort(new Error('gone'));
		await assert.rejects(waiting, /gone/);
		const again = resolver.resolve('a', never);
		fail(new Error('no'));
		await assert.rejects(again, /no/);
	});
});
