import type { Event, ToolCall } from '../../protocol/index.ts';
import type { HistoryEntry, StoredEvent } from '../ports/index.ts';

/** What the model is told of a call that never got a result: APIs refuse a call without one. */
export const MISSING_OUTPUT = 'Aborted: this call did not finish, and its effects are not known.';

interface Step {
	readonly kind: 'step';
	readonly turnId: string;
	readonly step: number;
	text: string;
	reasoning: string;
	/** In the order in which the model made them. */
	readonly calls: Map<string, { readonly call: ToolCall; output: string | undefined }>;
}
type Block = { readonly kind: 'user'; readonly text: string } | Step;

/**
 * What the model is told of a session. It is a function of the session's events alone: a running session feeds it the
 * events that it emits, a resumed one the events that it reads, and both come to the same history.
 */
export class History {
	readonly #blocks: Block[] = [];

	apply(event: Event | StoredEvent): void {
		switch (event.type) {
			case 'itemStarted':
				if (event.item.type === 'toolCall') {
					this.#step(event.turnId, event.item.step).calls.set(event.item.itemId, {
						call: event.item,
						output: undefined,
					});
				}
				break;
			case 'itemCompleted':
				this.#complete(event);
				break;
			default:
		}
	}

	/** @returns the history as a model takes it: every call has a result, and nothing is empty. */
	entries(): readonly HistoryEntry[] {
		return this.#blocks.flatMap((block) =>
			block.kind === 'user' ? [{ role: 'user' as const, text: block.text }] : entriesOf(block),
		);
	}

	#complete({ turnId, item }: Extract<Event, { type: 'itemCompleted' }>): void {
		switch (item.type) {
			case 'userMessage':
				this.#blocks.push({ kind: 'user', text: item.text });
				break;
			case 'agentMessage':
				if (item.dropped !== true) {
					this.#step(turnId, item.step).text += item.partial === true ? `${item.text}\n[cut off here]` : item.text;
				}
				break;
			case 'reasoning':
				this.#step(turnId, item.step).reasoning += item.text;
				break;
			case 'toolCall': {
				const entry = this.#step(turnId, item.step).calls.get(item.itemId);
				this.#step(turnId, item.step).calls.set(item.itemId, { call: entry?.call ?? item, output: item.output });
				break;
			}
		}
	}

	/** Steps come in order, but a call's result can arrive after the next message of the user. */
	#step(turnId: string, step: number): Step {
		const known = this.#blocks.findLast(
			(block): block is Step => block.kind === 'step' && block.turnId === turnId && block.step === step,
		);
		if (known !== undefined) {
			return known;
		}
		const made: Step = { kind: 'step', turnId, step, text: '', reasoning: '', calls: new Map() };
		this.#blocks.push(made);
		return made;
	}
}

function entriesOf(step: Step): HistoryEntry[] {
	if (step.text.trim() === '' && step.calls.size === 0) {
		return [];
	}
	const calls = [...step.calls.values()].map(({ call }) => ({ callId: call.itemId, name: call.tool, args: call.args }));
	const outputs = [...step.calls].map(([callId, { output }]) => ({
		role: 'tool' as const,
		callId,
		output: output ?? MISSING_OUTPUT,
	}));
	const reasoning = step.reasoning === '' ? {} : { reasoning: step.reasoning };
	return [{ role: 'assistant', text: step.text, ...reasoning, calls }, ...outputs];
}
