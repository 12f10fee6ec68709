import type { ApprovalRequest, ToolCall, ToolStatus } from '../../protocol/index.ts';
import type { InvalidCall, ModelToolCall, PreparedCall, ToolResult } from '../ports/index.ts';
import type { SessionCore } from '../session/sessionCore.ts';
import { CallApprover, type Permission } from './callApprover.ts';
import { CallGate, type GatePlace } from './callGate.ts';
import { executionFor } from './toolExecution.ts';
import type { TurnContext } from './turnContext.ts';

type Outcome = Pick<ToolCall, 'status' | 'output'> &
	Partial<Pick<ToolCall, 'display' | 'verdict' | 'durationMs' | 'hasFullOutput'>>;

/** Runs the tool calls of one turn: each starts as soon as the model has made it, and each gets exactly one result. */
export class ToolCalls {
	readonly #core: SessionCore;
	readonly #turn: TurnContext;
	readonly #approver: CallApprover;
	readonly #gate = new CallGate();
	readonly #unfinished = new Map<string, ToolCall | undefined>();
	#running: Promise<void>[] = [];
	#lastAnnounced: Promise<void> = Promise.resolve();

	constructor(core: SessionCore, turn: TurnContext) {
		this.#core = core;
		this.#turn = turn;
		this.#approver = new CallApprover(core, turn);
	}

	/** Starts a call. Its events come by themselves; `drain` waits for the last of them. */
	start(call: ModelToolCall, step: number): void {
		const itemId = this.#uniqueId(call.callId);
		this.#unfinished.set(itemId, undefined);
		this.#running.push(this.#run({ ...call, callId: itemId }, step, undefined));
	}

	/** Takes a call up again that waited for the user's answer when the host stopped. */
	resume(item: ToolCall, approval: ApprovalRequest | undefined): void {
		this.#unfinished.set(item.itemId, item);
		this.#running.push(
			this.#run({ callId: item.itemId, name: item.tool, args: item.args }, item.step, { item, approval }),
		);
	}

	/** Settles when every call that was started has its result. */
	async drain(): Promise<void> {
		const running = this.#running;
		this.#running = [];
		await Promise.all(running);
	}

	/** Gives every unfinished call the result "interrupted". What they do later is not heard. */
	abandon(): void {
		for (const item of this.#unfinished.values()) {
			if (item !== undefined) {
				this.#finish(item, interruptedOutcome(this.#core.live.text(item.itemId)));
			}
		}
		this.#unfinished.clear();
	}

	#uniqueId(callId: string): string {
		const taken = (id: string) => this.#core.state.hasItem(id) || this.#unfinished.has(id);
		return callId === '' || taken(callId) ? this.#core.newId('call') : callId;
	}

	async #run(
		call: ModelToolCall,
		step: number,
		resumed: { item: ToolCall; approval: ApprovalRequest | undefined } | undefined,
	): Promise<void> {
		using place = this.#gate.place();
		const announced = this.#lastAnnounced;
		let item: ToolCall | undefined = resumed?.item;
		const prepared = this.#prepare(call, place);
		const announce = (async () => {
			const ready = await prepared;
			await announced;
			if (item === undefined && this.#unfinished.has(call.callId)) {
				item = this.#announce(call, step, ready);
			}
		})();
		this.#lastAnnounced = announce;
		await announce;
		if (item === undefined) {
			return;
		}
		this.#unfinished.set(item.itemId, item);
		if (resumed !== undefined) {
			this.#core.live.start(this.#turn.turnId, item.itemId, 'toolCall');
		}
		this.#finish(item, await this.#outcome(item, await prepared, place, resumed?.approval));
	}

	async #prepare(call: ModelToolCall, place: GatePlace): Promise<PreparedCall | InvalidCall> {
		const context = {
			sessionId: this.#core.sessionId,
			turnId: this.#turn.turnId,
			itemId: call.callId,
			cwd: this.#core.place.cwd,
			roots: this.#core.place.roots,
			trustMode: this.#core.state.settings.trustMode,
			caps: this.#turn.caps,
		};
		const once = async (): Promise<PreparedCall | InvalidCall> => {
			try {
				return await this.#core.tools.prepare(call, context);
			} catch (error) {
				this.#core.logger.error(`Preparing ${call.name} failed`, error);
				return { invalid: `${call.name} failed: ${messageOf(error)}`, title: call.name };
			}
		};
		const first = await once();
		if (!('invalid' in first) || place.isFirst()) {
			return first;
		}
		// It may fit once the calls before it are done: an Edit of a file that a Write before it makes.
		await place.afterEarlier();
		return await once();
	}

	#announce(call: ModelToolCall, step: number, ready: PreparedCall | InvalidCall): ToolCall {
		const invalid = 'invalid' in ready;
		const item: ToolCall = {
			type: 'toolCall',
			itemId: call.callId,
			tool: invalid ? call.name : ready.tool,
			args: call.args,
			title: ready.title,
			...(!invalid && ready.detail !== undefined ? { detail: ready.detail } : {}),
			effect: invalid ? 'readOnly' : ready.assessment.effect,
			status: 'running',
			output: '',
			step,
		};
		this.#core.live.start(this.#turn.turnId, item.itemId, 'toolCall');
		this.#core.emit(this.#turn.submissionId, { type: 'itemStarted', turnId: this.#turn.turnId, item });
		return item;
	}

	async #outcome(
		item: ToolCall,
		ready: PreparedCall | InvalidCall,
		place: GatePlace,
		approval: ApprovalRequest | undefined,
	): Promise<Outcome> {
		if ('invalid' in ready) {
			return { status: 'failed', output: ready.invalid };
		}
		const startedAt = this.#core.clock.now();
		try {
			const permission = await this.#approver.permission(item, ready, approval);
			if (permission.type === 'refused') {
				return refusedOutcome(permission);
			}
			await place.enter(ready.access);
			if (this.#turn.signal.aborted) {
				return interruptedOutcome('');
			}
			const begun = this.#core.clock.now();
			const result = await ready.run(executionFor(this.#core, this.#turn, item.itemId));
			const durationMs = this.#core.clock.now() - begun;
			return { ...(await this.#resultOutcome(item, result)), verdict: permission.why, durationMs };
		} catch (error) {
			if (!this.#turn.signal.aborted) {
				this.#core.logger.error(`${ready.tool} failed`, error);
			}
			const output = `${ready.tool} failed: ${messageOf(error)}`;
			return {
				status: this.#turn.signal.aborted ? 'interrupted' : 'failed',
				output,
				durationMs: this.#core.clock.now() - startedAt,
			};
		}
	}

	async #resultOutcome(item: ToolCall, result: ToolResult): Promise<Outcome> {
		const status: ToolStatus = this.#turn.signal.aborted ? 'interrupted' : result.ok ? 'completed' : 'failed';
		return {
			status,
			output: result.output,
			...(result.display === undefined ? {} : { display: result.display }),
			...((await this.#keepFullOutput(item, result.fullOutput)) ? { hasFullOutput: true } : {}),
		};
	}

	async #keepFullOutput(item: ToolCall, text: string | undefined): Promise<boolean> {
		if (text === undefined) {
			return false;
		}
		try {
			await this.#core.store.saveToolOutput(this.#core.sessionId, item.itemId, text);
			return true;
		} catch (error) {
			this.#core.logger.error(`The full output of ${item.title} could not be saved`, error);
			return false;
		}
	}

	#finish(item: ToolCall, outcome: Outcome): void {
		if (!this.#unfinished.delete(item.itemId)) {
			return;
		}
		this.#core.live.end(item.itemId);
		this.#core.emit(this.#turn.submissionId, {
			type: 'itemCompleted',
			turnId: this.#turn.turnId,
			item: { ...item, ...outcome },
		});
	}
}

function refusedOutcome(permission: Extract<Permission, { type: 'refused' }>): Outcome {
	return { status: permission.status, output: permission.output, verdict: permission.why };
}

export function interruptedOutcome(text: string): Outcome {
	const soFar = text.trim() === '' ? '' : ` Output so far:\n${text}`;
	return { status: 'interrupted', output: `Interrupted before it finished: its effects are not known.${soFar}` };
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
