import { connectionFailure } from './connectionErrors.ts';
import { httpFailure, notAModelServer, type Place } from './modelErrors.ts';

const LESS_THAN = 0x3c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
/** An error's body is read up to here. */
const MAX_ERROR_CHARS = 65_536;

type Fetch = typeof fetch;

/**
 * A fetch for the SDK that lets only event streams through: what comes instead of one (an error, a web page, an answer
 * in one piece) would otherwise be lost or end the stream without a word.
 * @param onBytes called for every piece of the answer, also for comments that keep the connection alive
 * @throws {ModelError} what an answer other than a stream means; aborts are thrown on as they are
 */
export function guardFetch(inner: Fetch, place: Place, onBytes: () => void): Fetch {
	return async (input, init) => {
		let response: Response;
		try {
			response = await inner(input, init);
		} catch (error) {
			throw init?.signal?.aborted ? error : connectionFailure(error, place);
		}
		onBytes();
		if (!response.ok) {
			const body = (await response.text()).slice(0, MAX_ERROR_CHARS);
			throw httpFailure(response.status, body, response.headers, place);
		}
		return response.body ? onlyEvents(response, response.body, place, onBytes) : response;
	};
}

/** Judged by the first character: content types are often wrong. */
async function onlyEvents(
	response: Response,
	body: ReadableStream<Uint8Array>,
	place: Place,
	onBytes: () => void,
): Promise<Response> {
	const reader = body.getReader();
	const first = await firstBytes(reader, onBytes);
	const start = first?.find((byte) => byte > 0x20);
	if (start === LESS_THAN) {
		await reader.cancel();
		throw notAModelServer(place, 'a web page');
	}
	const bytes = rest(reader, first, onBytes);
	if (start === BRACE || start === BRACKET) {
		return asEvent(await new Response(bytes).text(), place);
	}
	return new Response(bytes, { status: response.status, headers: response.headers });
}

async function firstBytes(
	reader: ReadableStreamDefaultReader<Uint8Array>,
	onBytes: () => void,
): Promise<Uint8Array | undefined> {
	for (;;) {
		const { done, value } = await reader.read();
		onBytes();
		if (done) {
			return undefined;
		}
		// Blank lines before the first event mean nothing.
		if (value.some((byte) => byte > 0x20)) {
			return value;
		}
	}
}

function rest(
	reader: ReadableStreamDefaultReader<Uint8Array>,
	first: Uint8Array | undefined,
	onBytes: () => void,
): ReadableStream<Uint8Array> {
	return new ReadableStream<Uint8Array>(
		{
			start: (controller) => {
				if (first) {
					controller.enqueue(first);
				} else {
					controller.close();
				}
			},
			pull: async (controller) => {
				const { done, value } = await reader.read();
				onBytes();
				if (done) {
					controller.close();
				} else {
					controller.enqueue(value);
				}
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
}

/** A whole answer, from a server that does not stream, as the one event of a stream. */
function asEvent(body: string, place: Place): Response {
	let event: string;
	try {
		event = JSON.stringify(JSON.parse(body));
	} catch {
		throw notAModelServer(place, 'something that is neither JSON nor an event stream');
	}
	return new Response(`data: ${event}\n\n`, { headers: { 'content-type': 'text/event-stream' } });
}
