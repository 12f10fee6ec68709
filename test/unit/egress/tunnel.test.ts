import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { openTunnel, startEgress, tcpServer } from './support.ts';

async function readAll(socket: Socket): Promise<Buffer> {
	const chunks: Buffer[] = [];
	socket.on('data', (chunk: Buffer) => chunks.push(chunk));
	await once(socket, 'end');
	return Buffer.concat(chunks);
}

async function writeAll(socket: Socket, chunks: readonly Uint8Array[]): Promise<void> {
	for (const chunk of chunks) {
		if (!socket.write(chunk)) {
			await once(socket, 'drain');
		}
	}
	socket.end();
}

describe('tunnel', () => {
	it('carries every byte both ways, in any chunks, whichever side ends first (property)', async () => {
		let remote: ((socket: Socket) => void) | undefined;
		await using server = await tcpServer((socket) => remote?.(socket));
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const chunks = fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(chunks, chunks, fc.constantFrom('both', 'client', 'host'), async (up, down, first) => {
				const accepted = new Promise<Socket>((resolve) => (remote = resolve));
				const client = await openTunnel(own, `a.example:${server.port}`);
				const host = await accepted;
				const [atHost, atClient] = [readAll(host), readAll(client)];
				if (first === 'client') {
					await writeAll(client, up);
					await atHost;
					await writeAll(host, down);
				} else if (first === 'host') {
					await writeAll(host, down);
					await atClient;
					await writeAll(client, up);
				} else {
					await Promise.all([writeAll(client, up), writeAll(host, down)]);
				}
				assert.ok((await atHost).equals(Buffer.concat(up)));
				assert.ok((await atClient).equals(Buffer.concat(down)));
			}),
			{ numRuns: 60 },
		);
		await own.egress[Symbol.asyncDispose]();
		assert.ok(own.rows.every((row) => row.verdict === 'allowed'));
		assert.ok(own.rows.some((row) => row.bytesUp > 0 && row.bytesDown > 0));
	});

	it('holds a fast sender back when the other side does not read', async () => {
		const accepted: Socket[] = [];
		await using server = await tcpServer((socket) => void accepted.push(socket.pause()));
		await using own = await startEgress({ allow: [`a.example:${server.port}`] });
		const blocked = await openTunnel(own, `a.example:${server.port}`);
		const clock = await openTunnel(own, `a.example:${server.port}`);
		accepted[1]!.pipe(accepted[1]!);
		const [piece, count] = [Buffer.alloc(1 << 20, 7), 48];
		for (let i = 0; i < count; i++) {
			blocked.write(piece);
		}
		// Each round trip gives the proxy a chance to take more than it may.
		for (let i = 0; i < 100; i++) {
			clock.write('tick');
			await once(clock, 'data');
		}
		assert.ok(blocked.writableLength > 16 * piece.length, `${blocked.writableLength} bytes are left to send`);
		blocked.end();
		const received = await readAll(accepted[0]!.resume());
		assert.equal(received.length, count * piece.length);
		blocked.destroy();
		clock.destroy();
	});

	it('serves 1,000 tunnels at a time, and turns away what is more', async () => {
		await using server = await tcpServer((socket) => socket.pipe(socket));
		await using own = await startEgress({ allow: [`a.example:${server.port}`], limits: { maxConnections: 1_000 } });
		const clients = await Promise.all(Array.from({ length: 1_000 }, () => openTunnel(own, `a.example:${server.port}`)));
		await assert.rejects(openTunnel(own, `a.example:${server.port}`), { message: '' });
		const echoes = clients.map(async (client, i) => {
			const echoed = readAll(client);
			client.end(`tunnel ${i}`);
			return (await echoed).toString();
		});
		assert.deepEqual(
			await Promise.all(echoes),
			clients.map((_, i) => `tunnel ${i}`),
		);
		(await openTunnel(own, `a.example:${server.port}`)).destroy();
	});
});
