import type { Effect, TrustMode } from '../../protocol/index.ts';
import type { Assessment } from '../ports/index.ts';

export type Verdict =
	| { readonly type: 'run'; readonly why: string }
	| { readonly type: 'ask'; readonly reason: string }
	| { readonly type: 'block'; readonly reason: string };

export interface TrustContext {
	readonly trustMode: TrustMode;
	/** Auto mode runs changes unasked only inside a sandbox that a trial run has shown to hold. */
	readonly sandboxEnforced: boolean;
	/** Keys that the user allowed for this session. */
	readonly allowedKeys: ReadonlySet<string>;
}

const MATRIX: Readonly<Record<Effect, Readonly<Record<TrustMode, Verdict['type']>>>> = {
	readOnly: { plan: 'run', safe: 'run', auto: 'run' },
	remoteAction: { plan: 'block', safe: 'ask', auto: 'run' },
	localMutation: { plan: 'block', safe: 'ask', auto: 'run' },
	destructive: { plan: 'block', safe: 'ask', auto: 'ask' },
};

/**
 * Judges a valid call by DESIGN.md's trust table, in its order: read-only, plan, paths, what the user allowed, matrix.
 * @returns whether to run it, to ask the user, or to block it, and why, in words for the card.
 */
export function decide(assessment: Assessment, trust: TrustContext): Verdict {
	const { effect, outside, protectedPaths } = assessment;
	const touchesGuarded = outside.length > 0 || protectedPaths.length > 0;
	if (effect === 'readOnly' && !touchesGuarded) {
		return { type: 'run', why: 'read-only' };
	}
	if (trust.trustMode === 'plan') {
		return { type: 'block', reason: `Plan mode only looks: ${lowerFirst(assessment.reason)}` };
	}
	if (touchesGuarded) {
		return { type: 'ask', reason: guardedReason(assessment) };
	}
	if (assessment.ownedByAgent === true) {
		return { type: 'run', why: 'a file that this session made' };
	}
	if (assessment.sessionKey !== undefined && trust.allowedKeys.has(assessment.sessionKey.key)) {
		return { type: 'run', why: 'allowed for this session' };
	}
	return byMatrix(assessment, trust);
}

function byMatrix(assessment: Assessment, trust: TrustContext): Verdict {
	switch (MATRIX[assessment.effect][trust.trustMode]) {
		case 'run':
			return trust.sandboxEnforced
				? { type: 'run', why: 'auto mode' }
				: { type: 'ask', reason: `${assessment.reason} Auto mode asks here because no sandbox is enforced.` };
		case 'ask':
			return { type: 'ask', reason: assessment.reason };
		case 'block':
			return { type: 'block', reason: assessment.reason };
	}
}

function guardedReason({ outside, protectedPaths, reason }: Assessment): string {
	const parts = [
		...protectedPaths.map((path) => `${path} is protected.`),
		...outside.map((path) => `${path} is outside the workspace.`),
	];
	return [reason, ...new Set(parts)].join(' ');
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
