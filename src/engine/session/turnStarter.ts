import type { TurnEndReason, UserMessage } from '../../protocol/index.ts';
import { ModelError, type ModelClient } from '../ports/index.ts';
import { outputCaps } from '../turn/outputCaps.ts';
import { takeQueuedInput } from '../turn/queuedInput.ts';
import { Turn } from '../turn/turn.ts';
import type { SessionCore } from './sessionCore.ts';
import type { OpenTurn } from './sessionState.ts';

/** Starts and ends the turns of a session: one at a time, with exactly one end for each start. */
export class TurnStarter {
	readonly #core: SessionCore;
	#active: { readonly controller: AbortController; readonly done: Promise<unknown> } | undefined;

	constructor(core: SessionCore) {
		this.#core = core;
	}

	get running(): boolean {
		return this.#active !== undefined;
	}

	/** The running turn's signal. */
	get signal(): AbortSignal | undefined {
		return this.#active?.controller.signal;
	}

	/** Starts a turn with the user's message, or with none, to go on with the conversation as it stands. */
	start(submissionId: string, message: UserMessage | undefined): void {
		const turnId = this.#core.newId('turn');
		this.#core.emit(submissionId, { type: 'turnStarted', turnId });
		if (message !== undefined) {
			this.#core.emit(submissionId, { type: 'itemCompleted', turnId, item: message });
		}
		const open = this.#openTurn(turnId);
		this.#begin(submissionId, open, false);
	}

	/** Goes on with a turn whose calls waited for the user when the host stopped. */
	resume(open: OpenTurn): void {
		for (const approvalId of this.#core.state.approvals.keys()) {
			this.#core.approvals.expect(approvalId);
		}
		this.#begin('', open, true);
	}

	/** Ends a turn that nothing is left of. */
	endWithoutRunning(open: OpenTurn, reason: TurnEndReason): void {
		this.#end('', open, reason, undefined);
	}

	interrupt(): void {
		this.#active?.controller.abort(new DOMException('The turn was stopped.', 'AbortError'));
	}

	async idle(): Promise<void> {
		while (this.#active !== undefined) {
			await this.#active.done;
		}
	}

	#openTurn(turnId: string): OpenTurn {
		const open = this.#core.state.turn;
		if (open?.turnId !== turnId) {
			throw new Error(`Turn ${turnId} is not the open one.`);
		}
		return open;
	}

	#begin(submissionId: string, open: OpenTurn, resumed: boolean): void {
		const controller = new AbortController();
		const { promise, resolve } = Promise.withResolvers<undefined>();
		this.#active = { controller, done: promise };
		void this.#run(submissionId, open, resumed, controller).finally(() => resolve(undefined));
	}

	async #run(submissionId: string, open: OpenTurn, resumed: boolean, controller: AbortController): Promise<void> {
		const settings = { ...this.#core.state.settings };
		let client: ModelClient;
		try {
			[client] = await Promise.all([this.#core.models.get(settings.providerId), this.#core.tools.start()]);
		} catch (error) {
			this.#end(submissionId, open, failure(error), undefined);
			return;
		}
		const info = client.info(settings.model);
		const turn = new Turn(
			this.#core,
			{
				turnId: open.turnId,
				submissionId,
				signal: controller.signal,
				interrupt: () => this.interrupt(),
				settings,
				client,
				info,
				caps: outputCaps(info.contextWindow),
			},
			open,
		);
		if (resumed) {
			turn.resumeWaitingCalls();
		}
		await turn.run((reason) => this.#end(submissionId, open, reason, turn));
	}

	#end(submissionId: string, open: OpenTurn, reason: TurnEndReason, turn: Turn | undefined): void {
		this.#active = undefined;
		// Messages that the model has not seen keep their place, for the next turn.
		takeQueuedInput(this.#core, submissionId, open);
		const usage = turn?.usage();
		this.#core.emit(
			submissionId,
			{
				type: 'turnEnded',
				turnId: open.turnId,
				reason,
				durationMs: this.#core.clock.now() - open.startedAt,
				...(usage === undefined ? {} : { usage }),
			},
			{ flush: true },
		);
	}
}

function failure(error: unknown): TurnEndReason {
	const message = error instanceof Error ? error.message : String(error);
	if (error instanceof ModelError) {
		return {
			type: 'failed',
			code: error.code,
			message,
			...(error.remedy === undefined ? {} : { remedy: error.remedy }),
		};
	}
	return { type: 'failed', code: 'internal', message };
}
