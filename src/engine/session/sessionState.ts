import type {
	ApprovalRequest,
	Event,
	Item,
	Protection,
	Question,
	SessionSettings,
	Todo,
	ToolCall,
	TurnEndReason,
	Usage,
} from '../../protocol/index.ts';
import type { StoredEvent } from '../ports/index.ts';

export const NO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };

export interface OpenTurn {
	readonly turnId: string;
	readonly startedAt: number;
	/** The last model call that left a trace. */
	step: number;
	/** Items that started and did not complete. */
	readonly running: Map<string, Item>;
	/** Messages sent during the turn that the model has not seen yet. */
	readonly queued: { itemId: string; text: string }[];
}

/** What a session is, by the events that it emitted or that were read back: the same fold serves both. */
export class SessionState {
	settings: SessionSettings;
	title = '';
	/** Undefined until it has been found out by trying. */
	protection: Protection | undefined;
	turn: OpenTurn | undefined;
	lastEnd: TurnEndReason | undefined;
	todos: readonly Todo[] = [];
	usage: { last: Usage; total: Usage; contextWindow: number } | undefined;
	readonly approvals = new Map<string, ApprovalRequest>();
	readonly questions = new Map<string, Question>();
	readonly processes = new Map<string, { processId: string; itemId: string; command: string }>();
	readonly #itemIds = new Set<string>();

	constructor(settings: SessionSettings) {
		this.settings = settings;
	}

	hasItem(itemId: string): boolean {
		return this.#itemIds.has(itemId);
	}

	/** @returns the open turn's calls that have not completed. */
	runningCalls(): readonly ToolCall[] {
		return [...(this.turn?.running.values() ?? [])].filter((item) => item.type === 'toolCall');
	}

	apply(event: Event | StoredEvent): void {
		switch (event.type) {
			case 'sessionConfigured':
			case 'settingsChanged':
				this.settings = event.settings;
				break;
			case 'protectionChanged':
				this.protection = event.protection;
				break;
			case 'titleChanged':
				this.title = event.title;
				break;
			case 'todosChanged':
				this.todos = event.todos;
				break;
			case 'tokenCount':
				this.usage = { last: event.last, total: event.total, contextWindow: event.contextWindow };
				break;
			case 'processStarted':
				this.processes.set(event.processId, event);
				break;
			case 'processEnded':
				this.processes.delete(event.processId);
				break;
			default:
				this.#applyToTurn(event);
		}
	}

	#applyToTurn(event: Event | StoredEvent): void {
		switch (event.type) {
			case 'turnStarted':
				this.turn = { turnId: event.turnId, startedAt: event.at, step: 0, running: new Map(), queued: [] };
				break;
			case 'turnEnded':
				this.turn = undefined;
				this.lastEnd = event.reason;
				this.approvals.clear();
				this.questions.clear();
				break;
			case 'itemStarted':
				this.#itemIds.add(event.item.itemId);
				this.turn?.running.set(event.item.itemId, event.item);
				this.#sawStep(event.item);
				break;
			case 'itemCompleted':
				this.#itemIds.add(event.item.itemId);
				this.turn?.running.delete(event.item.itemId);
				this.#unqueue(event.item.itemId);
				this.#sawStep(event.item);
				break;
			case 'inputQueued':
				this.turn?.queued.push({ itemId: event.itemId, text: event.text });
				break;
			case 'approvalRequested':
				this.approvals.set(event.approval.approvalId, event.approval);
				break;
			case 'approvalResolved':
				this.approvals.delete(event.approvalId);
				break;
			case 'questionAsked':
				this.questions.set(event.question.questionId, event.question);
				break;
			case 'questionAnswered':
				this.questions.delete(event.questionId);
				break;
			default:
		}
	}

	#sawStep(item: Item): void {
		if (this.turn !== undefined && item.type !== 'userMessage') {
			this.turn.step = Math.max(this.turn.step, item.step);
		}
	}

	#unqueue(itemId: string): void {
		const queued = this.turn?.queued ?? [];
		const index = queued.findIndex((entry) => entry.itemId === itemId);
		if (index >= 0) {
			queued.splice(index, 1);
		}
	}
}
