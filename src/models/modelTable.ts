/** What a model is taken to read when neither its server nor the table tells (engine-reference 2.5). Tokens. */
export const DEFAULT_CONTEXT_WINDOW = 128_000;

/**
 * Context windows by the model's name without its maker's prefix, in lower case. The first row that fits wins. From the
 * makers' model pages, as of November 2026, and engine-reference 2.5.
 */
const CONTEXT_WINDOWS: readonly (readonly [pattern: RegExp, tokens: number])[] = [
	[/^claude.*\[?-?1m\]?$/, 1_000_000],
	[/^claude-2/, 100_000],
	[/^claude/, 200_000],
	[/^gpt-5.*chat/, 128_000],
	[/^gpt-5/, 400_000],
	[/^gpt-4\.1/, 1_047_576],
	[/^(gpt-4o|gpt-4-turbo|gpt-4-1106|chatgpt-4o)/, 128_000],
	[/^gpt-4-32k/, 32_768],
	[/^gpt-4/, 8_192],
	[/^gpt-3\.5/, 16_384],
	[/^gpt-oss/, 131_072],
	[/^o1-(mini|preview)/, 128_000],
	[/^(o[134]|codex)(-|$)/, 200_000],
	[/^gemini-1\.5-pro/, 2_097_152],
	[/^gemini/, 1_048_576],
	[/^gemma-?2/, 8_192],
	[/^gemma-?3n/, 32_768],
	[/^gemma/, 131_072],
	[/^grok-4.*fast|^grok-4\.\d/, 2_000_000],
	[/^grok-(4|code)/, 256_000],
	[/^grok/, 131_072],
	[/^deepseek/, 128_000],
	[/^codestral/, 256_000],
	[/^(devstral|mistral-(large|medium|small)|ministral|magistral)/, 128_000],
	[/^mi[sx]tral/, 32_768],
	[/^llama-?4-?scout/, 1_048_576],
	[/^llama-?4/, 1_048_576],
	[/^llama-?(2|-2)/, 4_096],
	[/^llama-?3(?![.\d])/, 8_192],
	[/^llama/, 131_072],
	[/^qwen-?3-?coder/, 262_144],
	[/^qwen-?3/, 131_072],
	[/^qwen/, 32_768],
	[/^kimi-k2/, 262_144],
	[/^glm-4\.[67]|^glm-[5-9]/, 200_000],
	[/^minimax/, 204_800],
	[/^phi-?4/, 16_384],
	[/^practice$/, 128_000],
];

/**
 * @param model as the server names it: `anthropic/claude-sonnet-4`, `models/gemini-2.5-pro`,
 * `accounts/fireworks/models/llama-v3p1-70b`, `qwen3:8b`
 * @returns tokens
 */
export function contextWindowOf(model: string): number {
	const name = model.toLowerCase().split('/').at(-1) ?? '';
	return CONTEXT_WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? DEFAULT_CONTEXT_WINDOW;
}
