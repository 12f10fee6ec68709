import type { EgressRow, Logger } from '../engine/ports/index.ts';
import type { HostFilter } from './hostFilter.ts';
import type { Authority } from './hostName.ts';
import { formatAuthority } from './hostName.ts';
import { isLocalByName } from './hostPattern.ts';
import type { EgressAnswer, EgressQuestion, Questions } from './questions.ts';

/** A connection that a command wants. */
export interface EgressTarget extends Authority {
	readonly protocol: EgressRow['protocol'];
	readonly itemId: string | null;
}

export type EgressDecision =
	| {
			readonly allowed: true;
			/** The rule or the answer, in words. */
			readonly rule: string;
			/** `user`: an answer to a question, so that a further one may be asked. */
			readonly by: 'rule' | 'user';
			/** What of the local network may be reached: all that the name leads to, or the one address that was shown. */
			readonly local: boolean | { readonly address: string };
	  }
	| { readonly allowed: false; readonly rule: string; readonly remedy: string };

const ADD_RULE = 'add it to the allowed hosts in the settings of Belay';
const DENY_REMEDY = 'Do not retry and do not look for a way around. Go on without it, or ask the user.';

/** Decides who may connect where: rules first, then what the user said before, then the user. */
export class EgressPolicy {
	#filter: HostFilter;
	readonly #questions: Questions | undefined;
	readonly #logger: Logger;
	readonly #forSession = new Set<string>();
	/** Answers that hold for one command: by item id, then by what was asked. */
	readonly #forItem = new Map<string | null, Map<string, 'allowOnce' | 'deny'>>();

	/** @param questions undefined when there is nobody to ask. */
	constructor(filter: HostFilter, questions: Questions | undefined, logger: Logger) {
		this.#filter = filter;
		this.#questions = questions;
		this.#logger = logger;
	}

	/** Other rules from now on. Answers of the user stay, but never against a deny rule. */
	setFilter(filter: HostFilter): void {
		this.#filter = filter;
	}

	/** A new command starts: answers to connections that no command was known for do not hold for it. */
	forgetUnattributed(): void {
		this.#forItem.delete(null);
	}

	/** @throws the signal's reason when aborted. */
	async decide(target: EgressTarget, signal: AbortSignal): Promise<EgressDecision> {
		const verdict = this.#filter.check(target.host, target.port);
		switch (verdict.verdict) {
			case 'allow':
				return { allowed: true, rule: verdict.rule, by: 'rule', local: verdict.local };
			case 'deny':
				return { allowed: false, rule: verdict.rule, remedy: DENY_REMEDY };
			case 'miss':
				return this.#ask(target, { reason: verdict.rule, local: isLocalByName(target.host) }, signal);
		}
	}

	/**
	 * An allowed name turned out to lead into the local network. Who allowed the name did not know: asked once more where
	 * the user allowed it, refused where it was a rule.
	 */
	async decideLocal(
		target: EgressTarget,
		refused: { readonly address: string; readonly message: string; readonly by: 'rule' | 'user' },
		signal: AbortSignal,
	): Promise<EgressDecision> {
		if (refused.by === 'rule') {
			const remedy = `If that is right, ${ADD_RULE} as local:${target.host.host}.`;
			return { allowed: false, rule: refused.message, remedy };
		}
		const { address, message } = refused;
		return this.#ask(target, { reason: message, address, local: { address } }, signal);
	}

	async #ask(
		target: EgressTarget,
		about: { reason: string; address?: string; local: boolean | { readonly address: string } },
		signal: AbortSignal,
	): Promise<EgressDecision> {
		const { itemId, protocol, port } = target;
		const host = target.host.host;
		const key = `${formatAuthority(host, port)} ${about.address ?? ''}`;
		const granted = (rule: string): EgressDecision => ({ allowed: true, rule, by: 'user', local: about.local });
		const remembered = this.#forSession.has(key) ? 'allowForSession' : this.#forItem.get(itemId)?.get(key);
		const question: EgressQuestion = {
			...{ host, port, protocol, itemId },
			...(about.address === undefined ? {} : { address: about.address }),
		};
		const answer = remembered ?? (await this.#put(key, question, signal));
		switch (answer) {
			case 'allowForSession':
				this.#forSession.add(key);
				return granted('allowed by the user for this session');
			case 'allowOnce':
				this.#remember(itemId, key, answer);
				return granted('allowed by the user for this command');
			case 'deny':
				this.#remember(itemId, key, answer);
				return { allowed: false, rule: `${about.reason}; denied by the user`, remedy: DENY_REMEDY };
			case 'unavailable':
				return {
					allowed: false,
					rule: about.reason,
					remedy: `Nobody could be asked. To allow ${host}, ${ADD_RULE}.`,
				};
			case 'tooMany':
				return {
					allowed: false,
					rule: `${about.reason}; too many questions are open`,
					remedy: 'Ask the user to answer the open questions, then retry.',
				};
		}
	}

	async #put(key: string, question: EgressQuestion, signal: AbortSignal): Promise<EgressAnswer | 'tooMany'> {
		if (this.#questions === undefined) {
			return 'unavailable';
		}
		try {
			return (await this.#questions.put(key, question, signal)) ?? 'tooMany';
		} catch (error) {
			signal.throwIfAborted();
			this.#logger.error('The question about a host could not be asked.', error);
			return 'unavailable';
		}
	}

	#remember(itemId: string | null, key: string, answer: 'allowOnce' | 'deny'): void {
		const answers = this.#forItem.get(itemId) ?? new Map<string, 'allowOnce' | 'deny'>();
		this.#forItem.set(itemId, answers.set(key, answer));
	}
}
