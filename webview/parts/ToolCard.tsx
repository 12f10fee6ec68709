import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FileDiff, ToolCall } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { outputParts } from '../state/outputText.ts';
import type { DecisionNote, ItemEntry } from '../state/sessionView.ts';
import { post } from '../state/vscodeApi.ts';
import { CommandDetails, Output } from './CommandDetails.tsx';
import { Disclosure, Icon, LinkButton } from './controls.tsx';
import { DiffView, Stats } from './DiffView.tsx';
import { formatDuration } from './format.ts';
import { TodoList } from './TodoList.tsx';
import { exactDetail, isAlive, toolIcon, toolKind } from './toolKinds.ts';
import { VisibleText } from './VisibleText.tsx';

/** A status in words, with an icon; null for what needs no word. */
function statusOf(
	entry: ItemEntry,
	call: ToolCall,
): { readonly icon: string; readonly word: string; readonly tone: string } | null {
	if (entry.process) {
		const { running, exitCode, signal } = entry.process;
		if (running) {
			return { icon: 'sync', word: t('in background'), tone: 'info' };
		}
		return signal === null
			? {
					icon: exitCode === 0 ? 'pass' : 'error',
					word: t('exit {0}', exitCode ?? '?'),
					tone: exitCode === 0 ? 'muted' : 'error',
				}
			: { icon: 'error', word: signal, tone: 'error' };
	}
	switch (call.status) {
		case 'running':
			return null;
		case 'completed':
			// The tool did its work; that the command itself failed is what the line must tell.
			return call.display?.kind === 'command' && call.display.exitCode !== 0 && call.display.processId === null
				? { icon: 'error', word: failureWord(call), tone: 'error' }
				: null;
		case 'denied':
			return { icon: 'circle-slash', word: t('denied'), tone: 'warning' };
		case 'blocked':
			return { icon: 'lock', word: t('blocked'), tone: 'warning' };
		case 'interrupted':
			return { icon: 'debug-stop', word: t('stopped'), tone: 'warning' };
		case 'failed':
			return { icon: 'error', word: failureWord(call), tone: 'error' };
	}
}

function failureWord(call: ToolCall): string {
	const { display } = call;
	if (display?.kind !== 'command') {
		return t('failed');
	}
	if (display.timedOut) {
		return t('timed out');
	}
	return display.signal ?? (display.exitCode === null ? t('failed') : t('exit {0}', display.exitCode));
}

function sum(files: readonly FileDiff[], key: 'added' | 'removed'): number {
	return files.reduce((total, file) => total + file[key], 0);
}

function Summary({
	entry,
	call,
	waiting,
}: {
	readonly entry: ItemEntry;
	readonly call: ToolCall;
	readonly waiting: boolean;
}) {
	const status = statusOf(entry, call);
	const busy = entry.running && !waiting;
	return (
		<>
			<span class={`tool-icon${busy ? ' busy' : ''}`}>
				<Icon name={busy ? 'loading' : toolIcon(call.tool)} spin={busy} />
			</span>
			<span class="tool-title">{call.title === '' ? call.tool : call.title}</span>
			<span class="tool-facts">
				{call.display?.kind === 'edit' && call.status === 'completed' && (
					<Stats added={sum(call.display.files, 'added')} removed={sum(call.display.files, 'removed')} />
				)}
				{waiting && (
					<span class="tone-warning">
						<Icon name="shield" /> {t('waiting for you')}
					</span>
				)}
				{status && (
					<span class={`tone-${status.tone}`}>
						<Icon name={status.icon} /> {status.word}
					</span>
				)}
				{call.durationMs !== undefined && call.durationMs >= 100 && (
					<span class="muted">{formatDuration(call.durationMs)}</span>
				)}
			</span>
		</>
	);
}

function decisionText({ decision, by, subject }: DecisionNote): string {
	const what = subject === '' ? '' : ` ${subject}`;
	switch (decision.type) {
		case 'allowOnce':
			return t('Allowed once{0}', what);
		case 'allowForSession':
			return by === 'rule' ? t('Allowed by a rule of this session{0}', what) : t('Allowed for this session{0}', what);
		case 'stop':
			return t('Denied, and the turn stopped{0}', what);
		case 'deny': {
			const text = by === 'turn' ? t('Denied when the turn ended{0}', what) : t('Denied{0}', what);
			return decision.feedback === undefined ? text : `${text}: ${decision.feedback}`;
		}
	}
}

function Verdict({ entry, call }: { readonly entry: ItemEntry; readonly call: ToolCall }) {
	const lines = [...entry.decisions.map(decisionText), ...(call.verdict === undefined ? [] : [call.verdict])];
	return (
		<>
			{lines.map((line, index) => (
				<div key={index} class="muted card-note">
					{line}
				</div>
			))}
		</>
	);
}

interface DetailsProps {
	readonly entry: ItemEntry;
	readonly call: ToolCall;
	readonly sessionId: string;
	readonly cwd: string;
}

function ResultDetails({ entry, call, sessionId }: DetailsProps) {
	const detail = exactDetail(call);
	const text = call.display?.kind === 'text' ? call.display.text : call.output;
	const parts = entry.running ? outputParts(entry.output) : text === '' ? [] : [{ text: text.slice(0, 16_384) }];
	return (
		<>
			{detail !== '' && (
				<pre class="exact-text">
					<VisibleText text={detail} />
				</pre>
			)}
			<Output parts={parts} label={t('Result of {0}', call.title)} />
			{call.hasFullOutput === true && (
				<div class="card-actions">
					<LinkButton onClick={() => post({ type: 'showOutput', sessionId, itemId: call.itemId })}>
						{t('Show full output')}
					</LinkButton>
				</div>
			)}
		</>
	);
}

function Details({ entry, call, sessionId, cwd }: DetailsProps): ComponentChildren {
	const { display } = call;
	if (toolKind(call.tool) === 'command') {
		return <CommandDetails entry={entry} call={call} sessionId={sessionId} cwd={cwd} />;
	}
	switch (display?.kind) {
		case 'edit':
			return display.files.map((file) => (
				<DiffView
					key={file.path}
					file={file}
					onOpen={() => post({ type: 'openDiff', sessionId, itemId: call.itemId, path: file.path })}
				/>
			));
		case 'todos':
			return <TodoList todos={display.todos} />;
		case 'answer':
			return (
				<div class="card-note">
					<div class="muted">{display.question}</div>
					<div>{display.answer}</div>
				</div>
			);
		case 'text':
		case 'command':
		case undefined:
			return <ResultDetails entry={entry} call={call} sessionId={sessionId} cwd={cwd} />;
	}
}

interface ToolCardProps {
	readonly entry: ItemEntry;
	readonly call: ToolCall;
	readonly sessionId: string;
	readonly cwd: string;
	/** An approval or a question of this call waits for the user. */
	readonly waiting: boolean;
}

/** One telling line; what belongs to it opens below. A running command is open, everything finished is closed. */
export function ToolCard({ entry, call, sessionId, cwd, waiting }: ToolCardProps) {
	const [chosen, setChosen] = useState<boolean | null>(null);
	const alive = isAlive(entry);
	useEffect(() => {
		if (!alive) {
			setChosen((open) => (open === false ? null : open));
		}
	}, [alive]);
	const auto = entry.running && !waiting && toolKind(call.tool) === 'command';
	const open = chosen ?? auto;
	return (
		<Disclosure
			class={`tool tool-${call.status}`}
			open={open}
			onToggle={() => setChosen(!open)}
			summary={<Summary entry={entry} call={call} waiting={waiting} />}
		>
			<div class="tool-details">
				<Details entry={entry} call={call} sessionId={sessionId} cwd={cwd} />
				<Verdict entry={entry} call={call} />
			</div>
		</Disclosure>
	);
}
