import type { Host } from './hostName.ts';
import { parseHost } from './hostName.ts';

/** One line of an allow or deny list, understood. */
export interface HostPattern {
	/** As the user wrote it, trimmed. */
	readonly text: string;
	/** `wildcard`: `host` is what follows `*.`. */
	readonly kind: 'exact' | 'wildcard';
	readonly host: string;
	/** Undefined: the usual ports where it allows, all ports where it denies. */
	readonly port: number | undefined;
	/** May lead to an address that is not public: an IP literal, `localhost`, or marked `local:`. */
	readonly local: boolean;
}

export interface InvalidPattern {
	readonly text: string;
	/** In words, for the settings' screen. */
	readonly reason: string;
}

const LOCAL = 'local:';

/**
 * Reads a host pattern: `host`, `*.host`, an IP address, each with `:port` or without. `local:` before it says that the
 * name may resolve to an address inside the user's network.
 */
export function parsePattern(text: string): HostPattern | InvalidPattern {
	const trimmed = text.trim();
	const invalid = (reason: string): InvalidPattern => ({ text: trimmed, reason });
	const marked = trimmed.toLowerCase().startsWith(LOCAL) && !/^local:\d+$/i.test(trimmed);
	const pattern = marked ? trimmed.slice(LOCAL.length).trim() : trimmed;
	if (pattern === '') {
		return invalid('The pattern is empty.');
	}
	if (pattern.includes('://')) {
		return invalid('Give a host name, not a URL.');
	}
	if (pattern.includes('/')) {
		return invalid('Paths and address ranges are not supported: give one host.');
	}
	const wildcard = pattern.startsWith('*.');
	const parts = splitPort(wildcard ? pattern.slice(2) : pattern);
	if (parts.host.includes('*')) {
		return invalid('`*` may stand only for the first label, as in `*.example.com`.');
	}
	const host = parseHost(parts.host);
	if (host === undefined) {
		return invalid(parts.host === '' ? 'A host must follow `*.`.' : `"${parts.host}" is not a host name.`);
	}
	if (wildcard && host.kind !== 'name') {
		return invalid('`*.` cannot stand before an address.');
	}
	const port = parts.port === undefined ? undefined : Number(parts.port);
	if (port !== undefined && !(/^\d{1,5}$/.test(parts.port ?? '') && port >= 1 && port <= 65_535)) {
		return invalid(`"${parts.port ?? ''}" is not a port: give a number from 1 to 65535.`);
	}
	const local = marked || (!wildcard && isLocalByName(host));
	return { text: trimmed, kind: wildcard ? 'wildcard' : 'exact', host: host.host, port, local };
}

/** Hosts that say by themselves where they lead: who lists one means just that address. */
export function isLocalByName(host: Host): boolean {
	return host.kind !== 'name' || host.host === 'localhost';
}

function splitPort(text: string): { readonly host: string; readonly port: string | undefined } {
	const bracketed = /^(\[[^\]]*\])(?::(.*))?$/.exec(text);
	if (bracketed !== null) {
		return { host: bracketed[1] ?? '', port: bracketed[2] };
	}
	const colon = text.indexOf(':');
	// More than one colon without brackets is an IPv6 address, which then has no port.
	return colon === -1 || colon !== text.lastIndexOf(':')
		? { host: text, port: undefined }
		: { host: text.slice(0, colon), port: text.slice(colon + 1) };
}
