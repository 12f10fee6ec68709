import type { ApprovalDecision, ApprovalRequest, FileDiff, ToolCall } from '../../protocol/index.ts';
import { decide } from '../approvals/decide.ts';
import type { PreparedCall } from '../ports/index.ts';
import type { SessionCore } from '../session/sessionCore.ts';
import { effectiveTrust } from '../session/trust.ts';
import type { TurnContext } from './turnContext.ts';

export type Permission =
	| { readonly type: 'granted'; readonly why: string }
	| {
			readonly type: 'refused';
			readonly status: 'denied' | 'blocked' | 'failed' | 'interrupted';
			readonly output: string;
			readonly why: string;
	  };

/** Finds out whether a call may run: by the trust table, and by asking the user where that says so. */
export class CallApprover {
	readonly #core: SessionCore;
	readonly #turn: TurnContext;

	constructor(core: SessionCore, turn: TurnContext) {
		this.#core = core;
		this.#turn = turn;
	}

	/** @param pending the question that was open when the host stopped: it is put again under its id. */
	async permission(item: ToolCall, call: PreparedCall, pending: ApprovalRequest | undefined): Promise<Permission> {
		const verdict = decide(call.assessment, {
			trustMode: effectiveTrust(this.#core),
			sandboxEnforced: this.#core.state.protection?.sandbox === 'enforced',
			allowedKeys: this.#core.allowedKeys,
		});
		switch (verdict.type) {
			case 'run':
				return { type: 'granted', why: verdict.why };
			case 'block':
				return {
					type: 'refused',
					status: 'blocked',
					why: verdict.reason,
					output: `Blocked, and not run. ${verdict.reason} Do not try to do it another way: say what you would have done.`,
				};
			case 'ask':
				return await this.#ask(item, call, verdict.reason, pending);
		}
	}

	async #ask(
		item: ToolCall,
		call: PreparedCall,
		reason: string,
		pending: ApprovalRequest | undefined,
	): Promise<Permission> {
		let preview: readonly FileDiff[] | undefined;
		try {
			preview = await call.preview?.();
		} catch (error) {
			// The user is never asked about a call that can't succeed.
			const output = error instanceof Error ? error.message : String(error);
			return { type: 'refused', status: 'failed', output, why: 'It could not have succeeded.' };
		}
		const request = pending ?? this.#request(item, call, reason, preview);
		if (pending === undefined) {
			this.#core.emit(this.#turn.submissionId, { type: 'approvalRequested', approval: request });
		}
		const otherwise: ApprovalDecision = { type: 'stop' };
		const decision = await this.#core.approvals.ask(request.approvalId, request, this.#turn.signal, otherwise);
		const by = this.#turn.signal.aborted ? 'turn' : 'user';
		this.#core.emit(this.#turn.submissionId, {
			type: 'approvalResolved',
			approvalId: request.approvalId,
			itemId: item.itemId,
			decision,
			by,
		});
		return this.#decided(decision, call);
	}

	#request(
		item: ToolCall,
		call: PreparedCall,
		reason: string,
		preview: readonly FileDiff[] | undefined,
	): ApprovalRequest {
		return {
			approvalId: this.#core.newId('approval'),
			turnId: this.#turn.turnId,
			itemId: item.itemId,
			subject: 'tool',
			tool: call.tool,
			title: call.title,
			detail: call.detail ?? call.title,
			cwd: this.#core.place.cwd,
			reason,
			effect: call.assessment.effect,
			...(preview === undefined ? {} : { preview: [...preview] }),
			...(call.assessment.sessionKey === undefined ? {} : { sessionScope: call.assessment.sessionKey.label }),
		};
	}

	#decided(decision: ApprovalDecision, call: PreparedCall): Permission {
		switch (decision.type) {
			case 'allowOnce':
				return { type: 'granted', why: 'allowed by you' };
			case 'allowForSession':
				if (call.assessment.sessionKey !== undefined) {
					this.#core.allowedKeys.add(call.assessment.sessionKey.key);
				}
				return { type: 'granted', why: 'allowed by you for this session' };
			case 'deny':
				return {
					type: 'refused',
					status: 'denied',
					why: denialOf(decision.feedback),
					output: denialForModel(decision.feedback),
				};
			case 'stop':
				this.#turn.interrupt();
				return { type: 'refused', status: 'denied', why: 'The turn was stopped.', output: denialForModel(undefined) };
		}
	}
}

function denialOf(feedback: string | undefined): string {
	return feedback === undefined || feedback.trim() === '' ? 'Denied by you.' : `Denied by you: ${feedback.trim()}`;
}

function denialForModel(feedback: string | undefined): string {
	const said = feedback === undefined || feedback.trim() === '' ? '' : ` The user says: ${feedback.trim()}`;
	return `The user denied this, and it was not run.${said} Do not try the same another way; go on without it, or ask.`;
}
