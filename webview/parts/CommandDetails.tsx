import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ToolCall } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { outputParts, type OutputPart } from '../state/outputText.ts';
import type { ItemEntry } from '../state/sessionView.ts';
import { submit } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';
import { parseAnsi, type AnsiSpan } from './ansi.ts';
import { CopyButton } from './CodeBlock.tsx';
import { isComposing } from './composerKeys.ts';
import { Button, LinkButton } from './controls.tsx';
import { callCwd, exactDetail, isAlive } from './toolKinds.ts';
import { VisibleText } from './VisibleText.tsx';

/** Characters of output that a card draws; the rest is behind "Show full output". */
const SHOWN = 16_384;

function ansiClass(span: AnsiSpan): string {
	const classes = [
		span.fg !== undefined ? `ansi-fg-${span.fg}` : '',
		span.bg !== undefined ? `ansi-bg-${span.bg}` : '',
		...(['bold', 'dim', 'italic', 'underline', 'inverse'] as const).map((key) => (span[key] ? `ansi-${key}` : '')),
	];
	return classes.filter((name) => name !== '').join(' ');
}

function Ansi({ text }: { readonly text: string }) {
	const spans = useMemo(() => parseAnsi(text), [text]);
	return (
		<>
			{spans.map((span, index) => {
				const name = ansiClass(span);
				return name === '' ? (
					span.text
				) : (
					<span key={index} class={name}>
						{span.text}
					</span>
				);
			})}
		</>
	);
}

/** Output as it stands, at its newest line unless the user scrolled up in it. */
export function Output({ parts, label }: { readonly parts: readonly OutputPart[]; readonly label: string }) {
	const box = useRef<HTMLPreElement>(null);
	const atEnd = useRef(true);
	useLayoutEffect(() => {
		if (box.current && atEnd.current) {
			box.current.scrollTop = box.current.scrollHeight;
		}
	});
	if (parts.length === 0) {
		return null;
	}
	return (
		<pre
			ref={box}
			class="output"
			tabIndex={0}
			role="group"
			aria-label={label}
			onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
				atEnd.current = scrollHeight - scrollTop - clientHeight < 8;
			}}
		>
			{parts.map((part, index) =>
				'omitted' in part ? (
					<span key={index} class="omitted">
						{t('… {0} characters not shown …', part.omitted.toLocaleString())}
						{'\n'}
					</span>
				) : (
					<Ansi key={index} text={part.text} />
				),
			)}
		</pre>
	);
}

function StdinField({ processId }: { readonly processId: string }) {
	const [text, setText] = useState('');
	const send = () => {
		submit({ type: 'controlProcess', processId, action: { type: 'input', text: `${text}\n` } });
		setText('');
	};
	return (
		<form
			class="stdin"
			onSubmit={(event) => {
				event.preventDefault();
				send();
			}}
		>
			<input
				type="text"
				value={text}
				aria-label={t('Input for the running command')}
				placeholder={t('Type input for the command')}
				onInput={(event) => setText(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter' && isComposing(event)) {
						event.preventDefault();
					}
				}}
			/>
			<Button onClick={send}>{t('Send')}</Button>
		</form>
	);
}

function Controls({ entry, sessionId }: { readonly entry: ItemEntry; readonly sessionId: string }) {
	const [typing, setTyping] = useState(false);
	const processId = entry.process?.processId ?? entry.item.itemId;
	const alive = isAlive(entry);
	const wasRun = entry.item.type !== 'toolCall' || !['denied', 'blocked'].includes(entry.item.status);
	const control = (type: 'kill' | 'background') => submit({ type: 'controlProcess', processId, action: { type } });
	useEffect(() => {
		if (!alive) {
			setTyping(false);
		}
	}, [alive]);
	return (
		<>
			<div class="card-actions">
				{alive && <LinkButton onClick={() => control('kill')}>{t('Kill')}</LinkButton>}
				{entry.running && <LinkButton onClick={() => control('background')}>{t('Move to background')}</LinkButton>}
				{alive && <LinkButton onClick={() => setTyping(!typing)}>{t('Type input')}</LinkButton>}
				{wasRun && (
					<LinkButton onClick={() => post({ type: 'showTerminal', sessionId, itemId: entry.item.itemId })}>
						{t('Show in terminal')}
					</LinkButton>
				)}
				{entry.item.type === 'toolCall' && entry.item.hasFullOutput === true && (
					<LinkButton onClick={() => post({ type: 'showOutput', sessionId, itemId: entry.item.itemId })}>
						{t('Show full output')}
					</LinkButton>
				)}
			</div>
			{typing && <StdinField processId={processId} />}
		</>
	);
}

/** What of a command's output the card draws. */
function partsOf(entry: ItemEntry, call: ToolCall): OutputPart[] {
	if (entry.running || call.display?.kind !== 'command') {
		const live = outputParts(entry.output, SHOWN);
		return live.length > 0 || call.output === '' ? live : [{ text: call.output.slice(-SHOWN) }];
	}
	const { tail, totalBytes } = call.display;
	const text = tail.slice(-SHOWN);
	const omitted = Math.max(0, totalBytes - new TextEncoder().encode(text).length);
	if (text === '') {
		return [];
	}
	return omitted > 0 ? [{ omitted }, { text }] : [{ text }];
}

interface CommandDetailsProps {
	readonly entry: ItemEntry;
	readonly call: ToolCall;
	readonly sessionId: string;
	readonly cwd: string;
}

export function CommandDetails({ entry, call, sessionId, cwd }: CommandDetailsProps) {
	const command = exactDetail(call);
	const parts = partsOf(entry, call);
	const folder = callCwd(call, cwd);
	return (
		<>
			<div class="exact">
				<pre class="exact-text">
					<span class="prompt" aria-hidden="true">
						${' '}
					</span>
					<VisibleText text={command} />
				</pre>
				<CopyButton text={command} label={t('Copy command')} />
			</div>
			{folder !== '' && <div class="muted card-note">{t('in {0}', folder)}</div>}
			<Output parts={parts} label={t('Output of {0}', command)} />
			{parts.length === 0 && !entry.running && <div class="muted card-note">{t('No output')}</div>}
			<Controls entry={entry} sessionId={sessionId} />
		</>
	);
}
