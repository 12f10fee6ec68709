import { useState } from 'preact/hooks';
import type { SessionSummary } from '../../src/protocol/index.ts';
import { Button, Icon, IconButton } from '../parts/controls.tsx';
import { formatAgo } from '../parts/format.ts';
import { t } from '../state/l10n.ts';
import { post } from '../state/vscodeApi.ts';

function stateLook(state: SessionSummary['state']): {
	readonly icon: string;
	readonly word: string;
	readonly tone: string;
} {
	switch (state) {
		case 'idle':
			return { icon: 'comment-discussion', word: '', tone: 'muted' };
		case 'running':
			return { icon: 'sync', word: t('running'), tone: 'tone-info' };
		case 'waiting':
			return { icon: 'bell-dot', word: t('waiting for you'), tone: 'tone-warning' };
		case 'interrupted':
			return { icon: 'debug-pause', word: t('interrupted'), tone: 'muted' };
	}
}

function ConfirmDelete({ summary, onDone }: { readonly summary: SessionSummary; readonly onDone: () => void }) {
	return (
		<div class="confirm" role="group" aria-label={t('Delete {0}?', summary.title)}>
			<span>{t('Delete this session and all it holds?')}</span>
			<div class="button-row">
				<Button
					primary
					onClick={() => {
						post({ type: 'deleteSession', sessionId: summary.sessionId });
						onDone();
					}}
				>
					{t('Delete')}
				</Button>
				<Button onClick={onDone}>{t('Keep')}</Button>
			</div>
		</div>
	);
}

interface RowProps {
	readonly summary: SessionSummary;
	readonly current: boolean;
	readonly now: number;
	readonly onOpen: () => void;
}

function Row({ summary, current, now, onOpen }: RowProps) {
	const [confirming, setConfirming] = useState(false);
	const { icon, word, tone } = stateLook(summary.state);
	return (
		<li class={`session${current ? ' current' : ''}`}>
			<div class="session-row">
				<button type="button" class="session-open" aria-current={current ? 'true' : undefined} onClick={onOpen}>
					<span class={tone}>
						<Icon name={icon} />
					</span>
					<span class="session-text">
						<span class="session-title">{summary.title}</span>
						<span class="muted">
							{word !== '' && <span class={tone}>{word} · </span>}
							<span title={new Date(summary.updatedAt).toLocaleString()}>{formatAgo(summary.updatedAt, now)}</span>
						</span>
					</span>
				</button>
				<IconButton
					icon="trash"
					label={t('Delete {0}', summary.title)}
					title={t('Delete')}
					onClick={() => setConfirming(!confirming)}
				/>
			</div>
			{confirming && <ConfirmDelete summary={summary} onDone={() => setConfirming(false)} />}
		</li>
	);
}

interface SessionListProps {
	readonly sessions: readonly SessionSummary[] | null;
	readonly currentId: string | null;
	readonly onOpen: (sessionId: string) => void;
}

/** The workspace's sessions, newest first. */
export function SessionList({ sessions, currentId, onOpen }: SessionListProps) {
	const shown = sessions?.filter((summary) => !summary.archived).toSorted((a, b) => b.updatedAt - a.updatedAt) ?? [];
	const now = Date.now();
	if (shown.length === 0) {
		return (
			<div class="empty">
				<p class="muted">
					{sessions === null ? t('Loading the sessions') : t('No sessions yet. The first message makes one.')}
				</p>
			</div>
		);
	}
	return (
		<ul class="sessions" aria-label={t('Sessions')}>
			{shown.map((summary) => (
				<Row
					key={summary.sessionId}
					summary={summary}
					current={summary.sessionId === currentId}
					now={now}
					onOpen={() => onOpen(summary.sessionId)}
				/>
			))}
		</ul>
	);
}
