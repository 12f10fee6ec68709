import type { TrustMode } from '../../protocol/index.ts';
import type { SessionCore } from './sessionCore.ts';

/** @returns the trust mode that holds now: an untrusted workspace gets plan mode. */
export function effectiveTrust(core: Pick<SessionCore, 'place' | 'state'>): TrustMode {
	return core.place.isTrusted() ? core.state.settings.trustMode : 'plan';
}
