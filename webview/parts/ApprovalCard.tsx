import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ApprovalDecision, ApprovalRequest } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { panel, submit } from '../state/store.ts';
import { isComposing } from './composerKeys.ts';
import { Button, Icon } from './controls.tsx';
import { DiffView } from './DiffView.tsx';
import { moveFocusAfterAnswer } from './focus.ts';
import { VisibleText } from './VisibleText.tsx';

function questionOf(approval: ApprovalRequest): string {
	if (approval.subject === 'egress') {
		return t('Allow a connection to this host?');
	}
	return approval.title;
}

interface FeedbackProps {
	readonly text: string;
	readonly setText: (text: string) => void;
	readonly onSend: () => void;
	readonly onCancel: () => void;
}

function FeedbackField({ text, setText, onSend, onCancel }: FeedbackProps) {
	const field = useRef<HTMLTextAreaElement>(null);
	useEffect(() => field.current?.focus(), []); // It opens on the user's own click.
	return (
		<div class="feedback">
			<textarea
				ref={field}
				rows={2}
				value={text}
				aria-label={t('What should be done instead')}
				placeholder={t('What should be done instead? Enter sends.')}
				onInput={(event) => setText(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) {
						event.preventDefault();
						onSend();
					} else if (event.key === 'Escape') {
						event.stopPropagation();
						onCancel();
					}
				}}
			/>
			<div class="button-row">
				<Button primary icon="send" onClick={onSend}>
					{t('Deny and send')}
				</Button>
				<Button onClick={onCancel}>{t('Back')}</Button>
			</div>
		</div>
	);
}

interface AnswersProps {
	readonly approval: ApprovalRequest;
	readonly decide: (decision: ApprovalDecision) => void;
	readonly onFeedback: () => void;
}

function Answers({ approval, decide, onFeedback }: AnswersProps) {
	return (
		<>
			<div class="button-row">
				<Button
					primary
					title={t('Allow once (Y while this card has the focus)')}
					onClick={() => decide({ type: 'allowOnce' })}
				>
					{t('Allow once')}
				</Button>
				{approval.sessionScope !== undefined && (
					<Button title={approval.sessionScope} onClick={() => decide({ type: 'allowForSession' })}>
						{t('Allow for this session')}
					</Button>
				)}
				<Button title={t('Deny (N while this card has the focus)')} onClick={() => decide({ type: 'deny' })}>
					{t('Deny')}
				</Button>
				<Button onClick={onFeedback}>{t('Deny with feedback')}</Button>
				<Button icon="debug-stop" onClick={() => decide({ type: 'stop' })}>
					{t('Stop the turn')}
				</Button>
			</div>
			{approval.sessionScope !== undefined && (
				<div class="muted card-note">{t('For this session: {0}', approval.sessionScope)}</div>
			)}
		</>
	);
}

function Subject({ approval, id }: { readonly approval: ApprovalRequest; readonly id: string }) {
	return (
		<>
			<pre class="exact-text approval-detail" id={id}>
				<VisibleText text={approval.detail} />
			</pre>
			{approval.cwd !== undefined && <div class="muted card-note">{t('in {0}', approval.cwd)}</div>}
			{approval.preview?.map((file) => (
				<DiffView key={file.path} file={file} />
			))}
		</>
	);
}

/**
 * A question whether something may be done. It never takes the focus by itself; single keys count only while the card
 * itself, and nothing in it, has the focus.
 */
export function ApprovalCard({ approval }: { readonly approval: ApprovalRequest }) {
	const [writing, setWriting] = useState(false);
	const [feedback, setFeedback] = useState('');
	const answered = panel.value.answered.includes(approval.approvalId);
	const card = useRef<HTMLDivElement>(null);
	const titleId = useId();
	const detailId = useId();
	const decide = (decision: ApprovalDecision) => {
		if (answered) {
			return;
		}
		moveFocusAfterAnswer(card.current);
		submit({ type: 'approvalResponse', approvalId: approval.approvalId, decision });
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey || event.repeat) {
			return;
		}
		const key = event.key.toLowerCase();
		if (key === 'y' || key === 'n') {
			event.preventDefault();
			decide(key === 'y' ? { type: 'allowOnce' } : { type: 'deny' });
		}
	};
	return (
		<div
			ref={card}
			class={`approval${answered ? ' answered' : ''}`}
			role="group"
			tabIndex={0}
			aria-labelledby={titleId}
			aria-describedby={detailId}
			aria-keyshortcuts="Y N"
			data-waiting={answered ? undefined : approval.approvalId}
			onKeyDown={onKeyDown}
		>
			<div class="approval-title" id={titleId}>
				<Icon name={approval.subject === 'egress' ? 'globe' : 'shield'} /> {questionOf(approval)}
			</div>
			<Subject approval={approval} id={detailId} />
			<div class="card-note">{approval.reason}</div>
			{answered && <div class="muted card-note">{t('Answer sent')}</div>}
			{!answered && writing && (
				<FeedbackField
					text={feedback}
					setText={setFeedback}
					onSend={() => decide({ type: 'deny', ...(feedback.trim() !== '' && { feedback: feedback.trim() }) })}
					onCancel={() => {
						setWriting(false);
						card.current?.focus();
					}}
				/>
			)}
			{!answered && !writing && <Answers approval={approval} decide={decide} onFeedback={() => setWriting(true)} />}
		</div>
	);
}
