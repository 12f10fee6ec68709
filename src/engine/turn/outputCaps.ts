import type { OutputCaps } from '../ports/index.ts';

/**
 * Limits of tool output, larger for models that can take in more (engine-reference.md 2.5).
 * @param contextWindow tokens.
 */
export function outputCaps(contextWindow: number): OutputCaps {
	const factor = Math.min(4, Math.max(1, contextWindow / 100_000));
	const scaled = (base: number) => Math.round(base * factor);
	return {
		resultChars: scaled(10_000),
		shellLines: scaled(256),
		grepMatches: scaled(100),
		listEntries: scaled(200),
		globResults: scaled(200),
	};
}
