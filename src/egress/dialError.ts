/** Why a connection that was allowed could not be made; SOCKS replies and HTTP statuses follow from it. */
export type DialFailure =
	'notPublic' | 'dns' | 'refused' | 'networkUnreachable' | 'hostUnreachable' | 'timeout' | 'upstream' | 'failed';

export class DialError extends Error {
	readonly failure: DialFailure;

	constructor(failure: DialFailure, message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = 'DialError';
		this.failure = failure;
	}
}

/** The name leads to an address that is not public, and no rule allows that. */
export class NotPublicError extends DialError {
	readonly address: string;

	constructor(host: string, address: string, kind: string) {
		super('notPublic', host === address ? `${address} is ${kind}` : `${host} resolves to ${address} (${kind})`);
		this.name = 'NotPublicError';
		this.address = address;
	}
}

/** @param error what `net.connect` or `dns.lookup` failed with. */
export function toDialError(error: unknown, target: string): DialError {
	if (error instanceof DialError) {
		return error;
	}
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	const message = `${target}: ${error instanceof Error ? error.message : String(error)}`;
	return new DialError(failureOf(code), message, { cause: error });
}

function failureOf(code: string): DialFailure {
	switch (code) {
		case 'ECONNREFUSED':
			return 'refused';
		case 'ENETUNREACH':
		case 'ENETDOWN':
			return 'networkUnreachable';
		case 'EHOSTUNREACH':
		case 'EHOSTDOWN':
			return 'hostUnreachable';
		case 'ETIMEDOUT':
			return 'timeout';
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
		case 'EAI_FAIL':
		case 'ENODATA':
		case 'ESERVFAIL':
			return 'dns';
		default:
			return 'failed';
	}
}
