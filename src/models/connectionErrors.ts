import { ModelError } from '../engine/ports/index.ts';
import { describePlace, isLocal, type Place } from './place.ts';

interface ConnectionRow {
	readonly codes: RegExp;
	readonly what: string;
	readonly remedy: string;
	readonly retryable: boolean;
}

const NETWORK_REMEDY = 'Check the network connection and the VS Code setting http.proxy, then continue.';

/** By the code that Node, undici or OpenSSL put on the error or on one of its causes. */
const CONNECTION_TABLE: readonly ConnectionRow[] = [
	{
		codes: /^(ENOTFOUND|EAI_)/,
		what: 'its name cannot be found',
		remedy: 'Check the network connection and the base URL.',
		retryable: true,
	},
	{
		codes: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ESOCKETTIMEDOUT)$/,
		what: 'it does not answer',
		remedy: NETWORK_REMEDY,
		retryable: true,
	},
	{
		codes: /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS_/,
		what: 'its certificate is not trusted',
		remedy:
			'If a proxy of your company checks connections, add its certificate to the system (VS Code setting http.systemCertificates).',
		retryable: false,
	},
	{
		codes: /^(EPROTO|ERR_SSL)/,
		what: 'it does not speak TLS',
		remedy: 'Check whether the base URL must start with http:// or https://.',
		retryable: false,
	},
	{
		codes: /^(ERR_INVALID_URL|ERR_UNSUPPORTED)/,
		what: 'the address is not valid',
		remedy: 'Correct the base URL: it looks like https://host/v1.',
		retryable: false,
	},
	{
		codes: /^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EHOSTDOWN|EACCES|EPERM)$/,
		what: 'the network cannot reach it',
		remedy: NETWORK_REMEDY,
		retryable: true,
	},
];

/** A request that got no answer. @param error what `fetch` threw */
export function connectionFailure(error: unknown, place: Place): ModelError {
	const { codes, text } = rootCause(error);
	const where = describePlace(place);
	if (codes.includes('ECONNREFUSED')) {
		const local = isLocal(place.baseUrl);
		return new ModelError('network', `Nothing listens at ${where}: is the server running?`, {
			// A server on this machine does not come back by itself: the user must know at once.
			retryable: !local,
			remedy: local ? `Start ${place.label}, then continue.` : NETWORK_REMEDY,
			cause: error,
		});
	}
	const row = CONNECTION_TABLE.find((each) => codes.some((code) => each.codes.test(code)));
	return new ModelError('network', `${where} cannot be reached: ${row?.what ?? text}.`, {
		retryable: row?.retryable ?? true,
		remedy: row?.remedy ?? NETWORK_REMEDY,
		cause: error,
	});
}

/** A connection that broke while the answer came in. */
export function brokenStream(error: unknown, place: Place): ModelError {
	return new ModelError(
		'stream',
		`The connection to ${describePlace(place)} broke while the answer came in: ${rootCause(error).text}.`,
		{ retryable: true, remedy: NETWORK_REMEDY, cause: error },
	);
}

/** "fetch failed" says nothing: the reason is in the causes, or (where several addresses were tried) in `errors`. */
function rootCause(error: unknown): { codes: string[]; text: string } {
	const codes: string[] = [];
	let text = 'the connection failed';
	const visit = (value: unknown, depth: number): void => {
		if (!(value instanceof Error) || depth > 6) {
			return;
		}
		if ('code' in value && typeof value.code === 'string') {
			codes.push(value.code);
		}
		if (value.message !== '') {
			text = value.message.replace(/\.$/, '');
		}
		if (value instanceof AggregateError) {
			value.errors.forEach((each) => visit(each, depth + 1));
		}
		visit(value.cause, depth + 1);
	};
	visit(error, 0);
	return { codes, text };
}
