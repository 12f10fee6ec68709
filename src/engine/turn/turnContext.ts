import type { SessionSettings } from '../../protocol/index.ts';
import type { ModelClient, ModelInfo, OutputCaps } from '../ports/index.ts';

/** What a turn runs with: fixed when it starts, so that a change of settings never alters a running turn. */
export interface TurnContext {
	readonly turnId: string;
	readonly submissionId: string;
	readonly signal: AbortSignal;
	/** Ends the turn as the user's Stop does. */
	readonly interrupt: () => void;
	readonly settings: SessionSettings;
	readonly client: ModelClient;
	readonly info: ModelInfo;
	readonly caps: OutputCaps;
}
