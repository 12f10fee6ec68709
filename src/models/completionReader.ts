import { ModelError, type FinishReason, type ModelEvent } from '../engine/ports/index.ts';
import type { Usage } from '../protocol/index.ts';
import { parseChunk } from './chunk.ts';
import { streamFailure, type Place } from './modelErrors.ts';
import { ThinkTags, type Split } from './thinkTags.ts';
import { BrokenCall, ToolCallAssembler } from './toolCallAssembler.ts';

/** How servers write that an answer has ended, in lower case. What is not here is an end like `stop`. */
const FINISH_REASONS: Readonly<Record<string, FinishReason | 'error'>> = {
	length: 'length',
	max_tokens: 'length',
	model_length: 'length',
	content_filter: 'contentFilter',
	safety: 'contentFilter',
	recitation: 'contentFilter',
	refusal: 'contentFilter',
	error: 'error',
	abort: 'error',
	insufficient_system_resource: 'error',
	malformed_function_call: 'error',
};

/**
 * Turns the chunks of one answer into model events. Synchronous and without input or output of its own:
 * `push` each chunk, then `end`.
 */
export class CompletionReader {
	readonly #place: Place;
	readonly #calls: ToolCallAssembler;
	readonly #think = new ThinkTags();
	#finish: FinishReason | undefined;
	#usage: Usage | undefined;
	#sawChunk = false;

	constructor(place: Place, makeId: () => string) {
		this.#place = place;
		this.#calls = new ToolCallAssembler(makeId);
	}

	/** The server said why it ended. Only usage may still come. */
	get finished(): boolean {
		return this.#finish !== undefined;
	}

	/** @throws {ModelError} for an error in the place of a chunk, a tool call that cannot be right, or no chunk at all */
	*push(value: unknown): Generator<ModelEvent> {
		// Some servers send `null` to keep the connection alive.
		if (value === null) {
			return;
		}
		const chunk = parseChunk(value);
		if (!chunk) {
			throw this.#broken('it sent something that is not part of a chat completion');
		}
		this.#sawChunk = true;
		if (chunk.error !== undefined) {
			throw streamFailure(chunk.error, this.#place);
		}
		this.#usage = chunk.usage ?? this.#usage;
		if (chunk.reasoning !== '') {
			yield { type: 'reasoningDelta', text: chunk.reasoning };
		}
		if (chunk.text !== '') {
			yield* texts(this.#think.push(chunk.text));
		}
		for (const delta of chunk.calls) {
			yield* this.#guard(this.#calls.push(delta));
		}
		if (chunk.finish !== undefined && this.#finish === undefined) {
			yield* this.#setFinish(chunk.finish);
		}
	}

	/** To be called when no more chunks come. @throws {ModelError} when the answer was cut off */
	*end(): Generator<ModelEvent> {
		yield* texts(this.#think.end());
		if (this.#finish === undefined) {
			throw this.#broken(
				this.#sawChunk ? 'it ended before the model had finished' : 'it ended without sending anything',
			);
		}
		if (this.#finish === 'stop' || this.#finish === 'toolCalls') {
			yield* this.#guard(this.#calls.finish());
		}
		if (this.#usage) {
			yield { type: 'usage', usage: this.#usage };
		}
		const late = this.#finish === 'stop' && this.#calls.count > 0;
		yield { type: 'finished', reason: late ? 'toolCalls' : this.#finish };
	}

	*#setFinish(finish: string): Generator<ModelEvent> {
		const reason = FINISH_REASONS[finish.toLowerCase()] ?? (this.#calls.count > 0 ? 'toolCalls' : 'stop');
		if (reason === 'error') {
			throw this.#broken(`the server gave up (${finish})`);
		}
		this.#finish = reason;
		// After `length` or a filter, a call may have been cut where its JSON happens to be complete: none is given out.
		if (reason === 'toolCalls') {
			yield* this.#guard(this.#calls.finish());
		}
	}

	*#guard(events: Iterable<ModelEvent>): Generator<ModelEvent> {
		try {
			yield* events;
		} catch (error) {
			throw error instanceof BrokenCall ? this.#broken(error.message) : error;
		}
	}

	#broken(why: string): ModelError {
		return new ModelError('stream', `The answer of ${this.#place.label} was cut off or damaged: ${why}.`, {
			retryable: true,
		});
	}
}

function* texts({ text, reasoning }: Split): Generator<ModelEvent> {
	if (reasoning !== '') {
		yield { type: 'reasoningDelta', text: reasoning };
	}
	if (text !== '') {
		yield { type: 'textDelta', text };
	}
}
