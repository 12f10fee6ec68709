import { Icon, IconButton } from '../parts/controls.tsx';
import { formatCount } from '../parts/format.ts';
import { t } from '../state/l10n.ts';
import type { PanelState } from '../state/panelState.ts';
import type { SessionView } from '../state/sessionView.ts';
import { dispatch } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';

interface BadgeProps {
	readonly icon: string;
	readonly text: string;
	readonly title: string;
	readonly good: boolean;
}

/** What protects the user: words first, the colour only repeats them. */
function Badge({ icon, text, title, good }: BadgeProps) {
	return (
		<span
			class={`badge${good ? '' : ' badge-warning'}`}
			title={title}
			tabIndex={0}
			role="note"
			aria-label={`${text}. ${title}`}
		>
			<Icon name={icon} />
			<span>{text}</span>
		</span>
	);
}

function Protection({ session }: { readonly session: SessionView }) {
	// Nothing is claimed before it has been tried.
	if (session.protection === null) {
		return null;
	}
	const { egress, egressReason, sandbox, sandboxReason } = session.protection;
	const enforced = sandbox === 'enforced';
	const filtered = egress === 'filtered';
	return (
		<>
			<Badge
				icon={enforced ? 'shield' : 'unlock'}
				text={enforced ? t('sandbox: enforced') : t('sandbox: advisory')}
				good={enforced}
				title={
					sandboxReason ??
					(enforced
						? t('The system confines every command to the workspace.')
						: t('Commands are not confined by the system.'))
				}
			/>
			<Badge
				icon={filtered ? 'filter-filled' : 'globe'}
				text={filtered ? t('egress: filtered') : t('egress: unfiltered')}
				good={filtered}
				title={
					egressReason ??
					(filtered
						? t('Commands reach only the hosts that are allowed.')
						: t('Commands reach the network without a filter.'))
				}
			/>
		</>
	);
}

function TokenMeter({ usage }: { readonly usage: NonNullable<SessionView['usage']> }) {
	const used = usage.last.inputTokens + usage.last.outputTokens;
	if (usage.contextWindow <= 0 || used === 0) {
		return null;
	}
	const percent = Math.min(100, Math.round((used / usage.contextWindow) * 100));
	const text = t('Context: {0} of {1} tokens', formatCount(used), formatCount(usage.contextWindow));
	return (
		<span
			class={`meter${percent >= 85 ? ' meter-high' : ''}`}
			role="meter"
			aria-label={t('Context used')}
			aria-valuemin={0}
			aria-valuemax={100}
			aria-valuenow={percent}
			aria-valuetext={text}
			title={text}
		>
			<span class="meter-bar">
				<span class="meter-fill" style={{ width: `${percent}%` }} />
			</span>
			{percent}%
		</span>
	);
}

export function Header({ state }: { readonly state: PanelState }) {
	const { session, screen } = state;
	const listing = screen === 'sessions';
	const closed = state.storage.state === 'opening' || state.storage.state === 'busyElsewhere';
	const waiting =
		state.sessions?.filter((each) => each.state === 'waiting' && each.sessionId !== session?.sessionId).length ?? 0;
	return (
		<header class="header">
			<div class="header-row">
				<h2 class="title" title={session?.title}>
					{listing ? t('Sessions') : (session?.title ?? t('New session'))}
				</h2>
				<IconButton
					icon={waiting > 0 && !listing ? 'bell-dot' : 'history'}
					label={listing ? t('Back to the conversation') : t('Sessions')}
					title={waiting > 0 ? t('Sessions: {0} waiting for you', waiting) : t('Sessions')}
					pressed={listing}
					disabled={closed}
					onClick={() => dispatch({ type: 'showSessions', show: !listing })}
				/>
				<IconButton
					icon="add"
					label={t('New session')}
					disabled={closed}
					onClick={() => post({ type: 'newSession' })}
				/>
			</div>
			{session && !listing && (
				<div class="header-facts">
					<Protection session={session} />
					{session.usage && <TokenMeter usage={session.usage} />}
				</div>
			)}
		</header>
	);
}
