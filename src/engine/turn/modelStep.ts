import type { Usage } from '../../protocol/index.ts';
import type { FinishReason, ModelRequest } from '../ports/index.ts';
import { NO_USAGE } from '../session/sessionState.ts';
import type { SessionCore } from '../session/sessionCore.ts';
import { systemPrompt } from './systemPrompt.ts';
import type { ToolCalls } from './toolCalls.ts';
import type { TurnContext } from './turnContext.ts';
import { addUsage } from './usage.ts';

export interface StepResult {
	readonly finish: FinishReason;
	readonly calls: number;
	readonly saidSomething: boolean;
}

type TextKind = 'agentMessage' | 'reasoning';

/** One call of the model: streams it into items, and starts each tool call as soon as it is complete. */
export class ModelStep {
	readonly #core: SessionCore;
	readonly #turn: TurnContext;
	readonly #calls: ToolCalls;
	readonly #step: number;
	#open: { readonly itemId: string; readonly kind: TextKind } | undefined;
	#startedCalls = 0;
	#saidSomething = false;

	constructor(core: SessionCore, turn: TurnContext, calls: ToolCalls, step: number) {
		this.#core = core;
		this.#turn = turn;
		this.#calls = calls;
		this.#step = step;
	}

	/** @throws {ModelError} when the stream fails; the signal's reason when aborted. Texts begun are closed either way. */
	async run(): Promise<StepResult> {
		let finish: FinishReason = 'stop';
		try {
			for await (const event of this.#turn.client.stream(this.#request(), this.#turn.signal)) {
				switch (event.type) {
					case 'textDelta':
						this.#text('agentMessage', event.text);
						break;
					case 'reasoningDelta':
						this.#text('reasoning', event.text);
						break;
					case 'toolCallDelta':
						break;
					case 'toolCall':
						this.#close({});
						this.#startedCalls++;
						this.#calls.start(event.call, this.#step);
						break;
					case 'usage':
						this.#count(event.usage);
						break;
					case 'finished':
						finish = event.reason;
				}
			}
			this.#turn.signal.throwIfAborted();
		} catch (error) {
			this.#close({ partial: true, dropped: !this.#turn.signal.aborted });
			throw error;
		}
		this.#close({});
		return { finish, calls: this.#startedCalls, saidSomething: this.#saidSomething };
	}

	#request(): ModelRequest {
		return {
			model: this.#turn.settings.model,
			system: systemPrompt(this.#core),
			history: this.#core.history.entries(),
			tools: this.#core.tools.definitions(),
			cacheKey: this.#core.sessionId,
		};
	}

	#text(kind: TextKind, text: string): void {
		if (this.#open?.kind !== kind) {
			// Many servers begin with an empty line or two: nothing to show a message for.
			const begins = text.trimStart();
			if (begins === '') {
				return;
			}
			this.#close({});
			this.#begin(kind);
			this.#saidSomething ||= kind === 'agentMessage';
			text = begins;
		}
		if (this.#open !== undefined) {
			this.#core.live.append(this.#turn.submissionId, this.#open.itemId, text);
		}
	}

	#begin(kind: TextKind): void {
		const itemId = this.#core.newId(kind === 'reasoning' ? 'reasoning' : 'message');
		this.#open = { itemId, kind };
		this.#core.live.start(this.#turn.turnId, itemId, kind);
		this.#core.emit(this.#turn.submissionId, {
			type: 'itemStarted',
			turnId: this.#turn.turnId,
			item: { type: kind, itemId, text: '', step: this.#step },
		});
	}

	#close(cut: { partial?: boolean; dropped?: boolean }): void {
		if (this.#open === undefined) {
			return;
		}
		const { itemId, kind } = this.#open;
		this.#open = undefined;
		const text = this.#core.live.end(itemId);
		const item = { itemId, text, step: this.#step };
		this.#core.emit(this.#turn.submissionId, {
			type: 'itemCompleted',
			turnId: this.#turn.turnId,
			item: kind === 'reasoning' ? { type: kind, ...item } : { type: kind, ...item, ...cut },
		});
	}

	#count(last: Usage): void {
		const before = this.#core.state.usage?.total ?? NO_USAGE;
		this.#core.emit(this.#turn.submissionId, {
			type: 'tokenCount',
			turnId: this.#turn.turnId,
			last,
			total: addUsage(before, last),
			contextWindow: this.#turn.info.contextWindow,
		});
	}
}
