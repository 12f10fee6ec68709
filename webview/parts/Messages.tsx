import { useState } from 'preact/hooks';
import type { AgentMessage, Reasoning, UserMessage } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { CopyButton } from './CodeBlock.tsx';
import { Disclosure, Icon, LinkButton } from './controls.tsx';
import { Markdown } from './Markdown.tsx';

/** A longer message of the user's is cut at first: the answer matters more. */
const LONG_CHARS = 1200;
const LONG_LINES = 14;

function isLong(text: string): boolean {
	return text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES;
}

export function UserText({ text }: { readonly text: string }) {
	const [all, setAll] = useState(false);
	const long = isLong(text);
	return (
		<>
			<div class={`user-text${long && !all ? ' cut' : ''}`}>{text}</div>
			{long && <LinkButton onClick={() => setAll(!all)}>{all ? t('Show less') : t('Show all')}</LinkButton>}
		</>
	);
}

export function UserBubble({ message }: { readonly message: UserMessage }) {
	return (
		<div class="user">
			<UserText text={message.text} />
			{message.steered === true && (
				<div class="muted card-note">
					<Icon name="reply" /> {t('sent while it was working')}
				</div>
			)}
		</div>
	);
}

export function AgentText({ message, running }: { readonly message: AgentMessage; readonly running: boolean }) {
	const cut = message.partial === true || message.dropped === true;
	return (
		<div class={`agent${message.dropped === true ? ' dropped' : ''}`}>
			<Markdown text={message.text} />
			{cut && (
				<div class="muted card-note">
					{message.dropped === true ? t('Cut off; the model was asked again.') : t('Cut off here.')}
				</div>
			)}
			{!running && message.text !== '' && (
				<div class="message-actions">
					<CopyButton text={message.text} label={t('Copy answer')} />
				</div>
			)}
		</div>
	);
}

/** @returns the first words of a text, without Markdown's marks. */
function teaser(text: string): string {
	return (
		text
			.replace(/[*_`#>]+/g, '')
			.trim()
			.split('\n', 1)[0]
			?.slice(0, 200) ?? ''
	);
}

export function ReasoningText({ reasoning, running }: { readonly reasoning: Reasoning; readonly running: boolean }) {
	const [open, setOpen] = useState(false);
	return (
		<Disclosure
			class="reasoning"
			open={open}
			onToggle={() => setOpen(!open)}
			summary={
				<>
					<span class={`tool-icon${running ? ' busy' : ''}`}>
						<Icon name={running ? 'loading' : 'lightbulb'} spin={running} />
					</span>
					<span class="tool-title">
						{running ? t('Thinking') : t('Thought')}
						{!open && <span class="teaser"> {teaser(reasoning.text)}</span>}
					</span>
				</>
			}
		>
			<div class="tool-details">
				<Markdown text={reasoning.text} />
			</div>
		</Disclosure>
	);
}
