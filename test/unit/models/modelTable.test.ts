import assert from 'node:assert/strict';
import { contextWindowOf } from '../../../src/models/modelTable.ts';

const WINDOWS: readonly (readonly [model: string, tokens: number])[] = [
	['claude-sonnet-4-5', 200_000],
	['claude-sonnet-4-1m', 1_000_000],
	['anthropic/claude-opus-4.6', 200_000],
	['gpt-4o-mini', 128_000],
	['gpt-4', 8_192],
	['gpt-4-turbo', 128_000],
	['gpt-3.5-turbo', 16_384],
	['gpt-5.1-codex', 400_000],
	['o3-mini', 200_000],
	['models/gemini-2.5-pro', 1_048_576],
	['gemini-1.5-pro-002', 2_097_152],
	['grok-3', 131_072],
	['meta-llama/llama-3.3-70b-instruct', 131_072],
	['llama3', 8_192],
	['accounts/fireworks/models/llama-v3p1-8b-instruct', 131_072],
	['Qwen/Qwen3-Coder-30B', 262_144],
	['qwen3:8b', 131_072],
	['mistral-large-latest', 128_000],
	['openai/gpt-oss-20b', 131_072],
	['something-nobody-knows', 128_000],
	['', 128_000],
];

describe('context windows by name', () => {
	for (const [model, tokens] of WINDOWS) {
		it(`${model || '(no name)'} reads ${tokens}`, () => assert.equal(contextWindowOf(model), tokens));
	}
});
