import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { errorStatus, toAnswer, type Answer, type AnswerLike } from './answers.ts';
import { steps } from './wire.ts';

export interface WireMessage {
	readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
	readonly content: string | null;
	readonly reasoning_content?: string;
	readonly tool_call_id?: string;
	readonly tool_calls?: readonly {
		readonly id: string;
		readonly type: 'function';
		readonly function: { readonly name: string; readonly arguments: string };
	}[];
}

/** The parsed body of a chat completions request. Fields that tests do not use are there too, untyped. */
export interface WireRequest {
	readonly model: string;
	readonly messages: readonly WireMessage[];
	readonly stream?: boolean;
	readonly stream_options?: { readonly include_usage?: boolean };
	readonly tools?: readonly {
		readonly type: 'function';
		readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
	}[];
	readonly [field: string]: unknown;
}

export interface RecordedRequest {
	readonly body: WireRequest;
	readonly headers: IncomingHttpHeaders;
	/** Resolves when the client closes the connection before the answer has ended. */
	readonly aborted: Promise<void>;
}

export type Handler = (request: RecordedRequest) => AnswerLike | Promise<AnswerLike>;

/**
 * A real HTTP server that answers `/v1/chat/completions` as it is told, byte for byte like real servers, and
 * `/v1/models`. Each request takes the next answer of the queue, or else what the handler gives, or else is
 * refused with status 400 and a text that says so.
 *
 * ```ts
 * await using model = await ScriptedModel.start();
 * const middle = gate();
 * model.reply([text('Let me look. '), middle, toolCall('Read', { file_path: 'a.ts' })], 'Done.');
 * // ... start a turn against model.url ...
 * await middle.reached; // 'Let me look. ' is on its way
 * middle.open();
 * ```
 */
export class ScriptedModel implements AsyncDisposable {
	/** Base URL: `http://127.0.0.1:<port>/v1`. */
	readonly url: string;
	/** What was asked so far, in order. */
	readonly requests: RecordedRequest[] = [];
	readonly #server: Server;
	readonly #queue: Answer[] = [];
	#handler: Handler | undefined;
	#models: readonly unknown[] = [{ id: 'scripted', object: 'model', created: 1_790_000_000, owned_by: 'belay' }];
	#waiting: { readonly count: number; readonly resolve: (request: RecordedRequest) => void }[] = [];

	private constructor(server: Server) {
		this.#server = server;
		this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
		server.on('request', (request, response) => {
			this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
		});
	}

	/** @param options `port`: 0, the default, takes a free one */
	static async start(options: { readonly port?: number; readonly handler?: Handler } = {}): Promise<ScriptedModel> {
		const server = createServer();
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(options.port ?? 0, '127.0.0.1', resolve);
		});
		const model = new ScriptedModel(server);
		if (options.handler) {
			model.handle(options.handler);
		}
		return model;
	}

	/** Adds answers to the queue. */
	reply(...answers: readonly AnswerLike[]): this {
		this.#queue.push(...answers.map(toAnswer));
		return this;
	}

	/** Answers what the queue does not. */
	handle(handler: Handler): this {
		this.#handler = handler;
		return this;
	}

	/** Sets what `/v1/models` lists: ids, or entries as they shall go over the wire. */
	setModels(models: readonly (string | object)[]): this {
		this.#models = models.map((entry) => (typeof entry === 'string' ? { id: entry, object: 'model' } : entry));
		return this;
	}

	/** Answers that no request has taken yet. */
	get queued(): number {
		return this.#queue.length;
	}

	/** @returns the newest request. @throws where there was none */
	get lastRequest(): RecordedRequest {
		const last = this.requests.at(-1);
		if (!last) {
			throw new Error('ScriptedModel: there was no request yet');
		}
		return last;
	}

	/** Waits for the `count`th request since the start, counted from 1. */
	waitForRequest(count: number): Promise<RecordedRequest> {
		const there = this.requests[count - 1];
		return there
			? Promise.resolve(there)
			: new Promise((resolve) => {
					this.#waiting.push({ count, resolve });
				});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const closed = new Promise((resolve) => this.#server.close(resolve));
		this.#server.closeAllConnections();
		await closed;
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = new URL(request.url ?? '/', this.url).pathname;
		if (request.method === 'GET' && path === '/v1/models') {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ object: 'list', data: this.#models }));
		} else if (request.method === 'POST' && path === '/v1/chat/completions') {
			const recorded = this.#record(JSON.parse(await readText(request)) as WireRequest, request, response);
			await this.#answer(recorded, this.requests.length, response);
		} else {
			response.writeHead(404, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: `Unknown path ${path}` } }));
		}
	}

	#record(body: WireRequest, request: IncomingMessage, response: ServerResponse): RecordedRequest {
		const aborted = new Promise<void>((resolve) => {
			response.once('close', () => {
				if (!response.writableFinished) {
					resolve();
				}
			});
		});
		const recorded = { body, headers: request.headers, aborted };
		const count = this.requests.push(recorded);
		for (const waiter of this.#waiting.filter((each) => each.count === count)) {
			waiter.resolve(recorded);
		}
		this.#waiting = this.#waiting.filter((each) => each.count > count);
		return recorded;
	}

	async #answer(request: RecordedRequest, number: number, response: ServerResponse): Promise<void> {
		const answer = this.#queue.shift() ?? (await this.#fromHandler(request, number));
		if (answer.kind === 'plain') {
			response.writeHead(answer.status, answer.headers);
			response.end(answer.body);
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
		const wantsUsage = request.body.stream_options?.include_usage === true;
		for (const step of steps(answer, number, request.body.model, wantsUsage)) {
			if (typeof step === 'string' || step instanceof Uint8Array) {
				await write(response, step);
			} else if (step.type === 'gate') {
				step.arrive();
				await Promise.race([step.opened, request.aborted]);
			} else {
				response.destroy();
			}
			if (response.destroyed) {
				return;
			}
		}
		response.end();
	}

	async #fromHandler(request: RecordedRequest, number: number): Promise<Answer> {
		const answer = await this.#handler?.(request);
		return answer === undefined
			? errorStatus(400, `ScriptedModel: no answer is queued for request ${number}`)
			: toAnswer(answer);
	}
}

/** Resolves when the bytes were handed to the system, or the connection is gone. */
function write(response: ServerResponse, bytes: string | Uint8Array): Promise<void> {
	return new Promise((resolve) => {
		response.write(bytes, () => resolve());
	});
}
