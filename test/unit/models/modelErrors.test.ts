import assert from 'node:assert/strict';
import { brokenStream, connectionFailure } from '../../../src/models/connectionErrors.ts';
import { httpFailure, notAModelServer, streamFailure, withoutSecret } from '../../../src/models/modelErrors.ts';
import { retryAfterMs } from '../../../src/models/retryAfter.ts';
import { ERROR_CASES } from './corpus/errors.ts';

const place = { label: 'Some server', baseUrl: 'https://some.example/v1', model: 'some-model' };
const local = { ...place, label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' };

describe('errors of model servers', () => {
	for (const [server, status, body, code, retryable] of ERROR_CASES) {
		it(`${server}, ${status} ${body.slice(0, 70)}`, () => {
			const error = httpFailure(status, body, undefined, place);
			assert.deepEqual([error.code, error.retryable], [code, retryable], error.message);
			assert.match(error.message, /^Some server \(https:\/\/some\.example\/v1\) /);
			assert.doesNotMatch(error.message, /<html|\[object|[{}]/i);
		});
	}

	it('says what can be done, with the names filled in', () => {
		assert.match(httpFailure(401, '', undefined, place).remedy ?? '', /API key of Some server/);
		assert.match(httpFailure(404, 'nothing', undefined, place).remedy ?? '', /https:\/\/some\.example\/v1/);
		const noTools = httpFailure(400, 'this model does not support tools', undefined, place);
		assert.match(noTools.remedy ?? '', /some-model cannot/);
	});

	it('shortens what a server says', () => {
		assert.ok(httpFailure(400, 'x'.repeat(100_000), undefined, place).message.length < 700);
	});

	it('never shows the key that a server repeats, nor a password in the address', () => {
		const key = 'secret-key-12345';
		const error = withoutSecret(httpFailure(401, `Bad key ${key}`, undefined, place), key);
		assert.doesNotMatch(error.message, /secret-key/);
		assert.equal(error.code, 'unauthorized');
		const hidden = notAModelServer({ ...place, baseUrl: 'https://me:pass@some.example/v1' }, 'a web page');
		assert.doesNotMatch(hidden.message, /pass/);
	});

	it('takes an error in mid stream that says nothing for a problem of the server', () => {
		const error = streamFailure({}, place);
		assert.deepEqual([error.code, error.retryable], ['server', true]);
	});
});

describe('connections that fail', () => {
	const failed = (code: string) =>
		new TypeError('fetch failed', { cause: Object.assign(new Error(`x ${code}`), { code }) });

	it('asks whether a local server runs, and does not make the user wait for retries', () => {
		const error = connectionFailure(failed('ECONNREFUSED'), local);
		assert.match(
			error.message,
			/Nothing listens at Ollama \(http:\/\/127\.0\.0\.1:11434\/v1\): is the server running\?/,
		);
		assert.deepEqual([error.code, error.retryable], ['network', false]);
		assert.match(error.remedy ?? '', /Start Ollama/);
		assert.equal(connectionFailure(failed('ECONNREFUSED'), place).retryable, true);
	});

	for (const [code, words, retryable] of [
		['ENOTFOUND', /name cannot be found/, true],
		['EAI_AGAIN', /name cannot be found/, true],
		['UND_ERR_CONNECT_TIMEOUT', /does not answer/, true],
		['ETIMEDOUT', /does not answer/, true],
		['SELF_SIGNED_CERT_IN_CHAIN', /certificate is not trusted/, false],
		['CERT_HAS_EXPIRED', /certificate is not trusted/, false],
		['ENETUNREACH', /network cannot reach it/, true],
		['EPROTO', /does not speak TLS/, false],
		['ECONNRESET', /x ECONNRESET/, true],
	] as const) {
		it(`names the cause of ${code}, never only "fetch failed"`, () => {
			const error = connectionFailure(failed(code), place);
			assert.match(error.message, words);
			assert.doesNotMatch(error.message, /fetch failed/);
			assert.equal(error.retryable, retryable);
			assert.ok(error.remedy);
		});
	}

	it('looks into the attempts at several addresses', () => {
		const several = new TypeError('fetch failed', {
			cause: new AggregateError([Object.assign(new Error('a'), { code: 'ECONNREFUSED' })], ''),
		});
		assert.match(connectionFailure(several, local).message, /Nothing listens/);
	});

	it('tells of a connection that broke in mid stream that it can be tried again', () => {
		const error = brokenStream(new TypeError('terminated', { cause: new Error('other side closed') }), place);
		assert.deepEqual([error.code, error.retryable], ['stream', true]);
		assert.match(error.message, /other side closed/);
	});
});

describe('how long to wait', () => {
	const NOW = Date.parse('2026-11-05T12:00:00Z');
	for (const [name, headers, text, expected] of [
		['seconds', { 'retry-after': '7' }, '', 7000],
		['parts of seconds', { 'retry-after': '0.5' }, '', 500],
		['a date', { 'retry-after': 'Thu, 05 Nov 2026 12:00:30 GMT' }, '', 30_000],
		['a date that has passed', { 'retry-after': 'Thu, 05 Nov 2026 11:00:00 GMT' }, '', 0],
		['milliseconds before seconds', { 'retry-after-ms': '250', 'retry-after': '1' }, '', 250],
		['a duration in the header', { 'retry-after': '1m30s' }, '', 90_000],
		['nonsense', { 'retry-after': 'soon' }, '', undefined],
		['a negative number', { 'retry-after': '-5' }, '', undefined],
		['seconds until a reset', { 'x-ratelimit-reset': '12' }, '', 12_000],
		['a reset in seconds since the epoch', { 'x-ratelimit-reset': String(NOW / 1000 + 9) }, '', 9000],
		['a reset in milliseconds since the epoch', { 'x-ratelimit-reset': String(NOW + 1500) }, '', 1500],
		['a reset that has passed', { 'x-ratelimit-reset': String(NOW - 1500) }, '', 0],
		['OpenAI in words', {}, 'Please try again in 7.66s. Visit', 7660],
		['Groq in words', {}, 'Please try again in 11m31.2s.', 691_200],
		['milliseconds in words', {}, 'Please try again in 120ms.', 120],
		['Gemini in words', {}, 'Please retry in 34.5s.', 34_500],
		['Gemini as data', {}, '"@type":"RetryInfo","retryDelay": "34s"', 34_000],
		['words with units', {}, 'try again in 20 seconds', 20_000],
		['nothing', {}, 'try again in a moment', undefined],
	] as const) {
		it(`reads ${name}`, () => assert.equal(retryAfterMs(new Headers({ ...headers }), text, NOW), expected));
	}
});
