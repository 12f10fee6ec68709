import { z } from 'zod';
import { ModelError } from '../engine/ports/index.ts';
import { ERROR_TABLE, type ErrorRow } from './errorTable.ts';
import { describePlace, type Place } from './place.ts';
import { retryAfterMs } from './retryAfter.ts';

export type { Place } from './place.ts';

/** Longer texts of servers are cut: some send whole pages. */
const MAX_TEXT = 500;

/** An answer with an error status. @param body as it came, JSON or not */
export function httpFailure(status: number, body: string, headers: Headers | undefined, place: Place): ModelError {
	const failure = describe(parse(body));
	const row = classify(status, failure.search);
	const said = failure.text === '' ? `status ${status}` : `${failure.text} (status ${status})`;
	return toError(row, `${describePlace(place)} ${verb(row)}: ${said}`, retryAfterMs(headers, body), place);
}

/** An error in the place of a part of a stream. @param error an object like OpenAI's, or a text */
export function streamFailure(error: unknown, place: Place): ModelError {
	const failure = describe(error);
	const row = classify(failure.status, failure.search);
	const message = `${describePlace(place)} ${verb(row)}: ${failure.text || 'it gave no reason'}`;
	return toError(row, message, retryAfterMs(undefined, failure.search), place);
}

/** A web page, or something else that no model server sends. */
export function notAModelServer(place: Place, what: string): ModelError {
	return new ModelError('network', `${describePlace(place)} answered with ${what}, not with a model's answer.`, {
		remedy:
			'Check that the base URL is right (for most servers it ends in /v1), and that no log-in page of the network or proxy stands in between.',
	});
}

/** @returns the error with the key blotted out, where a server repeats it. */
export function withoutSecret(error: ModelError, secret: string | undefined): ModelError {
	if (!secret || secret.length < 8 || !error.message.includes(secret)) {
		return error;
	}
	const { code, retryable, retryAfterMs: wait, remedy } = error;
	return new ModelError(code, error.message.replaceAll(secret, '…'), { retryable, retryAfterMs: wait, remedy });
}

function classify(status: number | undefined, search: string): ErrorRow {
	const fits = (row: ErrorRow) =>
		(row.statuses === undefined || (status !== undefined && row.statuses.includes(status))) &&
		(row.text === undefined || row.text.test(search));
	const found = ERROR_TABLE.find(fits);
	if (found) {
		return found;
	}
	// In mid stream there is no status: that it began shows that the request was well formed.
	return status !== undefined && status < 500
		? { code: 'badRequest', retryable: false }
		: { code: 'server', retryable: true };
}

function verb(row: ErrorRow): string {
	switch (row.code) {
		case 'unauthorized':
			return 'did not accept the API key';
		case 'rateLimited':
			return 'asks to slow down';
		case 'usageLimit':
			return 'says that the usage limit is reached';
		case 'contextOverflow':
			return 'says that the conversation is too long for the model';
		case 'noModel':
			return 'does not have this model';
		case 'server':
			return 'has a problem';
		case 'badRequest':
		case 'network':
		case 'stream':
		case 'storage':
		case 'internal':
			return 'refused the request';
	}
}

function toError(row: ErrorRow, message: string, wait: number | undefined, place: Place): ModelError {
	const remedy = row.remedy
		?.replaceAll('{model}', place.model)
		.replaceAll('{label}', place.label)
		.replaceAll('{url}', place.baseUrl);
	return new ModelError(row.code, message, { retryable: row.retryable, retryAfterMs: wait, remedy });
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}

interface Described {
	/** For the user. */
	readonly text: string;
	/** Everything that may say what kind of error it is. */
	readonly search: string;
	readonly status: number | undefined;
}

/**
 * Finds the text in the shapes that servers use: `{error: {message}}`, `{error: 'text'}`, `{message}`, `{detail}`
 * (FastAPI), a list with one of these (Gemini), a page of HTML, or plain text.
 */
function describe(value: unknown): Described {
	const inner = unwrap(value);
	if (typeof inner !== 'object' || inner === null) {
		const text = typeof inner === 'string' ? plain(inner) : '';
		return { text, search: text, status: undefined };
	}
	const { message, detail, code, type, status } = inner as Record<string, unknown>;
	const isText = (each: unknown): each is string => typeof each === 'string' && each !== '';
	const text = [message, detail, fieldErrors(detail)].find(isText);
	const search = JSON.stringify(inner);
	const number = [code, status].map(Number).find((each) => each >= 400 && each < 600);
	const fallback = [type, code].find(isText);
	return { text: plain(text ?? fallback ?? search), search, status: number };
}

const FieldErrorsSchema = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }));

/** FastAPI's list of the fields that it does not take. */
function fieldErrors(detail: unknown): string | undefined {
	const parsed = FieldErrorsSchema.safeParse(detail);
	return parsed.success ? parsed.data.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') : undefined;
}

function unwrap(value: unknown): unknown {
	const one: unknown = Array.isArray(value) ? value[0] : value;
	if (typeof one === 'object' && one !== null && 'error' in one && one.error) {
		return one.error;
	}
	return one;
}

function plain(text: string): string {
	const isPage = /^\s*<(!doctype|html)/i.test(text);
	const shown = isPage ? (/<title>([^<]*)<\/title>/i.exec(text)?.[1] ?? 'a web page') : text;
	const line = shown.replace(/\s+/g, ' ').trim();
	return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
