import type { ServerResponse } from 'node:http';
import type { Refusal } from './gateway.ts';
import { formatAuthority } from './hostName.ts';

/** An answer of the proxy itself. The body is plain text for whoever reads the command's output: the model, or a person. */
export interface ProxyReply {
	readonly status: number;
	/** Also in the reason phrase because many clients (pip, git) show that alone. */
	readonly reason: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** Says who answered: `denied` by a rule or the user, `failed` on the way, `refused` for a malformed request. */
const MARK = 'x-belay-egress';

export function authenticationRequired(): ProxyReply {
	return {
		status: 407,
		reason: 'Proxy Authentication Required',
		headers: { [MARK]: 'refused', 'proxy-authenticate': 'Basic realm="Belay"' },
		body: 'This proxy serves one Belay session alone. Use the proxy URL of the environment as it is, with its password.\n',
	};
}

/** @param problem a sentence. @param status 400 unless another says it better. */
export function malformed(problem: string, status = 400): ProxyReply {
	const reasons = new Map([
		[408, 'Request Timeout'],
		[431, 'Request Header Fields Too Large'],
	]);
	return {
		status,
		reason: reasons.get(status) ?? 'Bad Request',
		headers: { [MARK]: 'refused' },
		body: `Belay's egress proxy could not read this request. ${problem}\n`,
	};
}

export function refused(refusal: Refusal): ProxyReply {
	const { target, rule, remedy } = refusal;
	const authority = formatAuthority(target.host.host, target.port);
	if (refusal.kind === 'denied') {
		const lines = [`Belay blocked the connection to ${authority}.`, `Rule: ${rule}.`];
		return {
			status: 403,
			reason: 'Blocked by Belay',
			headers: { [MARK]: 'denied' },
			body: `${[...lines, ...(remedy === undefined ? [] : [`Remedy: ${remedy}`])].join('\n')}\n`,
		};
	}
	const timeout = refusal.kind === 'timeout';
	return {
		status: timeout ? 504 : 502,
		reason: timeout ? 'Gateway Timeout' : 'Bad Gateway',
		headers: { [MARK]: 'failed' },
		body: `Belay allowed the connection to ${authority}, but it could not be made: ${rule}\n`,
	};
}

function headersOf(reply: ProxyReply): Record<string, string> {
	return {
		...reply.headers,
		'content-type': 'text/plain; charset=utf-8',
		'content-length': String(Buffer.byteLength(reply.body)),
	};
}

/** @returns the reply as bytes for a bare socket, which is closed after it. */
export function toBytes(reply: ProxyReply): string {
	const headers = Object.entries(headersOf(reply)).map(([name, value]) => `${name}: ${value}`);
	return [`HTTP/1.1 ${reply.status} ${reply.reason}`, ...headers, 'connection: close', '', reply.body].join('\r\n');
}

/** Answers a request. Node reads and drops the rest of its body, so that the client gets to read the answer. */
export function send(response: ServerResponse, reply: ProxyReply): void {
	response.writeHead(reply.status, reply.reason, headersOf(reply));
	response.end(reply.body);
}
