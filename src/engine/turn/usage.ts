import type { Usage } from '../../protocol/index.ts';

export function addUsage(a: Usage, b: Usage): Usage {
	return combine(a, b, 1);
}

export function subtractUsage(a: Usage, b: Usage): Usage {
	return combine(a, b, -1);
}

function combine(a: Usage, b: Usage, sign: 1 | -1): Usage {
	return {
		inputTokens: a.inputTokens + sign * b.inputTokens,
		cachedInputTokens: a.cachedInputTokens + sign * b.cachedInputTokens,
		outputTokens: a.outputTokens + sign * b.outputTokens,
		reasoningTokens: a.reasoningTokens + sign * b.reasoningTokens,
	};
}
