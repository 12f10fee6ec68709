import type { ApprovalDecision, ApprovalRequest } from '../../protocol/index.ts';
import type { EgressAnswer, EgressQuestion } from '../ports/index.ts';
import type { SessionCore } from './sessionCore.ts';
import { effectiveTrust } from './trust.ts';
import type { TurnStarter } from './turnStarter.ts';

/** Puts a command's wish to reach a host to the user. */
export class EgressAsker {
	readonly #core: SessionCore;
	readonly #turns: TurnStarter;

	constructor(core: SessionCore, turns: TurnStarter) {
		this.#core = core;
		this.#turns = turns;
	}

	async ask({ host, port, itemId, address, signal }: EgressQuestion): Promise<EgressAnswer> {
		const { turn } = this.#core.state;
		const turnSignal = this.#turns.signal;
		if (turn === undefined || turnSignal === undefined || effectiveTrust(this.#core) === 'plan') {
			return 'deny';
		}
		const call = this.#core.state.runningCalls().find((item) => item.itemId === itemId);
		const target = `${host}:${port}`;
		const request: ApprovalRequest = {
			approvalId: this.#core.newId('approval'),
			turnId: turn.turnId,
			itemId: itemId ?? '',
			subject: 'egress',
			tool: call?.tool ?? 'Bash',
			title: `Connect to ${host}`,
			detail: address === undefined ? target : `${target} (${address})`,
			reason: reasonOf(call?.detail, address),
			effect: 'remoteAction',
			sessionScope: `connections to ${target}`,
		};
		this.#core.emit('', { type: 'approvalRequested', approval: request });
		const either = AbortSignal.any([turnSignal, signal]);
		const decision = await this.#core.approvals.ask(request.approvalId, request, either, { type: 'deny' });
		this.#core.emit('', {
			type: 'approvalResolved',
			approvalId: request.approvalId,
			itemId: request.itemId,
			decision,
			by: either.aborted ? 'turn' : 'user',
		});
		return this.#answer(decision);
	}

	#answer(decision: ApprovalDecision): EgressAnswer {
		switch (decision.type) {
			case 'allowOnce':
			case 'allowForSession':
				return decision.type;
			case 'deny':
				return 'deny';
			case 'stop':
				this.#turns.interrupt();
				return 'deny';
		}
	}
}

function reasonOf(command: string | undefined, address: string | undefined): string {
	const local = address === undefined ? '' : ` The name leads to ${address}, which is in your local network.`;
	return `${command === undefined ? 'A command wants to reach this host.' : `Wanted by: ${command}`}${local}`;
}
