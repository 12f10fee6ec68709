import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { StoreError } from '../../../src/engine/ports/index.ts';
import { openOwnedStore, sharedStorageDirectory, waitUntilFree } from '../../../src/storage/index.ts';
import { takeGuard } from '../../../src/storage/ownership/guard.ts';
import { storagePaths } from '../../../src/storage/ownership/ownerFiles.ts';
import { session } from './events.ts';
import type { Command } from './children/owner.ts';
import { Child, DRIVERS, temporaryDirectories } from './support.ts';

interface Line {
	opened?: number;
	takenOver?: boolean;
	refused?: string;
	message?: string;
	sessions?: number;
	closed?: string;
}
interface Lock {
	pid: number;
	token: string;
	socket: string | null;
}

const readLock = async (directory: string) => JSON.parse(await readFile(join(directory, 'belay.lock'), 'utf8')) as Lock;
const busyElsewhere = (error: unknown) => error instanceof StoreError && error.code === 'busyElsewhere';

describe('Ownership of a database', function () {
	// Starts processes, which takes long on a machine that is busy with other things.
	this.timeout(30_000);
	const directory = temporaryDirectories();
	/** Processes that are used again: what counts is that there are several. */
	const idle: Child[] = [];
	const used: Child[] = [];
	let path: string;

	beforeEach(async () => {
		path = await directory();
	});
	afterEach(async () => {
		for (const child of used.splice(0)) {
			if (child.isOver) {
				continue;
			}
			child.process.kill('SIGCONT');
			child.send({ do: 'close', as: 'clean' });
			await child.line<Line>(({ closed }) => closed === 'clean');
			child.lines = [];
			idle.push(child);
		}
	});
	after(() => Promise.all(idle.map((child) => child.kill())));

	type Options = Omit<Extract<Command, { do: 'open' }>, 'do' | 'directory'>;
	async function start(options: Options): Promise<Child> {
		const child = idle.pop() ?? (await Child.start('owner'));
		used.push(child);
		child.send({ do: 'open', directory: path, ...options });
		return child;
	}
	async function owner(options: Options = {}): Promise<Child> {
		const child = await start(options);
		await child.line<Line>(({ opened }) => opened !== undefined);
		return child;
	}
	const open = (options: { force?: boolean; busy?: boolean; waitMs?: number } = {}) =>
		openOwnedStore({
			directory: path,
			isBusy: () => options.busy ?? false,
			onTakenOver: () => undefined,
			force: options.force ?? false,
			waitMs: options.waitMs ?? 4000,
		});

	it('is taken at once where nobody has it, and leaves no trace when it is given up', async () => {
		const { store, report } = await open();
		assert.deepEqual(report, {});
		const { socket, pid } = await readLock(path);
		assert.ok(socket);
		assert.equal(pid, process.pid);
		assert.equal((await stat(join(path, 'belay.lock'))).mode & 0o777, 0o600);
		assert.equal((await stat(join(path, 'belay.db'))).mode & 0o777, 0o600);
		assert.equal((await stat(dirname(socket))).mode & 0o777, 0o700);
		assert.ok(Buffer.byteLength(socket) < 100);
		await store.close();
		assert.deepEqual((await readdir(path)).toSorted(), ['belay.db', 'belay.guard']);
		assert.equal((await stat(join(path, 'belay.guard'))).size, 0);
		assert.ok(!existsSync(dirname(socket)));
	});

	it('is handed over by an idle owner, after it wrote what it had to', async () => {
		const first = await open();
		await first.store.createSession(session('s'));
		await first.store.close();
		const child = await owner();
		const { store } = await open();
		assert.deepEqual(await child.line<Line>((line) => line.takenOver !== undefined), { takenOver: false });
		assert.equal((await store.getSession('s'))?.title, `written by ${child.process.pid} at the end`);
		child.send({ do: 'use' });
		assert.equal((await child.line<Line>((line) => line.refused !== undefined)).refused, 'closed');
		await store.close();
	});

	it('is refused by a busy owner, which goes on undisturbed', async () => {
		const child = await owner({ busy: true });
		await assert.rejects(open(), (error: StoreError) => {
			assert.ok(busyElsewhere(error));
			assert.match(error.message, new RegExp(`process ${child.process.pid}`));
			assert.match(error.remedy ?? '', /Take over/);
			return true;
		});
		child.send({ do: 'use' });
		assert.deepEqual(await child.line<Line>((line) => line.sessions !== undefined), { sessions: 0 });
	});

	it('is taken over from a busy owner by force', async () => {
		const child = await owner({ busy: true });
		const { store } = await open({ force: true });
		assert.deepEqual(await child.line<Line>((line) => line.takenOver !== undefined), { takenOver: true });
		assert.deepEqual(await store.listSessions(), []);
		await store.close();
	});

	it('goes back and forth between two processes', async () => {
		const child = await owner();
		const { store } = await open();
		const second = await owner();
		await assert.rejects(store.listSessions(), (error: StoreError) => error.code === 'closed');
		const { store: again } = await open();
		assert.deepEqual(await again.listSessions(), []);
		await again.close();
		for (const given of [child, second]) {
			assert.deepEqual(given.lines, [{ opened: given.process.pid }, { takenOver: false }]);
		}
	});

	it('of a killed process is taken without a wait, and its socket is cleaned away', async () => {
		const child = await owner({ busy: true });
		const { socket } = await readLock(path);
		assert.ok(socket);
		await child.kill();
		assert.ok(existsSync(socket));
		const { store, report } = await open();
		assert.deepEqual(report, {});
		assert.ok(!existsSync(dirname(socket)));
		await store.close();
	});

	it('does not go by a process id that another process has now', async () => {
		const child = await owner({ busy: true });
		const lock = await readLock(path);
		await child.kill();
		await writeFile(join(path, 'belay.lock'), JSON.stringify({ ...lock, pid: process.ppid }));
		await (await open()).store.close();
	});

	for (const content of ['', '{"pid":1', '[]', '\0\0\0\0', '{"pid":1,"token":"x"}']) {
		it(`is taken where the lock file says ${JSON.stringify(content)}`, async () => {
			await writeFile(join(path, 'belay.lock'), content);
			const { store } = await open();
			assert.equal((await readLock(path)).pid, process.pid);
			await store.close();
		});
	}

	it('is refused while another process has the database, also where its lock file is gone', async () => {
		const child = await owner({ busy: true });
		await writeFile(join(path, 'belay.lock'), 'lost');
		await assert.rejects(open({ force: true, waitMs: 100 }), busyElsewhere);
		child.send({ do: 'use' });
		assert.deepEqual(await child.line<Line>((line) => line.sessions !== undefined), { sessions: 0 });
	});

	it('is refused, after a bounded time, by an owner that hangs', async () => {
		const child = await owner();
		child.process.kill('SIGSTOP');
		await assert.rejects(open({ force: true, waitMs: 200 }), (error: StoreError) => {
			assert.ok(busyElsewhere(error));
			assert.match(error.message, /does not answer/);
			return true;
		});
	});

	it('is asked for with the token alone', async () => {
		const owned = await open();
		const { socket } = await readLock(path);
		assert.ok(socket);
		for (const line of ['{"token":"wrong","ask":"takeOver"}', 'nonsense', `"${'x'.repeat(10_000)}"`]) {
			const answer = await new Promise<string>((resolve) => {
				let text = '';
				const client = connect(socket, () => client.write(`${line}\n`));
				client.on('data', (chunk) => (text += chunk.toString()));
				client.on('error', () => undefined);
				client.on('close', () => resolve(text));
			});
			assert.equal(answer, '');
		}
		assert.deepEqual(await owned.store.listSessions(), []);
		await owned.store.close();
	});

	it('is had by one of five busy processes that start at once', async () => {
		const five = await Promise.all(
			DRIVERS.flatMap((driver) => [driver, driver, driver])
				.slice(0, 5)
				.map((driver) => start({ busy: true, driver })),
		);
		const lines = await Promise.all(five.map((child) => child.line<Line>()));
		assert.equal(lines.filter(({ opened }) => opened !== undefined).length, 1);
		assert.equal(lines.filter(({ refused }) => refused === 'busyElsewhere').length, 4);
	});

	it('ends up with one of five idle processes that start at once', async () => {
		const five = await Promise.all(Array.from({ length: 5 }, () => start({})));
		await Promise.all(five.map((child) => child.line<Line>(({ opened }) => opened !== undefined)));
		five.forEach((child) => child.send({ do: 'use' }));
		const outcomes = await Promise.all(
			five.map((child) => child.line<Line>(({ sessions, refused }) => (sessions ?? refused) !== undefined)),
		);
		assert.equal(outcomes.filter(({ sessions }) => sessions === 0).length, 1);
		assert.equal(outcomes.filter(({ refused }) => refused === 'closed').length, 4);
	});

	it('of a damaged database is had by one of five, which recovers it once', async () => {
		await writeFile(join(path, 'belay.db'), Buffer.alloc(40_000, 7));
		const five = await Promise.all(Array.from({ length: 5 }, () => start({ busy: true })));
		const lines = await Promise.all(five.map((child) => child.line<Line>()));
		assert.equal(lines.filter(({ opened }) => opened !== undefined).length, 1);
		assert.equal(lines.filter(({ refused }) => refused === 'busyElsewhere').length, 4);
		const names = await readdir(path);
		assert.equal(names.filter((name) => name.includes('damaged')).length, 1);
	});

	it('is guarded by the kernel, whatever happens to the lock file', async () => {
		const guard = storagePaths(path).guard;
		const child = await owner({ busy: true });
		assert.equal(await takeGuard(guard, {}), undefined);
		await child.kill();
		const taken = await takeGuard(guard, {});
		assert.ok(taken);
		await taken[Symbol.asyncDispose]();
	});

	it('can be waited for until the owner is idle', async () => {
		const child = await owner({ busy: true });
		await assert.rejects(open(), busyElsewhere);
		const free = waitUntilFree({ directory: path, signal: AbortSignal.timeout(20_000) });
		child.send({ do: 'becomeIdle' });
		await free;
		await (await open()).store.close();
	});

	it('can be waited for until the owner is killed or closes', async () => {
		for (const end of ['kill', 'close']) {
			const child = await owner({ busy: true });
			const free = waitUntilFree({ directory: path, signal: AbortSignal.timeout(20_000) });
			if (end === 'kill') {
				await child.kill();
			} else {
				child.send({ do: 'close' });
			}
			await free;
			await (await open()).store.close();
		}
		await waitUntilFree({ directory: path, signal: AbortSignal.timeout(20_000) });
	});

	it('is not waited for any longer than the signal allows', async () => {
		await owner({ busy: true });
		const reason = new Error('closed the panel');
		const controller = new AbortController();
		const waiting = waitUntilFree({ directory: path, signal: controller.signal });
		controller.abort(reason);
		await assert.rejects(waiting, reason);
	});

	it('is given up also when the hook fails', async () => {
		const errors: unknown[] = [];
		await openOwnedStore({
			directory: path,
			isBusy: () => true,
			onTakenOver: () => {
				throw new Error('hook');
			},
			logger: { info: () => undefined, warn: () => undefined, error: (_, error) => errors.push(error) },
		});
		const { store } = await open({ force: true });
		assert.equal(errors.length, 1);
		await store.close();
	});

	it('is given back when the database cannot be opened', async () => {
		await mkdir(join(path, 'belay.db'));
		await assert.rejects(open(), (error: StoreError) => error.code === 'io' && error.remedy !== undefined);
		assert.deepEqual((await readdir(path)).toSorted(), ['belay.db', 'belay.guard']);
	});

	it('works without a socket where the system does not let it listen', async () => {
		const before = process.env.TMPDIR;
		process.env.TMPDIR = join(path, 'missing');
		const { store } = await open();
		process.env.TMPDIR = before ?? '/tmp';
		assert.equal((await readLock(path)).socket, null);
		const child = await start({ force: true, waitMs: 100 });
		assert.equal((await child.line<Line>()).refused, 'busyElsewhere');
		await store.close();
	});

	it('asks nobody but a socket that answers as an owner does', async () => {
		const socket = join(path, 'other');
		const server = createServer((client) => client.end('HTTP/1.1 400\r\n\r\n'));
		await new Promise<void>((resolve) => server.listen(socket, resolve));
		await writeFile(
			join(path, 'belay.lock'),
			JSON.stringify({ pid: process.pid, startedAt: 0, token: 'x'.repeat(48), socket }),
		);
		await (await open()).store.close();
		assert.ok(existsSync(socket));
		server.close();
	});
});

describe('sharedStorageDirectory', () => {
	const id = '0123456789abcdef0123456789abcdef';
	const cases: readonly [from: string, first: boolean, to: string][] = [
		[`/ws/${id}-1/belay.belay`, true, `/ws/${id}/belay.belay`],
		[`/ws/${id}-12/belay.belay`, true, `/ws/${id}/belay.belay`],
		[`/ws/${id}-1`, true, `/ws/${id}`],
		[`/ws/${id}-1/belay.belay`, false, `/ws/${id}-1/belay.belay`],
		[`/ws/${id}/belay.belay`, true, `/ws/${id}/belay.belay`],
		['/home/me/project-1/belay.belay', true, '/home/me/project-1/belay.belay'],
		[`/ws/${id.toUpperCase()}-1/x`, true, `/ws/${id.toUpperCase()}-1/x`],
	];
	for (const [from, first, to] of cases) {
		it(`maps ${from} to ${to} where the first window's folder ${first ? 'exists' : 'does not exist'}`, () => {
			assert.equal(
				sharedStorageDirectory(from, (path) => first && path === `/ws/${id}`),
				to,
			);
		});
	}
});
