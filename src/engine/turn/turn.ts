import type { ErrorCode, TurnEndReason, Usage } from '../../protocol/index.ts';
import { delay, ModelError } from '../ports/index.ts';
import type { OpenTurn } from '../session/sessionState.ts';
import { NO_USAGE } from '../session/sessionState.ts';
import type { SessionCore } from '../session/sessionCore.ts';
import { ModelStep, type StepResult } from './modelStep.ts';
import { takeQueuedInput } from './queuedInput.ts';
import { MAX_RETRIES, retryDelay } from './retry.ts';
import { ToolCalls } from './toolCalls.ts';
import type { TurnContext } from './turnContext.ts';
import { subtractUsage } from './usage.ts';

/** engine-reference.md 2.2: a turn that has called the model this often is not getting anywhere by itself. */
const MAX_STEPS = 200;
/** DESIGN.md, "The life of a turn": how long an interrupted tool has to end by itself. */
const GRACE_MS = 100;

/**
 * One turn: from the user's input until the model asks for nothing more. Emits everything but `turnStarted` and
 * `turnEnded`, which belong to the session.
 */
export class Turn {
	readonly #core: SessionCore;
	readonly #context: TurnContext;
	readonly #calls: ToolCalls;
	readonly #open: OpenTurn;
	readonly #usageBefore: Usage;
	readonly #aborted: Promise<void>;

	constructor(core: SessionCore, context: TurnContext, open: OpenTurn) {
		this.#core = core;
		this.#context = context;
		this.#open = open;
		this.#calls = new ToolCalls(core, context);
		this.#aborted = aborted(context.signal);
		this.#usageBefore = core.state.usage?.total ?? NO_USAGE;
	}

	/** Takes up the calls that waited for the user when the host stopped, before the model is called again. */
	resumeWaitingCalls(): void {
		const approvals = [...this.#core.state.approvals.values()];
		for (const item of this.#core.state.runningCalls()) {
			this.#calls.resume(
				item,
				approvals.find(({ itemId }) => itemId === item.itemId),
			);
		}
	}

	/**
	 * Runs to the end; never throws.
	 * @param end told how the turn ended, in the same instant in which it was seen that no input waits: a message that
	 * comes before that instant is part of this turn, and one that comes after it starts the next.
	 */
	async run(end: (reason: TurnEndReason) => void): Promise<void> {
		for (;;) {
			const reason = await this.#attempt();
			if (reason.type !== 'completed' || this.#open.queued.length === 0) {
				end(reason);
				return;
			}
		}
	}

	/** Tokens of this turn alone. */
	usage(): Usage {
		return subtractUsage(this.#core.state.usage?.total ?? NO_USAGE, this.#usageBefore);
	}

	async #attempt(): Promise<TurnEndReason> {
		try {
			await this.#drainOrAbort();
			return await this.#loop();
		} catch (error) {
			return this.#reasonOf(error);
		} finally {
			await this.#settleCalls();
		}
	}

	async #loop(): Promise<TurnEndReason> {
		const { signal } = this.#context;
		let emptyAnswers = 0;
		for (let steps = 0; steps < MAX_STEPS; steps++) {
			signal.throwIfAborted();
			takeQueuedInput(this.#core, this.#context.submissionId, this.#open);
			const result = await this.#stepWithRetries();
			await this.#drainOrAbort();
			this.#warnOfCutAnswer(result);
			const empty = result.calls === 0 && !result.saidSomething;
			emptyAnswers = empty ? emptyAnswers + 1 : 0;
			const retryEmpty = empty && emptyAnswers === 1;
			if (empty && !retryEmpty) {
				this.#warn('The model gave an empty answer twice. Ask again, or choose another model.');
			}
			if (result.calls === 0 && !retryEmpty && this.#open.queued.length === 0) {
				return { type: 'completed' };
			}
		}
		return {
			type: 'failed',
			code: 'internal',
			message: `The model was called ${MAX_STEPS} times in this turn.`,
			remedy: 'Look at what it did; choose Retry to let it go on.',
		};
	}

	async #stepWithRetries(): Promise<StepResult> {
		for (let attempt = 1; ; attempt++) {
			const step = ++this.#open.step;
			try {
				return await new ModelStep(this.#core, this.#context, this.#calls, step).run();
			} catch (error) {
				// Calls that the broken stream had completed are running: their results belong to the history of the next try.
				await this.#drainOrAbort();
				if (!(error instanceof ModelError) || !error.retryable || attempt > MAX_RETRIES) {
					throw error;
				}
				const delayMs = retryDelay(error, attempt, Math.random());
				this.#core.emit(this.#context.submissionId, {
					type: 'retrying',
					turnId: this.#context.turnId,
					attempt,
					max: MAX_RETRIES,
					delayMs,
					message: error.message,
				});
				await delay(this.#core.clock, delayMs, this.#context.signal);
			}
		}
	}

	async #drainOrAbort(): Promise<void> {
		const { signal } = this.#context;
		await Promise.race([this.#calls.drain(), this.#aborted]);
		signal.throwIfAborted();
	}

	/** However the turn ended, every call gets a result before it is said to be over. */
	async #settleCalls(): Promise<void> {
		const { clock } = this.#core;
		const over = new AbortController();
		await Promise.race([
			this.#calls.drain(),
			this.#aborted.then(() => delay(clock, GRACE_MS, over.signal).catch(() => undefined)),
		]);
		over.abort();
		this.#calls.abandon();
	}

	#reasonOf(error: unknown): TurnEndReason {
		if (this.#context.signal.aborted) {
			return { type: 'interrupted', by: 'user' };
		}
		if (error instanceof ModelError) {
			const remedy = error.remedy === undefined ? {} : { remedy: error.remedy };
			return { type: 'failed', code: error.code, message: error.message, ...remedy };
		}
		this.#core.logger.error('A turn failed', error);
		const code: ErrorCode = 'internal';
		return { type: 'failed', code, message: error instanceof Error ? error.message : String(error) };
	}

	#warnOfCutAnswer({ finish }: StepResult): void {
		if (finish === 'length') {
			this.#warn("The answer was cut at the model's output limit. Say “go on” to have the rest.");
		} else if (finish === 'contentFilter') {
			this.#warn('The provider stopped this answer by its content filter.');
		}
	}

	#warn(message: string): void {
		this.#core.emit(this.#context.submissionId, { type: 'warning', message });
	}
}

function aborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) {
			resolve();
		} else {
			signal.addEventListener('abort', () => resolve(), { once: true });
		}
	});
}
