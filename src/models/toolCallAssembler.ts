import type { ModelEvent, ModelToolCall } from '../engine/ports/index.ts';
import type { CallDelta } from './chunk.ts';

interface OpenCall {
	/** Where it stands among the calls of this answer, counted from 0. */
	readonly ordinal: number;
	readonly wireIndex: number | undefined;
	id: string | undefined;
	name: string;
	args: string;
	yielded: boolean;
}

/** A call that cannot be run as it came. `message` says why, without the arguments. */
export class BrokenCall extends Error {}

/**
 * Puts the pieces of tool calls together, also where a server numbers or names them wrongly, and gives out each call
 * once, when it is complete. What is not complete JSON is never given out.
 */
export class ToolCallAssembler {
	readonly #calls: OpenCall[] = [];
	readonly #makeId: () => string;

	/** @param makeId gives an id to a call that came without one */
	constructor(makeId: () => string) {
		this.#makeId = makeId;
	}

	get count(): number {
		return this.#calls.length;
	}

	/** @throws {BrokenCall} when a call that was given out goes on */
	*push(delta: CallDelta): Generator<ModelEvent> {
		let call = this.#find(delta);
		if (!call) {
			// The start of a call is the end of the ones before, where those are complete. A call without arguments
			// may still get some: it waits for the end.
			yield* this.#giveOut((each) => each.args.trim() !== '' && completeArgs(each.args) !== undefined);
			call = this.#open(delta);
		} else if (call.yielded && delta.args.trim() !== '') {
			throw new BrokenCall(`the call of ${call.name} went on after its end`);
		}
		call.id ??= this.#freeId(delta.id);
		call.name = joinName(call, delta.name);
		call.args += delta.args;
		if (!call.yielded) {
			yield { type: 'toolCallDelta', index: call.ordinal, name: call.name, argsDelta: delta.args };
		}
	}

	/**
	 * Gives out the calls that are left.
	 * @throws {BrokenCall} at the first that has no name or whose arguments are not complete JSON
	 */
	*finish(): Generator<ModelEvent> {
		yield* this.#giveOut(() => true);
	}

	*#giveOut(when: (call: OpenCall) => boolean): Generator<ModelEvent> {
		for (const call of this.#calls) {
			if (!call.yielded && when(call)) {
				const complete = this.#complete(call);
				call.yielded = true;
				yield { type: 'toolCall', call: complete };
			}
		}
	}

	#complete(call: OpenCall): ModelToolCall {
		const args = completeArgs(call.args);
		if (call.name === '') {
			throw new BrokenCall('a tool call has no name');
		}
		if (args === undefined) {
			throw new BrokenCall(`the arguments of ${call.name} are not complete`);
		}
		return { callId: (call.id ??= this.#makeId()), name: call.name, args };
	}

	/** @returns the call that the piece belongs to; undefined when it starts a new one */
	#find(delta: CallDelta): OpenCall | undefined {
		const known = delta.id === undefined ? undefined : this.#calls.findLast((each) => each.id === delta.id);
		if (known && (delta.index === undefined || delta.index === known.wireIndex)) {
			return known;
		}
		const there =
			delta.index === undefined ? this.#calls.at(-1) : this.#calls.findLast((each) => each.wireIndex === delta.index);
		return there && this.#startsAnother(there, delta) ? undefined : there;
	}

	/** Whether a piece with the index of a known call (or none) is the start of one more: some servers number all calls 0. */
	#startsAnother(call: OpenCall, delta: CallDelta): boolean {
		if (!delta.name) {
			return false;
		}
		const complete = call.args.trim() !== '' && completeArgs(call.args) !== undefined;
		if (delta.id !== undefined && call.id !== undefined && delta.id !== call.id) {
			// Some servers make a new id for each piece: the same name while arguments are missing is the same call.
			return complete || delta.name !== call.name;
		}
		// The name may be repeated in each piece; arguments after complete ones cannot belong to the same call.
		return complete && delta.args.trim() !== '';
	}

	#open(delta: CallDelta): OpenCall {
		const call: OpenCall = {
			ordinal: this.#calls.length,
			wireIndex: delta.index,
			id: undefined,
			name: '',
			args: '',
			yielded: false,
		};
		this.#calls.push(call);
		return call;
	}

	/** Two calls with one id could not be told apart in the history: the second gets another. */
	#freeId(id: string | undefined): string | undefined {
		return id !== undefined && this.#calls.some((each) => each.id === id) ? this.#makeId() : id;
	}
}

/** Names come whole and once, or repeated, or growing (`Re`, `Read`), or in pieces (`Re`, `ad`). */
function joinName(call: OpenCall, name: string | undefined): string {
	if (!name || name === call.name || call.args !== '') {
		return call.name === '' ? (name ?? '') : call.name;
	}
	return name.startsWith(call.name) ? name : call.name + name;
}

/**
 * @returns the arguments as the tool shall get them: blank ones as `{}`, an object that was encoded twice decoded once,
 * an empty object that a proxy put before the real one dropped; undefined where they are not complete JSON
 */
export function completeArgs(args: string): string | undefined {
	const trimmed = args.trim();
	if (trimmed === '') {
		return '{}';
	}
	const value = parseJson(trimmed);
	if (value === undefined) {
		return trimmed.startsWith('{}') && isObject(parseJson(trimmed.slice(2))) ? trimmed.slice(2) : undefined;
	}
	return typeof value === 'string' && isObject(parseJson(value)) ? value : args;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
