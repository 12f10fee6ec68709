import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';

/** A host in the one spelling that rules are compared in. `host` is an address without brackets or a lower-case ASCII name. */
export interface Host {
	readonly kind: 'name' | 'ipv4' | 'ipv6';
	readonly host: string;
}

export interface Authority {
	readonly host: Host;
	readonly port: number;
}

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_-]{1,63}$/;
/** Characters that some parser takes for a delimiter, an escape or nothing at all: never part of a host. */
const FORBIDDEN = /[\u0000-\u0020\u007f%/\\?#@<>^|"`{}*,;]/;

/**
 * Brings a host into its one spelling: case, one trailing dot, IDN to punycode, IPv4 in every form that `inet_aton`
 * knows (`0x7f.1`, `2130706433`, `0177.0.0.1`), IPv6 with or without brackets.
 * @returns undefined where it is no host: refused, so that no later parser can read it in another way.
 */
export function parseHost(text: string): Host | undefined {
	if (FORBIDDEN.test(text)) {
		return undefined;
	}
	const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
	if (isIPv6(bare)) {
		return canonicalIPv6(bare);
	}
	if (bare !== text || text.includes(':')) {
		return undefined;
	}
	const ascii = domainToASCII(text).replace(/\.$/, '');
	if (isIPv4(ascii)) {
		return { kind: 'ipv4', host: ascii };
	}
	const valid = ascii.length <= MAX_NAME && ascii.split('.').every((label) => LABEL.test(label));
	// Once more, because what a mapped character becomes must not change again in another reader.
	return valid && domainToASCII(ascii) === ascii ? { kind: 'name', host: ascii } : undefined;
}

/** An IPv4-mapped address is the IPv4 address: the system connects to the same machine. */
function canonicalIPv6(text: string): Host | undefined {
	const parsed = URL.parse(`http://[${text}]`);
	if (parsed === null) {
		return undefined;
	}
	const host = parsed.hostname.slice(1, -1);
	const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
	if (mapped === null) {
		return { kind: 'ipv6', host };
	}
	return { kind: 'ipv4', host: ipv4FromGroups(mapped[1] ?? '0', mapped[2] ?? '0') };
}

/** @param high @param low the two last groups of an IPv6 address, in hexadecimal. */
export function ipv4FromGroups(high: string, low: string): string {
	const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
	return bits.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** Reads `host:port`, `[v6]:port` or `host`. @returns undefined for everything else, and for ports outside 1 to 65535. */
export function parseAuthority(text: string, defaultPort?: number): Authority | undefined {
	const match = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text);
	if (match === null) {
		return undefined;
	}
	const host = parseHost(match[1] ?? '');
	const port = match[2] === undefined ? defaultPort : Number(match[2]);
	return host !== undefined && port !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

/** @returns `host:port`, an IPv6 address in brackets. */
export function formatAuthority(host: string, port: number): string {
	return `${formatHost(host)}:${port}`;
}

/** @returns the host as it stands in a URL: an IPv6 address in brackets. */
export function formatHost(host: string): string {
	return host.includes(':') ? `[${host}]` : host;
}
