/** A stream as some server sends it, and what must come of it. */
export interface StreamCase {
	readonly name: string;
	/** Raw bytes as text. */
	readonly sse: string;
	readonly text?: string;
	readonly reasoning?: string;
	/** `id name args` of each call. */
	readonly calls?: readonly string[];
	/** Input, cached, output, reasoning tokens. */
	readonly usage?: readonly [number, number, number, number];
	readonly finish?: 'stop' | 'toolCalls' | 'length' | 'contentFilter';
	/** The error's code, and a part of its message. */
	readonly error?: readonly [code: string, message: RegExp];
}

export const sse = (...values: unknown[]) =>
	values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('');
export const delta = (value: object, finish: string | null = null) => ({
	choices: [{ index: 0, delta: value, finish_reason: finish }],
});
export const say = (content: string, finish: string | null = null) => delta({ content }, finish);
export const end = (finish = 'stop') => delta({}, finish);
export const call = (value: object) => delta({ tool_calls: [value] });
export const start = (
	index: number | undefined,
	id: string | undefined,
	name: string | undefined,
	args: unknown = '',
) =>
	call({
		...(index !== undefined && { index }),
		...(id !== undefined && { id }),
		type: 'function',
		function: { name, arguments: args },
	});
export const more = (index: number | undefined, args: string) =>
	call({ ...(index !== undefined && { index }), function: { arguments: args } });
export const usage = (prompt_tokens: number, completion_tokens: number) => ({ prompt_tokens, completion_tokens });
export const DONE = '[DONE]';
