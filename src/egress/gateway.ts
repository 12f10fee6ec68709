import type { Clock, EgressRow } from '../engine/ports/index.ts';
import type { Dialled, Dialer } from './dialer.ts';
import type { DialFailure } from './dialError.ts';
import { DialError, NotPublicError } from './dialError.ts';
import type { EgressAudit } from './egressAudit.ts';
import type { EgressDecision, EgressPolicy, EgressTarget } from './egressPolicy.ts';
import type { Traffic } from './tunnel.ts';

/** Why a command did not get its connection, for the reply of its protocol. */
export interface Refusal {
	readonly opened: false;
	readonly kind: 'denied' | DialFailure;
	readonly target: EgressTarget;
	/** The rule or the failure, in words. */
	readonly rule: string;
	readonly remedy: string | undefined;
}

/** A connection that was allowed and made. `finish` must be called once, when it is over: it writes the audit row. */
export interface Opened extends Dialled {
	readonly opened: true;
	readonly finish: (traffic: Traffic) => void;
}

type Allowed = Extract<EgressDecision, { allowed: true }>;

/** The one way out of a session, whatever the protocol: decides, connects, and writes down. */
export class Gateway {
	readonly #sessionId: string;
	readonly #policy: EgressPolicy;
	readonly #dialer: Dialer;
	readonly #audit: EgressAudit;
	readonly #clock: Clock;

	constructor(options: {
		readonly sessionId: string;
		readonly policy: EgressPolicy;
		readonly dialer: Dialer;
		readonly audit: EgressAudit;
		readonly clock: Clock;
	}) {
		this.#sessionId = options.sessionId;
		this.#policy = options.policy;
		this.#dialer = options.dialer;
		this.#audit = options.audit;
		this.#clock = options.clock;
	}

	/** @returns the connection, or why there is none. @throws the signal's reason when aborted: the command is gone. */
	async open(target: EgressTarget, use: 'tunnel' | 'forward', signal: AbortSignal): Promise<Opened | Refusal> {
		const startedAt = this.#clock.now();
		const write = (verdict: EgressRow['verdict'], rule: string, traffic: Traffic = NOTHING) =>
			this.#audit.add({
				at: startedAt,
				sessionId: this.#sessionId,
				itemId: target.itemId,
				host: target.host.host,
				port: target.port,
				protocol: target.protocol,
				verdict,
				rule,
				...traffic,
				durationMs: this.#clock.now() - startedAt,
			});
		const refuse = (kind: Refusal['kind'], rule: string, remedy?: string): Refusal => {
			write(kind === 'denied' ? 'denied' : 'failed', rule);
			return { opened: false, kind, target, rule, remedy };
		};
		try {
			const decision = await this.#policy.decide(target, signal);
			const outcome = decision.allowed ? await this.#dial(target, decision, use, signal) : decision;
			if (!outcome.allowed) {
				return refuse('denied', outcome.rule, outcome.remedy);
			}
			const finish = (traffic: Traffic) => write('allowed', outcome.rule, traffic);
			return { opened: true, ...outcome.dialled, finish };
		} catch (error) {
			if (error instanceof NotPublicError) {
				return refuse('denied', error.message);
			}
			if (error instanceof DialError) {
				return refuse(error.failure, error.message);
			}
			write('failed', signal.aborted ? 'the command closed the connection before it was made' : String(error));
			throw error;
		}
	}

	async #dial(
		target: EgressTarget,
		decision: Allowed,
		use: 'tunnel' | 'forward',
		signal: AbortSignal,
	): Promise<{ allowed: true; rule: string; dialled: Dialled } | Extract<EgressDecision, { allowed: false }>> {
		try {
			const dialled = await this.#dialer.dial(target, { local: decision.local, use, signal });
			return { allowed: true, rule: decision.rule, dialled };
		} catch (error) {
			if (!(error instanceof NotPublicError)) {
				throw error;
			}
			const refused = { address: error.address, message: error.message, by: decision.by };
			const again = await this.#policy.decideLocal(target, refused, signal);
			if (!again.allowed) {
				return again;
			}
			const dialled = await this.#dialer.dial(target, { local: again.local, use, signal });
			return { allowed: true, rule: again.rule, dialled };
		}
	}
}

const NOTHING: Traffic = { bytesUp: 0, bytesDown: 0 };
