import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ApprovalRequest, Question } from '../../src/protocol/index.ts';
import { ApprovalCard } from '../parts/ApprovalCard.tsx';
import { Button, Icon } from '../parts/controls.tsx';
import { EntryView } from '../parts/EntryView.tsx';
import { formatDuration } from '../parts/format.ts';
import { UserText } from '../parts/Messages.tsx';
import { Notice } from '../parts/Notices.tsx';
import { QuestionCard } from '../parts/QuestionCard.tsx';
import { TodoStrip } from '../parts/TodoList.tsx';
import { t } from '../state/l10n.ts';
import type { Sending } from '../state/panelState.ts';
import type { Entry, SessionView } from '../state/sessionView.ts';
import { dispatch, submit } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';
import { useBottomAnchor } from './scrolling.ts';
import { moveInList, useTabStop } from './rovingFocus.ts';
import { useOutOfView } from './waiting.ts';

/** Entries in the page at most while the user is at the end; older ones are loaded again on demand. */
const KEPT = 400;

const NONE: readonly never[] = [];

/** Groups what waits for the user by the tool call it belongs to. */
function byItem<T extends { readonly itemId: string }>(waiting: readonly T[]): ReadonlyMap<string, readonly T[]> {
	return Map.groupBy(waiting, ({ itemId }) => itemId);
}

/** Seconds since the turn began, from a second on. */
function Elapsed({ since }: { readonly since: number | null }) {
	const [now, setNow] = useState(Date.now());
	useEffect(() => {
		const timer = setInterval(() => setNow(Date.now()), 1000);
		return () => clearInterval(timer);
	}, []);
	return since === null || now - since < 3000 ? null : (
		<span class="muted"> {formatDuration(Math.floor((now - since) / 1000) * 1000)}</span>
	);
}

function StatusLine({ session }: { readonly session: SessionView }) {
	const { retrying } = session;
	if (session.turnId === null) {
		return null;
	}
	if (retrying) {
		const seconds = Math.max(1, Math.round(retrying.delayMs / 1000));
		return (
			<div class="status-line tone-warning">
				<Icon name="sync" />{' '}
				{t('{0} Trying again in {1} s ({2} of {3}).', retrying.message, seconds, retrying.attempt, retrying.max)}
			</div>
		);
	}
	if (session.approvals.length + session.questions.length > 0) {
		return null;
	}
	return (
		<div class="status-line">
			<span class="working" aria-hidden="true" />
			{t('Working')}
			<Elapsed since={session.turnStartedAt} />
		</div>
	);
}

function Queued({ session, sending }: { readonly session: SessionView; readonly sending: readonly Sending[] }) {
	const texts = [
		...session.queued.map(({ itemId, text }) => ({
			key: itemId,
			text,
			note: t('Queued: the model sees it at its next step.'),
		})),
		...sending.flatMap(({ requestId, text }) => (text === null ? [] : [{ key: requestId, text, note: t('Sending') }])),
	];
	return (
		<>
			{texts.map(({ key, text, note }) => (
				<div key={key} class="user queued">
					<UserText text={text} />
					<div class="muted card-note">
						<Icon name="clock" /> {note}
					</div>
				</div>
			))}
		</>
	);
}

/** Approvals and questions of calls that are not among the loaded entries. */
function Orphans({
	approvals,
	questions,
}: {
	readonly approvals: readonly ApprovalRequest[];
	readonly questions: readonly Question[];
}) {
	return (
		<>
			{approvals.map((approval) => (
				<ApprovalCard key={approval.approvalId} approval={approval} />
			))}
			{questions.map((question) => (
				<QuestionCard key={question.questionId} question={question} />
			))}
		</>
	);
}

function LoadOlder({ session }: { readonly session: SessionView }) {
	if (!session.hasOlder) {
		return null;
	}
	return (
		<div class="load-older">
			<Button
				disabled={session.loadingOlder}
				onClick={() => {
					dispatch({ type: 'loadingOlder' });
					post({ type: 'loadOlder', sessionId: session.sessionId, beforeSeq: session.olderBefore });
				}}
			>
				{session.loadingOlder ? t('Loading') : t('Load older')}
			</Button>
		</div>
	);
}

/** The end of the newest turn; undefined while items follow it. */
function lastTurnEnd(session: SessionView): Entry | undefined {
	const last = session.entries.findLast(({ kind }) => kind === 'item' || kind === 'turnEnd');
	return last?.kind === 'turnEnd' ? last : undefined;
}

/** The host was gone in the middle of a turn, and no end of that turn was written. */
function CutOff({ session }: { readonly session: SessionView }) {
	if (!session.interrupted || session.turnId !== null || lastTurnEnd(session) !== undefined) {
		return null;
	}
	return (
		<Notice level="info" message={t('This turn was cut off when the window closed.')}>
			<div class="button-row">
				<Button primary icon="debug-continue" onClick={() => submit({ type: 'continueTurn' })}>
					{t('Continue')}
				</Button>
			</div>
		</Notice>
	);
}

function waitingText(approvals: number, questions: number): string {
	if (questions === 0) {
		return approvals === 1 ? t('1 approval waiting') : t('{0} approvals waiting', approvals);
	}
	if (approvals === 0) {
		return questions === 1 ? t('1 question waiting') : t('{0} questions waiting', questions);
	}
	return t('{0} answers waiting', approvals + questions);
}

function WaitingBar({ session }: { readonly session: SessionView }) {
	const { approvals, questions } = session;
	const ids = [...approvals.map(({ approvalId }) => approvalId), ...questions.map(({ questionId }) => questionId)];
	const outOfView = useOutOfView(ids);
	if (outOfView.length === 0) {
		return null;
	}
	const show = () => {
		const card = document.querySelector<HTMLElement>(`[data-waiting="${CSS.escape(outOfView[0] ?? '')}"]`);
		card?.scrollIntoView({ block: 'center' });
		card?.focus({ preventScroll: true });
	};
	return (
		<button type="button" class="waiting-bar" onClick={show}>
			<Icon name="shield" />
			<span>{waitingText(approvals.length, questions.length)}</span>
			<span class="waiting-show">{t('Show')}</span>
		</button>
	);
}

function Entries({ session }: { readonly session: SessionView }) {
	const { approvals, questions, entries } = session;
	const approvalsOf = useMemo(() => byItem(approvals), [approvals]);
	const questionsOf = useMemo(() => byItem(questions), [questions]);
	const tabStop = useTabStop(entries);
	const end = lastTurnEnd(session);
	const known = new Set(entries.map((entry) => entry.key));
	return (
		<>
			{entries.map((entry) => (
				<EntryView
					key={entry.key}
					entry={entry}
					sessionId={session.sessionId}
					cwd={session.cwd}
					approvals={approvalsOf.get(entry.key) ?? NONE}
					questions={questionsOf.get(entry.key) ?? NONE}
					canContinue={session.turnId === null && entry.key === end?.key}
					tabStop={entry.key === tabStop}
				/>
			))}
			<Orphans
				approvals={approvals.filter(({ itemId }) => !known.has(itemId))}
				questions={questions.filter(({ itemId }) => !known.has(itemId))}
			/>
		</>
	);
}

export function Conversation({
	session,
	sending,
}: {
	readonly session: SessionView;
	readonly sending: readonly Sending[];
}) {
	const { box, content, away, pinned, toEnd, onScroll, onWheel } = useBottomAnchor(
		session.sessionId,
		session.entries[0]?.key,
	);
	const tooMany = session.entries.length > KEPT * 1.5;
	useEffect(() => {
		if (tooMany && pinned.current) {
			dispatch({ type: 'trim', keep: KEPT });
		}
	}, [tooMany]);
	const sent = sending.length;
	useEffect(() => {
		if (sent > 0) {
			toEnd();
		}
	}, [sent]);
	return (
		<div class="conversation">
			<div class="stream" ref={box} onScroll={onScroll} onWheel={onWheel} tabIndex={-1}>
				<div class="stream-content" ref={content}>
					<LoadOlder session={session} />
					<div role="feed" aria-label={t('Conversation')} aria-busy={session.turnId !== null} onKeyDown={moveInList}>
						<Entries session={session} />
					</div>
					<Queued session={session} sending={sending} />
					<CutOff session={session} />
					<StatusLine session={session} />
				</div>
			</div>
			{away && (
				<button type="button" class="to-end" onClick={toEnd}>
					<Icon name="arrow-down" /> {t('Jump to latest')}
				</button>
			)}
			<TodoStrip todos={session.todos} />
			<WaitingBar session={session} />
		</div>
	);
}
