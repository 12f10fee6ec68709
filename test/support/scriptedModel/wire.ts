import type { Answer, Part, WireUsage } from './answers.ts';

/** What the writer has to do next: send bytes, stop at a gate, or cut the connection. */
export type Step = string | Uint8Array | Extract<Part, { type: 'gate' | 'drop' }>;
type StreamAnswer = Extract<Answer, { kind: 'stream' }>;

const DEFAULT_USAGE: WireUsage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };

export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/**
 * Turns an answer into what OpenAI's Chat Completions API would send for it.
 * @param number of the answer: makes ids that differ between answers
 */
export function* steps(answer: StreamAnswer, number: number, model: string, wantsUsage: boolean): Generator<Step> {
	const head = { id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 1_790_000_000, model };
	const choice = (delta: object, finish: string | null = null) =>
		sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
	let calls = 0;

	yield choice({ role: 'assistant', content: '' });
	for (const part of answer.parts) {
		switch (part.type) {
			case 'text':
				yield* pieces(part.text, part.chunkSize).map((content) => choice({ content }));
				break;
			case 'reasoning':
				yield* pieces(part.text, part.chunkSize).map((piece) => choice({ [part.field]: piece }));
				break;
			case 'toolCall': {
				const index = calls++;
				const id = part.id ?? `call_${number}_${index}`;
				yield choice({
					tool_calls: [{ index, id, type: 'function', function: { name: part.name, arguments: '' } }],
				});
				for (const piece of pieces(part.args, part.chunkSize)) {
					yield choice({ tool_calls: [{ index, function: { arguments: piece } }] });
				}
				break;
			}
			case 'chunk':
				yield sse(part.chunk);
				break;
			case 'raw':
				yield part.bytes;
				break;
			case 'gate':
				yield part;
				break;
			case 'drop':
				yield part;
				return;
		}
	}
	const finish = answer.finish ?? (calls > 0 ? 'tool_calls' : 'stop');
	if (finish !== 'none') {
		yield choice({}, finish);
	}
	if (answer.usage !== 'none' && (wantsUsage || answer.usage !== undefined)) {
		yield sse({ ...head, choices: [], usage: answer.usage ?? DEFAULT_USAGE });
	}
	if (answer.done ?? true) {
		yield 'data: [DONE]\n\n';
	}
}

/** Pieces of `size` characters that never cut a surrogate pair. */
function pieces(value: string, size: number): string[] {
	const letters = Array.from(value);
	const found: string[] = [];
	for (let at = 0; at < letters.length; at += size) {
		found.push(letters.slice(at, at + size).join(''));
	}
	return found;
}
