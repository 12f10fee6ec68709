import type { Host } from './hostName.ts';
import { parseHost } from './hostName.ts';
import type { HostPattern, InvalidPattern } from './hostPattern.ts';
import { parsePattern } from './hostPattern.ts';

/** Hosts that building software needs. DESIGN.md, "Egress and sandbox". */
export const DEFAULT_ALLOWLIST: readonly string[] = [
	'github.com',
	'*.githubusercontent.com',
	'api.github.com',
	'codeload.github.com',
	'*.npmjs.org',
	'registry.npmjs.org',
	'*.pypi.org',
	'pypi.org',
	'files.pythonhosted.org',
	'crates.io',
	'static.crates.io',
	'index.crates.io',
	'*.docker.io',
	'registry-1.docker.io',
	'auth.docker.io',
];

/** Ports of a rule that names none: web, and git over ssh. */
const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443, 22]);

export type HostVerdict =
	/** `local`: the rule lets the name lead to an address that is not public. */
	| { readonly verdict: 'allow'; readonly rule: string; readonly local: boolean }
	| { readonly verdict: 'deny'; readonly rule: string }
	/** No rule speaks of it: ask. `rule` says in words what is missing. */
	| { readonly verdict: 'miss'; readonly rule: string };

/** Patterns by the host they name, so that a check costs two look-ups however long the lists are. */
class PatternSet {
	readonly #exact = new Map<string, HostPattern[]>();
	readonly #wildcard = new Map<string, HostPattern[]>();

	constructor(patterns: readonly HostPattern[]) {
		for (const pattern of patterns) {
			const map = pattern.kind === 'exact' ? this.#exact : this.#wildcard;
			map.set(pattern.host, [...(map.get(pattern.host) ?? []), pattern]);
		}
	}

	/** @returns all patterns of the host, whatever their ports; exact ones first. */
	find(host: Host): readonly HostPattern[] {
		const exact = this.#exact.get(host.host) ?? [];
		const dot = host.host.indexOf('.');
		return host.kind !== 'name' || dot === -1
			? exact
			: [...exact, ...(this.#wildcard.get(host.host.slice(dot + 1)) ?? [])];
	}
}

/** Which hosts a session's commands may reach. Immutable: other rules are another filter. */
export class HostFilter {
	readonly #allow: PatternSet;
	readonly #deny: PatternSet;
	/** Lines that could not be understood: they allow and deny nothing, and the user should be told. */
	readonly invalid: readonly InvalidPattern[];

	/** @param rules lists of patterns, see {@link parsePattern}. An empty `allow` denies all. */
	constructor(rules: { readonly allow: readonly string[]; readonly deny?: readonly string[] }) {
		const invalid: InvalidPattern[] = [];
		const parse = (lines: readonly string[]) =>
			lines.map(parsePattern).filter((pattern): pattern is HostPattern => {
				const ok = !('reason' in pattern);
				if (!ok) {
					invalid.push(pattern);
				}
				return ok;
			});
		this.#allow = new PatternSet(parse(rules.allow));
		this.#deny = new PatternSet(parse(rules.deny ?? []));
		this.invalid = invalid;
	}

	/** @param host a name or address in any spelling, without a port. */
	check(host: Host | string, port: number): HostVerdict {
		const parsed = typeof host === 'string' ? parseHost(host) : host;
		if (parsed === undefined) {
			return { verdict: 'deny', rule: 'not a valid host name' };
		}
		const denying = this.#deny.find(parsed).find((pattern) => pattern.port === undefined || pattern.port === port);
		if (denying !== undefined) {
			return { verdict: 'deny', rule: `deny rule ${denying.text}` };
		}
		const candidates = this.#allow.find(parsed);
		const matching = candidates.filter((pattern) =>
			pattern.port === undefined ? USUAL_PORTS.has(port) : pattern.port === port,
		);
		const allowing = matching.find((pattern) => pattern.local) ?? matching[0];
		if (allowing !== undefined) {
			return { verdict: 'allow', rule: allowing.text, local: allowing.local };
		}
		return {
			verdict: 'miss',
			rule: candidates.length > 0 ? `port ${port} is not allowed for ${parsed.host}` : 'not in the allowlist',
		};
	}
}

let defaultFilter: HostFilter | undefined;

/** @returns the filter of {@link DEFAULT_ALLOWLIST}: parsed once in a process, shared by all sessions. */
export function defaultHostFilter(): HostFilter {
	return (defaultFilter ??= new HostFilter({ allow: DEFAULT_ALLOWLIST }));
}
