import type { ApprovalRequest, Event, Op, Protection, SessionHead, Submission } from '../../protocol/index.ts';
import { PROTOCOL_VERSION } from '../../protocol/index.ts';
import { ModelError, type EgressAnswer, type EgressQuestion } from '../ports/index.ts';
import { OpHandlers } from './opHandlers.ts';
import { EgressAsker } from './egressAsker.ts';
import { completeInterrupted } from './recovery.ts';
import type { SessionCore } from './sessionCore.ts';
import { SubmissionQueue } from './submissionQueue.ts';
import { TurnStarter } from './turnStarter.ts';

/**
 * One conversation: submissions in, events out. Submissions are handled one at a time and in order, and none of them
 * waits for the turn, which runs beside them.
 */
export class Session {
	readonly #core: SessionCore;
	readonly #queue = new SubmissionQueue<Submission>();
	readonly #turns: TurnStarter;
	readonly #handlers: OpHandlers;
	readonly #egress: EgressAsker;
	readonly #loop: Promise<void>;
	#submissions = 0;

	constructor(core: SessionCore) {
		this.#core = core;
		this.#turns = new TurnStarter(core);
		this.#handlers = new OpHandlers(core, this.#turns);
		this.#egress = new EgressAsker(core, this.#turns);
		this.#loop = this.#run();
	}

	get id(): string {
		return this.#core.sessionId;
	}

	/** A turn runs, or waits for the user. */
	get busy(): boolean {
		return this.#turns.running;
	}

	/** How many approvals and questions wait for the user. */
	get waiting(): number {
		return this.#core.state.approvals.size + this.#core.state.questions.size;
	}

	/** The approvals that wait for the user, oldest first. */
	approvals(): readonly ApprovalRequest[] {
		return [...this.#core.state.approvals.values()];
	}

	/** The place of the newest event that is stored. */
	get seq(): number {
		return this.#core.log.seq;
	}

	/** The first event of a new session. */
	configure(): void {
		const { settings } = this.#core.state;
		this.#core.emit('', { type: 'sessionConfigured', settings, cwd: this.#core.place.cwd, version: PROTOCOL_VERSION });
	}

	/**
	 * What a stopped host left open: calls that waited for the user go on waiting, and their turn with them; anything
	 * else that ran is closed as interrupted, with the text that was saved of it.
	 */
	async recover(): Promise<void> {
		const { turn } = this.#core.state;
		if (turn === undefined) {
			return;
		}
		await completeInterrupted(this.#core, turn);
		if (this.#core.state.runningCalls().length > 0) {
			this.#turns.resume(turn);
		} else {
			this.#turns.endWithoutRunning(turn, { type: 'interrupted', by: 'hostStopped' });
		}
	}

	/**
	 * @returns the submission's id, which its events carry. Waits while the queue is full.
	 * @throws {SessionClosedError} when the session is suspended.
	 */
	async submit(op: Op): Promise<string> {
		const id = String(this.#submissions++);
		await this.#queue.push({ id, op });
		return id;
	}

	/** @param listener gets events in order, in batches, after they are stored. */
	listen(listener: (events: readonly Event[]) => void): Disposable {
		return this.#core.log.listen(listener);
	}

	/** Settles when all that happened so far is stored and delivered. */
	async settled(): Promise<void> {
		await this.#core.log.settled();
	}

	/** Settles when no turn runs. */
	async idle(): Promise<void> {
		await this.#turns.idle();
		await this.#core.log.settled();
	}

	head(unsaved: boolean): SessionHead {
		const { state, live } = this.#core;
		return {
			sessionId: this.#core.sessionId,
			title: state.title,
			settings: state.settings,
			protection: state.protection ?? null,
			turnId: state.turn?.turnId ?? null,
			interrupted: state.turn === undefined && state.lastEnd?.type === 'interrupted',
			todos: [...state.todos],
			approvals: [...state.approvals.values()],
			questions: [...state.questions.values()],
			usage: state.usage ?? null,
			live: live.snapshot(),
			processes: [...state.processes.values()].map(({ processId, itemId, command }) => ({
				processId,
				itemId,
				command,
			})),
			unsaved,
		};
	}

	askEgress(question: EgressQuestion): Promise<EgressAnswer> {
		return this.#egress.ask(question);
	}

	protectionChanged(protection: Protection): void {
		this.#core.emit('', { type: 'protectionChanged', protection });
	}

	/** Stops the running turn, and waits until it has ended. */
	async interrupt(): Promise<void> {
		this.#turns.interrupt();
		await this.idle();
	}

	/**
	 * Lets go of everything without ending the turn: what is open stays open in the store, so that the next host finds
	 * it as after a kill. Nothing is lost; commands that run are killed.
	 */
	async suspend(): Promise<void> {
		this.#queue.close();
		await this.#core.live.save();
		await this.#core.log.freeze();
		this.#turns.interrupt();
		await this.#turns.idle();
		await this.#core.tools[Symbol.asyncDispose]();
		await this.#loop;
	}

	async #run(): Promise<void> {
		for (;;) {
			const submission = await this.#queue.next();
			if (submission === undefined) {
				return;
			}
			try {
				this.#handlers.handle(submission);
			} catch (error) {
				this.#report(submission.id, error);
			}
		}
	}

	#report(submissionId: string, error: unknown): void {
		const known = error instanceof ModelError;
		if (!known) {
			this.#core.logger.error('A submission failed', error);
		}
		this.#core.emit(submissionId, {
			type: 'error',
			code: known ? error.code : 'internal',
			message: error instanceof Error ? error.message : String(error),
			...(known && error.remedy !== undefined ? { remedy: error.remedy } : {}),
		});
	}
}
