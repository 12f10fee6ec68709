import { access, constants } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import type { Clock, EgressRow, Logger } from '../engine/ports/index.ts';
import { silentLogger, systemClock } from '../engine/ports/index.ts';
import { AddressGuard } from './addressGuard.ts';
import { SessionCredentials } from './credentials.ts';
import { Dialer } from './dialer.ts';
import type { RecordEgress } from './egressAudit.ts';
import { EgressAudit } from './egressAudit.ts';
import { EgressPolicy } from './egressPolicy.ts';
import { proxyEnvironment } from './environment.ts';
import { Gateway } from './gateway.ts';
import type { HostFilter } from './hostFilter.ts';
import { defaultHostFilter } from './hostFilter.ts';
import { HttpProxy } from './httpProxy.ts';
import type { EgressLimits } from './limits.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import type { AskEgress, AskingListener } from './questions.ts';
import { Questions } from './questions.ts';
import type { Lookup } from './resolver.ts';
import { Resolver } from './resolver.ts';
import { SharedSocket } from './sharedSocket.ts';
import { Socks5Proxy } from './socks5Proxy.ts';
import type { UpstreamSettings } from './upstreamProxy.ts';
import { UpstreamProxy } from './upstreamProxy.ts';

export interface SessionEgressOptions {
	readonly sessionId: string;
	readonly record: RecordEgress;
	/** Absent when there is nobody to ask: what no rule allows is then denied. */
	readonly ask?: AskEgress;
	/** {@link defaultHostFilter} where absent. */
	readonly filter?: HostFilter;
	readonly upstream?: UpstreamSettings;
	readonly clock?: Clock;
	readonly logger?: Logger;
	readonly limits?: Partial<EgressLimits>;
	readonly lookup?: Lookup;
	readonly guard?: AddressGuard;
	/** The address to listen on; loopback where absent. */
	readonly listenHost?: string;
}

/** Whether commands are really kept to the filter; `reason` says why not. */
export interface EgressProtection {
	readonly egress: 'filtered' | 'unfiltered';
	readonly reason?: string;
}

interface Running {
	readonly http: HttpProxy;
	readonly socks: Socks5Proxy;
	readonly shared: SharedSocket | undefined;
	readonly httpPort: number;
	readonly socksPort: number;
	readonly socketPath: string | undefined;
	readonly bash: boolean;
}

/** The way out of one session's commands: an HTTP and a SOCKS5 proxy with one filter and one audit. */
export class SessionEgress implements AsyncDisposable {
	readonly #options: SessionEgressOptions;
	readonly #limits: EgressLimits;
	readonly #logger: Logger;
	readonly #credentials = new SessionCredentials();
	readonly #questions: Questions | undefined;
	readonly #policy: EgressPolicy;
	readonly #audit: EgressAudit;
	#starting: Promise<EgressProtection> | undefined;
	#running: Running | undefined;
	#protection: EgressProtection = { egress: 'unfiltered', reason: 'The egress proxy has not been started.' };
	#disposed = false;

	constructor(options: SessionEgressOptions) {
		const clock = options.clock ?? systemClock;
		this.#options = options;
		this.#logger = options.logger ?? silentLogger;
		this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
		this.#questions = options.ask === undefined ? undefined : new Questions(options.ask);
		this.#policy = new EgressPolicy(options.filter ?? defaultHostFilter(), this.#questions, this.#logger);
		this.#audit = new EgressAudit(options.record, clock, this.#logger);
	}

	/**
	 * Starts the proxies, once however often it is called; after a failure it tries again.
	 * @returns what {@link protection} returns. Never rejects: a session lives without its proxy.
	 */
	start(): Promise<EgressProtection> {
		this.#starting ??= this.#start().finally(() => {
			if (this.#running === undefined) {
				this.#starting = undefined;
			}
		});
		return this.#starting;
	}

	async #start(): Promise<EgressProtection> {
		await using cleanUp = new AsyncDisposableStack();
		try {
			const host = this.#options.listenHost ?? '127.0.0.1';
			const gateway = this.#createGateway();
			const parts = [gateway, this.#credentials, this.#limits, this.#logger] as const;
			const http = cleanUp.use(new HttpProxy(...parts));
			const socks = cleanUp.use(new Socks5Proxy(...parts));
			const [httpPort, socksPort] = [await http.listen(host), await socks.listen(host)];
			const { shared, socketPath } = await this.#listenShared(http, socks);
			const bash = await hasBash();
			if (shared !== undefined) {
				cleanUp.use(shared);
			}
			if (!this.#disposed) {
				cleanUp.move();
				this.#running = { http, socks, shared, httpPort, socksPort, socketPath, bash };
				this.#protection = { egress: 'filtered' };
			}
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			this.#logger.error('The egress proxy could not be started.', error);
			this.#protection = { egress: 'unfiltered', reason: `The egress proxy could not be started: ${message}` };
		}
		return this.#protection;
	}

	#createGateway(): Gateway {
		const { upstream, guard, sessionId, clock } = this.#options;
		const resolver = new Resolver(this.#options.lookup);
		const dialer = new Dialer({
			resolver,
			guard: guard ?? new AddressGuard(),
			upstream: upstream === undefined ? undefined : new UpstreamProxy(upstream, resolver),
			timeoutMs: this.#limits.dialMs,
		});
		const [policy, audit] = [this.#policy, this.#audit];
		return new Gateway({ sessionId, policy, dialer, audit, clock: clock ?? systemClock });
	}

	/** Without the unix socket commands are still filtered; only a sandbox with a network of its own cannot be had. */
	async #listenShared(
		http: HttpProxy,
		socks: Socks5Proxy,
	): Promise<{ readonly shared: SharedSocket | undefined; readonly socketPath: string | undefined }> {
		if (process.platform === 'win32') {
			return { shared: undefined, socketPath: undefined };
		}
		const serve = { http: (socket: Socket) => http.accept(socket), socks: (socket: Socket) => socks.accept(socket) };
		const shared = new SharedSocket(serve, this.#limits, this.#logger);
		try {
			return { shared, socketPath: await shared.listen() };
		} catch (error) {
			this.#logger.error('The egress proxy has no unix socket: commands cannot be sandboxed.', error);
			await shared[Symbol.asyncDispose]();
			return { shared: undefined, socketPath: undefined };
		}
	}

	protection(): EgressProtection {
		return this.#protection;
	}

	/** Where a sandbox's bridge connects; it serves HTTP and SOCKS5 alike. Undefined where there is none. */
	get socketPath(): string | undefined {
		return this.#running?.socketPath;
	}

	/** The loopback ports, for a sandbox that lets through single ports. Undefined while not running. */
	get ports(): { readonly http: number; readonly socks: number } | undefined {
		return this.#running === undefined ? undefined : { http: this.#running.httpPort, socks: this.#running.socksPort };
	}

	/**
	 * Variables for a command, which send its traffic here. They ask, they do not force: a program may ignore them, so
	 * without a sandbox this is advisory. This machine's own servers are reached directly.
	 * @param options.itemId the tool call: its connections then carry it, however many commands run.
	 * @param options.port where a sandbox's bridge to {@link socketPath} listens inside of it.
	 * @returns nothing when the proxies do not run.
	 */
	environment(options: { readonly itemId?: string; readonly port?: number } = {}): Record<string, string> {
		if (this.#running === undefined) {
			return {};
		}
		const { httpPort, socksPort, bash } = this.#running;
		return proxyEnvironment({
			httpPort: options.port ?? httpPort,
			socksPort: options.port ?? socksPort,
			user: this.#credentials.userFor(options.itemId),
			password: this.#credentials.password,
			bash,
		});
	}

	/** Connections that do not say whose they are belong to this tool call until the result is disposed. */
	attribute(itemId: string): Disposable {
		this.#policy.forgetUnattributed();
		return this.#credentials.attribute(itemId);
	}

	/** Other rules from now on, for new connections. Those that are open stay. */
	setFilter(filter: HostFilter): void {
		this.#policy.setFilter(filter);
	}

	/** Calls back when a command starts and stops waiting for the user's answer, so that its clock can be paused. */
	onAsking(listener: AskingListener): Disposable {
		return this.#questions?.onAsking(listener) ?? { [Symbol.dispose]: () => undefined };
	}

	/** Calls back for each connection that was not let through, so that the tool call can say why it failed. */
	onDenied(listener: (row: EgressRow) => void): Disposable {
		return this.#audit.onDenied(listener);
	}

	/** Closes the proxies with all their tunnels and writes what is left of the audit. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#disposed = true;
		await this.#starting;
		const running = this.#running;
		this.#running = undefined;
		this.#protection = { egress: 'unfiltered', reason: 'The session has ended.' };
		const parts = running === undefined ? [] : [running.shared, running.http, running.socks];
		await Promise.all(parts.map(async (part) => part?.[Symbol.asyncDispose]()));
		await this.#audit[Symbol.asyncDispose]();
	}
}

async function hasBash(): Promise<boolean> {
	if (process.platform === 'win32') {
		return false;
	}
	const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
	const found = await Promise.allSettled(directories.map((dir) => access(join(dir, 'bash'), constants.X_OK)));
	return found.some((result) => result.status === 'fulfilled');
}
