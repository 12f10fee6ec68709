import { BlockList, isIPv4 } from 'node:net';
import { ipv4FromGroups, parseHost } from './hostName.ts';

/**
 * IPv4 ranges that are not the public internet: IANA's special-purpose registry (RFC 6890 and updates), multicast,
 * and 168.63.129.16, where Azure's machines find their host.
 */
const NON_PUBLIC_V4: readonly (readonly [string, number, string])[] = [
	['0.0.0.0', 8, 'this network'],
	['10.0.0.0', 8, 'private'],
	['100.64.0.0', 10, 'carrier-grade NAT'],
	['127.0.0.0', 8, 'loopback'],
	['169.254.0.0', 16, 'link-local'],
	['172.16.0.0', 12, 'private'],
	['192.0.0.0', 24, 'reserved'],
	['192.0.2.0', 24, 'documentation'],
	['192.88.99.0', 24, 'reserved'],
	['192.168.0.0', 16, 'private'],
	['198.18.0.0', 15, 'benchmarking'],
	['198.51.100.0', 24, 'documentation'],
	['203.0.113.0', 24, 'documentation'],
	['168.63.129.16', 32, 'cloud platform'],
	['224.0.0.0', 4, 'multicast'],
	['240.0.0.0', 4, 'reserved'],
];

/** IPv6 is public in 2000::/3 alone; these are the exceptions in it. 6to4 and NAT64 are judged by the IPv4 inside. */
const NON_PUBLIC_V6: readonly (readonly [string, number, string])[] = [
	['2001::', 23, 'reserved'],
	['2001:db8::', 32, 'documentation'],
	['3fff::', 20, 'documentation'],
];

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly (readonly [string, number, ...string[]])[]): BlockList {
	const list = new BlockList();
	ranges.forEach(([network, prefix]) => list.addSubnet(network, prefix, family));
	return list;
}

const v4Ranges = NON_PUBLIC_V4.map((range) => ({ name: range[2], list: blockList('ipv4', [range]) }));
const v6Ranges = NON_PUBLIC_V6.map((range) => ({ name: range[2], list: blockList('ipv6', [range]) }));
const globalUnicast = blockList('ipv6', [['2000::', 3]]);
const nat64 = blockList('ipv6', [['64:ff9b::', 96]]);
const sixToFour = blockList('ipv6', [['2002::', 16]]);

/**
 * @param address an IPv4 or IPv6 address.
 * @returns what kind of address it is when it is not on the public internet (`loopback`, `private`, ...), else undefined.
 */
export function nonPublicKind(address: string): string | undefined {
	const host = parseHost(address);
	if (host === undefined || host.kind === 'name') {
		return 'not an address';
	}
	if (host.kind === 'ipv4') {
		return v4Ranges.find((range) => range.list.check(host.host, 'ipv4'))?.name;
	}
	if (nat64.check(host.host, 'ipv6')) {
		return nonPublicKind(embedded(host.host, 6));
	}
	if (sixToFour.check(host.host, 'ipv6')) {
		return nonPublicKind(embedded(host.host, 1));
	}
	if (!globalUnicast.check(host.host, 'ipv6')) {
		return host.host === '::1' ? 'loopback' : 'private';
	}
	return v6Ranges.find((range) => range.list.check(host.host, 'ipv6'))?.name;
}

/** @returns the IPv4 address in two groups of a canonical IPv6 address, from group `index` (0 to 6). */
function embedded(address: string, index: number): string {
	const [head = '', tail] = address.split('::');
	const front = head === '' ? [] : head.split(':');
	const back = tail === undefined || tail === '' ? [] : tail.split(':');
	const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
	const groups = [...front, ...zeros, ...back];
	return ipv4FromGroups(groups[index] ?? '0', groups[index + 1] ?? '0');
}

/** Keeps names that are allowed from leading into the user's own network (DNS rebinding). */
export class AddressGuard {
	readonly #exempt: ReadonlySet<string>;

	/** @param options.exempt addresses that count as public: for a network whose proxy or mirror is known. */
	constructor(options: { readonly exempt?: readonly string[] } = {}) {
		this.#exempt = new Set(options.exempt?.filter((address) => isIPv4(address) || address.includes(':')));
	}

	/** @returns the first address that is not public, with its kind; undefined when all may be dialled. */
	refuse(addresses: readonly string[]): { readonly address: string; readonly kind: string } | undefined {
		for (const address of addresses) {
			const kind = this.#exempt.has(address) ? undefined : nonPublicKind(address);
			if (kind !== undefined) {
				return { address, kind };
			}
		}
		return undefined;
	}
}
