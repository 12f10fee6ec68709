import assert from 'node:assert/strict';
import { AddressGuard } from '../../../src/egress/addressGuard.ts';
import { HostFilter } from '../../../src/egress/hostFilter.ts';
import type { EgressAnswer, EgressQuestion } from '../../../src/egress/questions.ts';
import type { EgressRow } from '../../../src/engine/ports/index.ts';
import type { TestEgress } from './support.ts';
import { basic, echoServer, eventually, exchange, openTunnel, startEgress } from './support.ts';

/** A user whose answers the test gives one by one. */
class User {
	readonly questions: (EgressQuestion & { readonly signal: AbortSignal })[] = [];
	readonly #answers: ((answer: EgressAnswer) => void)[] = [];

	readonly ask = (question: EgressQuestion & { readonly signal: AbortSignal }): Promise<EgressAnswer> => {
		this.questions.push(question);
		return new Promise((resolve) => this.#answers.push(resolve));
	};

	async answer(answer: EgressAnswer): Promise<void> {
		await eventually(() => this.#answers.length > 0);
		this.#answers.shift()!(answer);
	}
}

const userinfoOf = (own: TestEgress, itemId: string) => {
	const url = new URL(own.egress.environment({ itemId }).HTTP_PROXY!);
	return `${url.username}:${url.password}`;
};

/** Connects as the command of a tool call. @returns the proxy's status. */
async function statusFor(own: TestEgress, authority: string, itemId: string): Promise<string> {
	const head = `CONNECT ${authority} HTTP/1.1\r\nProxy-Authorization: ${basic(userinfoOf(own, itemId))}\r\n\r\n`;
	const { text, socket } = await exchange(own.httpPort, head, { until: '\r\n\r\n' });
	socket.destroy();
	return text.slice(9, 12);
}

describe('asking on a miss', () => {
	it('asks once for misses of the same host and port that come together, in any spelling', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const spellings = ['new.example', 'NEW.example', 'new.example.', 'new.example'];
		const statuses = Promise.all(spellings.map((host) => statusFor(own, `${host}:${echo.port}`, 'call-1')));
		await user.answer('allowOnce');
		assert.deepEqual(await statuses, ['200', '200', '200', '200']);
		assert.equal(user.questions.length, 1);
		const { signal, ...question } = user.questions[0]!;
		assert.equal(signal.aborted, false);
		assert.deepEqual(question, { host: 'new.example', port: echo.port, protocol: 'connect', itemId: 'call-1' });
	});

	it('asks apart for another port or host', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const statuses = Promise.all(
			[`a.example:${echo.port}`, `b.example:${echo.port}`, 'a.example:1'].map((to) => statusFor(own, to, 'call-1')),
		);
		await eventually(() => user.questions.length === 3);
		await Promise.all([user.answer('deny'), user.answer('deny'), user.answer('deny')]);
		assert.deepEqual(await statuses, ['403', '403', '403']);
	});

	it('holds "once" for the command, and asks again for the next', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const first = statusFor(own, `a.example:${echo.port}`, 'call-1');
		await user.answer('allowOnce');
		assert.equal(await first, '200');
		assert.equal(await statusFor(own, `a.example:${echo.port}`, 'call-1'), '200');
		const second = statusFor(own, `a.example:${echo.port}`, 'call-2');
		await user.answer('deny');
		assert.equal(await second, '403');
		assert.equal(user.questions.length, 2);
	});

	it('remembers a denial for a command that retries, not for the next one', async () => {
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const first = statusFor(own, 'a.example:443', 'call-1');
		await user.answer('deny');
		assert.equal(await first, '403');
		for (let i = 0; i < 20; i++) {
			assert.equal(await statusFor(own, 'a.example:443', 'call-1'), '403');
		}
		assert.equal(user.questions.length, 1);
		const next = statusFor(own, 'a.example:443', 'call-2');
		await user.answer('deny');
		assert.equal(await next, '403');
	});

	it('holds "for this session" for all commands, but never against a deny rule', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const first = statusFor(own, `a.example:${echo.port}`, 'call-1');
		await user.answer('allowForSession');
		assert.equal(await first, '200');
		assert.equal(await statusFor(own, `a.example:${echo.port}`, 'call-2'), '200');
		own.egress.setFilter(new HostFilter({ allow: [], deny: ['a.example'] }));
		assert.equal(await statusFor(own, `a.example:${echo.port}`, 'call-2'), '403');
		assert.equal(user.questions.length, 1);
	});

	it('does not ask about a denied host, and uses new rules at once', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await startEgress({ ask: user.ask, deny: ['evil.example'] });
		assert.equal(await statusFor(own, 'evil.example:443', 'call-1'), '403');
		own.egress.setFilter(new HostFilter({ allow: [`evil.example:${echo.port}`] }));
		assert.equal(await statusFor(own, `evil.example:${echo.port}`, 'call-1'), '200');
		assert.equal(user.questions.length, 0);
	});

	it('remembers nothing when nobody could be asked, or asking failed', async () => {
		const answers: (() => Promise<EgressAnswer>)[] = [
			() => Promise.resolve('unavailable'),
			() => Promise.reject(new Error('the panel is gone')),
			() => Promise.resolve('deny'),
		];
		await using own = await startEgress({ ask: () => answers.shift()!() });
		for (let i = 0; i < 3; i++) {
			assert.equal(await statusFor(own, 'a.example:443', 'call-1'), '403');
		}
		assert.equal(answers.length, 0);
	});

	it('says when a command waits for the user, and when it does not any more', async () => {
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const seen: string[] = [];
		own.egress.onAsking((asking, itemId) => seen.push(`${itemId}:${asking}`));
		const statuses = [
			statusFor(own, 'a.example:443', 'call-1'),
			statusFor(own, 'b.example:443', 'call-1'),
			statusFor(own, 'a.example:443', 'call-2'),
		];
		await eventually(() => user.questions.length === 2 && seen.length === 2);
		await Promise.all([user.answer('deny'), user.answer('deny')]);
		await Promise.all(statuses);
		assert.deepEqual(seen.toSorted(), ['call-1:false', 'call-1:true', 'call-2:false', 'call-2:true']);
	});

	it('takes the question back when the command is gone, and asks anew for the next', async () => {
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		for (const index of [0, 1]) {
			const head = `CONNECT a.example:443 HTTP/1.1\r\nProxy-Authorization: ${basic(own.userinfo)}\r\n\r\n`;
			void exchange(own.httpPort, head, { end: true });
			await eventually(() => user.questions[index]?.signal.aborted === true);
		}
		await own.egress[Symbol.asyncDispose]();
		assert.deepEqual(
			own.rows.map((row) => row.verdict),
			['failed', 'failed'],
		);
	});

	it('does not bury the user under questions', async () => {
		const user = new User();
		await using own = await startEgress({ ask: user.ask });
		const statuses = Array.from({ length: 40 }, (_, i) => statusFor(own, `h${i}.example:443`, 'call-1'));
		let denied = 0;
		own.egress.onDenied(() => denied++);
		await eventually(() => denied === 24);
		assert.equal(user.questions.length, 16);
		await Promise.all(user.questions.map(() => user.answer('deny')));
		assert.deepEqual(new Set(await Promise.all(statuses)), new Set(['403']));
	});

	it('closes the question with the session', async () => {
		const user = new User();
		const own = await startEgress({ ask: user.ask });
		const status = statusFor(own, 'a.example:443', 'call-1');
		await eventually(() => user.questions.length === 1);
		await own[Symbol.asyncDispose]();
		assert.equal(user.questions[0]!.signal.aborted, true);
		assert.equal(await status, '');
	});
});

describe('a name that leads into the local network', () => {
	const withLocal = (options: Parameters<typeof startEgress>[0]) =>
		startEgress({ guard: new AddressGuard(), ...options });

	it('is refused when only a rule allows it, unasked', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await withLocal({ ask: user.ask, allow: [`git.corp.example:${echo.port}`] });
		await assert.rejects(
			openTunnel(own, `git.corp.example:${echo.port}`),
			/403 .*denied.*resolves to 127\.0\.0\.1 \(loopback\).*local:git\.corp\.example/s,
		);
		assert.equal(user.questions.length, 0);
		await own.egress[Symbol.asyncDispose]();
		assert.equal(own.rows[0]?.verdict, 'denied');
	});

	it('is reached when a rule says "local:", or names the address itself', async () => {
		await using echo = await echoServer();
		const { port } = echo;
		await using own = await withLocal({
			allow: [`local:git.corp.example:${port}`, `127.0.0.1:${port}`, `localhost:${port}`],
		});
		for (const host of ['git.corp.example', '127.0.0.1', 'localhost', '0x7f.1', '[::ffff:127.0.0.1]']) {
			(await openTunnel(own, `${host}:${port}`)).destroy();
		}
	});

	it('asks the user who allowed it once more, with the address', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await withLocal({ ask: user.ask });
		const status = statusFor(own, `git.corp.example:${echo.port}`, 'call-1');
		await user.answer('allowForSession');
		await eventually(() => user.questions.length === 2);
		assert.equal(user.questions[1]?.address, '127.0.0.1');
		await user.answer('allowForSession');
		assert.equal(await status, '200');
		assert.equal(await statusFor(own, `git.corp.example:${echo.port}`, 'call-2'), '200');
		assert.equal(user.questions.length, 2);
	});

	it('asks only once for an address that the user can see', async () => {
		await using echo = await echoServer();
		const user = new User();
		await using own = await withLocal({ ask: user.ask });
		const status = statusFor(own, `127.0.0.1:${echo.port}`, 'call-1');
		await user.answer('allowOnce');
		assert.equal(await status, '200');
		assert.equal(user.questions.length, 1);
	});
});

describe('attribution', () => {
	it('knows the tool call by the user name of its environment, else by what runs', async () => {
		await using own = await startEgress();
		const denied: EgressRow[] = [];
		own.egress.onDenied((row) => denied.push(row));
		const plain = (userinfo: string) =>
			exchange(own.httpPort, `CONNECT a.example:443 HTTP/1.1\r\nProxy-Authorization: ${basic(userinfo)}\r\n\r\n`);
		await plain(own.userinfo);
		using first = own.egress.attribute('call-1');
		await plain(own.userinfo);
		const second = own.egress.attribute('call-2');
		await plain(own.userinfo);
		second[Symbol.dispose]();
		await plain(own.userinfo);
		await plain(userinfoOf(own, 'call-9'));
		assert.ok(first);
		assert.deepEqual(
			denied.map((row) => row.itemId),
			[null, 'call-1', 'call-2', 'call-1', 'call-9'],
		);
		assert.equal(denied[0]?.rule, 'not in the allowlist');
	});
});
