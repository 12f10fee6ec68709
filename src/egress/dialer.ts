import type { Socket } from 'node:net';
import type { AddressGuard } from './addressGuard.ts';
import { DialError, NotPublicError, toDialError } from './dialError.ts';
import type { Authority } from './hostName.ts';
import { formatAuthority } from './hostName.ts';
import { interleave, raceConnect } from './raceConnect.ts';
import type { Resolver } from './resolver.ts';
import type { UpstreamProxy } from './upstreamProxy.ts';

export interface DialOptions {
	/** The addresses that may be dialled although they are not public: all, or just the one that the user was shown. */
	readonly local: boolean | { readonly address: string };
	/** `forward`: a plain HTTP request will be sent, which an upstream proxy takes in absolute form. */
	readonly use: 'tunnel' | 'forward';
	readonly signal: AbortSignal;
}

export interface Dialled {
	readonly socket: Socket;
	/** Set for `forward` through an upstream proxy: the request must be in absolute form, with this authorization. */
	readonly upstream?: { readonly authorization: string | undefined };
}

/** Makes the connections that were allowed. Dials only addresses that it has checked. */
export class Dialer {
	readonly #resolver: Resolver;
	readonly #guard: AddressGuard;
	readonly #upstream: UpstreamProxy | undefined;
	readonly #timeoutMs: number;

	constructor(options: {
		readonly resolver: Resolver;
		readonly guard: AddressGuard;
		readonly upstream: UpstreamProxy | undefined;
		/** For the whole of it: looking the name up, connecting, and what an upstream proxy takes to answer. */
		readonly timeoutMs: number;
	}) {
		this.#resolver = options.resolver;
		this.#guard = options.guard;
		this.#upstream = options.upstream;
		this.#timeoutMs = options.timeoutMs;
	}

	/**
	 * @throws {NotPublicError} when the name leads into the local network and that is not allowed; {@link DialError}
	 * for every other failure; the signal's reason when aborted.
	 */
	async dial(target: Authority, options: DialOptions): Promise<Dialled> {
		const authority = formatAuthority(target.host.host, target.port);
		const limit = new AbortController();
		const timer = setTimeout(() => {
			limit.abort(new DialError('timeout', `${authority} did not answer within ${this.#timeoutMs / 1000} s.`));
		}, this.#timeoutMs);
		const signal = AbortSignal.any([options.signal, limit.signal]);
		try {
			return await this.#dial(target, { ...options, signal });
		} catch (error) {
			options.signal.throwIfAborted();
			throw toDialError(error, authority);
		} finally {
			clearTimeout(timer);
		}
	}

	async #dial(target: Authority, options: DialOptions): Promise<Dialled> {
		const { host, port } = target;
		const upstream = this.#upstream?.bypasses(host, port) === false ? this.#upstream : undefined;
		if (upstream === undefined || host.kind !== 'name') {
			const resolved = host.kind === 'name' ? await this.#resolver.resolve(host.host, options.signal) : [host.host];
			const addresses = this.#checked(host.host, resolved, options.local);
			if (upstream === undefined) {
				return { socket: await raceConnect(interleave(addresses), port, options.signal) };
			}
		}
		return options.use === 'forward'
			? {
					socket: await upstream.open(options.signal),
					upstream: { authorization: upstream.authorization },
				}
			: { socket: await upstream.tunnel(host.host, port, options.signal) };
	}

	/** @returns the addresses that may be dialled. One that the user was shown and allowed stands for itself alone. */
	#checked(host: string, addresses: readonly string[], local: DialOptions['local']): readonly string[] {
		if (local === true) {
			return addresses;
		}
		if (local !== false && addresses.includes(local.address)) {
			return [local.address];
		}
		const refused = this.#guard.refuse(addresses);
		if (refused !== undefined) {
			throw new NotPublicError(host, refused.address, refused.kind);
		}
		return addresses;
	}
}
