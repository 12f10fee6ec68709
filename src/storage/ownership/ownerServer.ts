import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { QuestionSchema, readMessage, toLine, type Answer, type Question } from './messages.ts';
import { SOCKET_DIRECTORY_PREFIX, SOCKET_NAME } from './ownerFiles.ts';

/** Paths of unix sockets have at most 103 bytes on macOS; mkdtemp adds six letters. */
const MAX_SOCKET_PATH = 100;
/** A connection that does not ask anything is closed after so many milliseconds. */
const QUESTION_TIMEOUT_MS = 5000;

/**
 * Decides what a request for the database is answered. `yours` comes when the database is closed, not before. A `wait`
 * that is answered `busy` is answered again, with `idle`, at the next {@link OwnerServer.notifyIdle}.
 */
export type AnswerRequest = (ask: Question['ask']) => Promise<Answer>;

/** Where an owner can be asked for its database. */
export class OwnerServer implements AsyncDisposable {
	readonly path: string;
	readonly #server: Server;
	readonly #token: string;
	readonly #answer: AnswerRequest;
	readonly #connections = new Set<Socket>();
	readonly #waiting = new Set<Socket>();
	readonly #answering = new Set<Socket>();

	private constructor(path: string, token: string, answer: AnswerRequest) {
		this.path = path;
		this.#token = token;
		this.#answer = answer;
		this.#server = createServer((socket) => void this.#serve(socket));
	}

	/** Listens in a directory that only this user can enter. @throws where this system does not let it */
	static async listen(token: string, answer: AnswerRequest): Promise<OwnerServer> {
		const path = await newSocketPath();
		const server = new OwnerServer(path, token, answer);
		await new Promise<void>((resolve, reject) => {
			server.#server.once('error', reject);
			server.#server.listen(path, () => {
				server.#server.off('error', reject);
				// A failing accept must not end the process.
				server.#server.on('error', () => undefined);
				resolve();
			});
		});
		server.#server.unref();
		return server;
	}

	/** Tells those who wait that the owner would hand the database over now. */
	notifyIdle(): void {
		for (const socket of this.#waiting) {
			reply(socket, 'idle');
		}
		this.#waiting.clear();
	}

	/** Takes no more questions. Connections on which an answer is due live until it is sent. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.close();
		for (const socket of this.#connections) {
			if (!this.#answering.has(socket)) {
				socket.destroySoon();
			}
		}
		if (process.platform !== 'win32') {
			await rm(dirname(this.path), { recursive: true, force: true });
		}
	}

	async #serve(socket: Socket): Promise<void> {
		this.#connections.add(socket);
		socket.unref();
		socket.on('error', () => undefined);
		socket.once('close', () => {
			this.#connections.delete(socket);
			this.#waiting.delete(socket);
			this.#answering.delete(socket);
		});
		socket.setTimeout(QUESTION_TIMEOUT_MS, () => socket.destroy());
		const question = QuestionSchema.safeParse(await readMessage(socket));
		if (!question.success || !sameToken(question.data.token, this.#token)) {
			socket.destroy();
			return;
		}
		socket.setTimeout(0);
		this.#answering.add(socket);
		const answer = await this.#answer(question.data.ask).catch((): Answer => 'busy');
		this.#answering.delete(socket);
		if (answer === 'busy' && question.data.ask === 'wait') {
			this.#waiting.add(socket);
		} else {
			reply(socket, answer);
		}
	}
}

function reply(socket: Socket, answer: Answer): void {
	socket.end(toLine({ answer }));
}

function sameToken(given: string, expected: string): boolean {
	const [a, b] = [Buffer.from(given), Buffer.from(expected)];
	return a.length === b.length && timingSafeEqual(a, b);
}

async function newSocketPath(): Promise<string> {
	if (process.platform === 'win32') {
		return `\\\\.\\pipe\\${SOCKET_DIRECTORY_PREFIX}${randomBytes(16).toString('hex')}`;
	}
	const prefix = join(tmpdir(), SOCKET_DIRECTORY_PREFIX);
	const fits = Buffer.byteLength(join(`${prefix}XXXXXX`, SOCKET_NAME)) <= MAX_SOCKET_PATH;
	const directory = await mkdtemp(fits ? prefix : `/tmp/${SOCKET_DIRECTORY_PREFIX}`);
	return join(directory, SOCKET_NAME);
}
