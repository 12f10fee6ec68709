import { IconButton } from '../parts/controls.tsx';
import { Notice } from '../parts/Notices.tsx';
import { t } from '../state/l10n.ts';
import type { PanelState } from '../state/panelState.ts';
import { dispatch, panel } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';
import { Composer } from './Composer.tsx';
import { Conversation } from './Conversation.tsx';
import { EmptyState } from './EmptyState.tsx';
import { Header } from './Header.tsx';
import { SessionList } from './SessionList.tsx';
import { StorageBanner, StorageScreen } from './StorageView.tsx';

/** The one place that a screen reader is told things from; events only, never the stream. */
function LiveRegion({ state }: { readonly state: PanelState }) {
	const { count, text } = state.announcement;
	// The key makes a new node, so that the same words are read again.
	return (
		<div class="visually-hidden" role="status" aria-live="polite">
			<span key={count}>{text}</span>
		</div>
	);
}

function Toasts({ state }: { readonly state: PanelState }) {
	return (
		<>
			{state.notices.map(({ id, level, message }) => (
				<div key={id} class="toast">
					<Notice level={level} message={message} />
					<IconButton icon="close" label={t('Dismiss')} onClick={() => dispatch({ type: 'dismissNotice', id })} />
				</div>
			))}
		</>
	);
}

function Main({ state }: { readonly state: PanelState }) {
	const { session, storage } = state;
	if (storage.state === 'opening' || storage.state === 'busyElsewhere') {
		return <StorageScreen state={state} />;
	}
	if (state.screen === 'sessions') {
		const open = (sessionId: string) => {
			if (sessionId === session?.sessionId) {
				dispatch({ type: 'showSessions', show: false });
			} else {
				post({ type: 'openSession', sessionId });
			}
		};
		return <SessionList sessions={state.sessions} currentId={session?.sessionId ?? null} onOpen={open} />;
	}
	const starting = state.sending.some(({ text }) => text !== null);
	return session && (session.entries.length > 0 || session.turnId !== null || starting) ? (
		<Conversation key={session.sessionId} session={session} sending={state.sending} />
	) : (
		<EmptyState state={state} />
	);
}

export function App() {
	const state = panel.value;
	return (
		<>
			<Header state={state} />
			<main class="main">
				<Main state={state} />
			</main>
			<footer>
				<Toasts state={state} />
				<StorageBanner state={state} />
				{state.screen === 'conversation' && state.storage.state !== 'busyElsewhere' && <Composer state={state} />}
			</footer>
			<LiveRegion state={state} />
		</>
	);
}
