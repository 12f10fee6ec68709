import { useState } from 'preact/hooks';
import { t } from '../state/l10n.ts';
import type { NoticeEntry, TurnEndEntry, UnknownEntry } from '../state/sessionView.ts';
import { submit } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';
import { Button, Disclosure, Icon } from './controls.tsx';
import { formatCount, formatDuration } from './format.ts';

interface NoticeProps {
	readonly level: 'info' | 'warning' | 'error';
	readonly message: string;
	readonly remedy?: string | undefined;
	readonly children?: preact.ComponentChildren;
}

export function Notice({ level, message, remedy, children }: NoticeProps) {
	return (
		<div class={`notice notice-${level}`}>
			<Icon name={level} />
			<div class="notice-body">
				<div class="notice-message">{message}</div>
				{remedy !== undefined && <div class="notice-remedy">{remedy}</div>}
				{children}
			</div>
		</div>
	);
}

export function NoticeLine({ entry }: { readonly entry: NoticeEntry }) {
	return <Notice level={entry.level} message={entry.message} remedy={entry.remedy} />;
}

export function UnknownLine({ entry }: { readonly entry: UnknownEntry }) {
	const [open, setOpen] = useState(false);
	return (
		<Disclosure
			class="tool"
			open={open}
			onToggle={() => setOpen(!open)}
			summary={
				<>
					<span class="tool-icon">
						<Icon name="question" />
					</span>
					<span class="tool-title muted">{t('An event that this version does not know: {0}', entry.eventKind)}</span>
				</>
			}
		>
			<pre class="output" tabIndex={0} role="group" aria-label={t('Event')}>
				{JSON.stringify(entry.raw, null, 2)}
			</pre>
		</Disclosure>
	);
}

/** Ways on after a failure that has to do with the model's account or choice. */
function ModelActions({ code }: { readonly code: string }) {
	return (
		<>
			{(code === 'unauthorized' || code === 'noModel') && (
				<Button icon="key" onClick={() => post({ type: 'setUp', way: 'key' })}>
					{t('Enter an API key')}
				</Button>
			)}
			{['unauthorized', 'noModel', 'usageLimit', 'rateLimited', 'contextOverflow'].includes(code) && (
				<Button onClick={() => post({ type: 'chooseModel' })}>{t('Choose another model')}</Button>
			)}
		</>
	);
}

function Footer({ entry }: { readonly entry: TurnEndEntry }) {
	const { usage } = entry;
	const facts = [formatDuration(entry.durationMs)];
	if (usage) {
		facts.push(t('{0} tokens in, {1} out', formatCount(usage.inputTokens), formatCount(usage.outputTokens)));
	}
	return <div class="turn-footer muted">{facts.join(' · ')}</div>;
}

interface TurnEndProps {
	readonly entry: TurnEndEntry;
	/** It is the newest and nothing runs: the user can go on from here. */
	readonly canContinue: boolean;
}

/** How a turn ended, and the way on where it did not end by itself. */
export function TurnEnd({ entry, canContinue }: TurnEndProps) {
	const { reason } = entry;
	const again = () => submit({ type: 'continueTurn' });
	switch (reason.type) {
		case 'completed':
			return <Footer entry={entry} />;
		case 'interrupted':
			return (
				<>
					<Notice
						level="info"
						message={
							reason.by === 'user' ? t('You stopped this turn.') : t('This turn was cut off when the window closed.')
						}
					>
						{canContinue && (
							<div class="button-row">
								<Button primary icon="debug-continue" onClick={again}>
									{t('Continue')}
								</Button>
							</div>
						)}
					</Notice>
					<Footer entry={entry} />
				</>
			);
		case 'failed':
			return (
				<>
					<Notice level="error" message={reason.message} remedy={reason.remedy}>
						{canContinue && (
							<div class="button-row">
								<Button primary icon="refresh" onClick={again}>
									{t('Retry')}
								</Button>
								<ModelActions code={reason.code} />
							</div>
						)}
					</Notice>
					<Footer entry={entry} />
				</>
			);
	}
}
