import { useMemo, useState } from 'preact/hooks';
import type { FileDiff } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { post } from '../state/vscodeApi.ts';
import { Icon, LinkButton } from './controls.tsx';
import { splitPath } from './format.ts';
import { parseDiff, type DiffLine } from './parseDiff.ts';
import { VisibleText } from './VisibleText.tsx';

/** Lines drawn before "Show more" is asked for. */
const FIRST_LINES = 120;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { add: '+', remove: '−', context: ' ', gap: '⋯', note: '\\' };

function Line({ line }: { readonly line: DiffLine }) {
	return (
		<div class={`diff-line diff-${line.kind}`}>
			<span class="diff-number">{line.oldLine ?? ''}</span>
			<span class="diff-number">{line.newLine ?? ''}</span>
			<span class="diff-sign">{SIGNS[line.kind]}</span>
			<span class="diff-text">
				<VisibleText text={line.text} />
			</span>
		</div>
	);
}

export function FileLink({ path }: { readonly path: string }) {
	const { folder, name } = splitPath(path);
	return (
		<a
			href="#"
			class="file-link"
			title={path}
			onClick={(event) => {
				event.preventDefault();
				event.stopPropagation();
				post({ type: 'openFile', path });
			}}
		>
			<span class="file-folder">{folder}</span>
			<span class="file-name">{name}</span>
		</a>
	);
}

export function Stats({ added, removed }: { readonly added: number; readonly removed: number }) {
	return (
		<span class="stats">
			<span class="stats-added" aria-label={t('{0} lines added', added)} role="img">
				+{added}
			</span>{' '}
			<span class="stats-removed" aria-label={t('{0} lines removed', removed)} role="img">
				−{removed}
			</span>
		</span>
	);
}

function changeWord(change: FileDiff['change']): string {
	switch (change) {
		case 'create':
			return t('new file');
		case 'delete':
			return t('deleted');
		case 'update':
			return '';
	}
}

interface DiffViewProps {
	readonly file: FileDiff;
	/** Opens VS Code's own diff editor, where the host can make one. */
	readonly onOpen?: () => void;
}

/** One file's change with line numbers. Long lines wrap, so that nothing hides beyond the edge. */
export function DiffView({ file, onOpen }: DiffViewProps) {
	const lines = useMemo(() => parseDiff(file.diff), [file.diff]);
	const [shown, setShown] = useState(FIRST_LINES);
	const hidden = lines.length - shown;
	const word = changeWord(file.change);
	return (
		<div class="diff" role="group" aria-label={t('Change of {0}', file.path)}>
			<div class="diff-head">
				<FileLink path={file.path} />
				{word !== '' && <span class="muted">{word}</span>}
				<Stats added={file.added} removed={file.removed} />
				{onOpen && (
					<button
						type="button"
						class="icon-button"
						aria-label={t('Open diff of {0}', file.path)}
						title={t('Open diff')}
						onClick={onOpen}
					>
						<Icon name="diff" />
					</button>
				)}
			</div>
			<div class="diff-lines" tabIndex={0} role="group" aria-label={t('Lines of {0}', file.path)}>
				{lines.slice(0, shown).map((line, index) => (
					<Line key={index} line={line} />
				))}
			</div>
			{hidden > 0 && (
				<div class="diff-more">
					<LinkButton onClick={() => setShown(shown + 1000)}>
						{t('Show {0} more lines', Math.min(hidden, 1000))}
					</LinkButton>
				</div>
			)}
			{hidden <= 0 && file.truncated === true && (
				<div class="diff-more muted">{t('The rest of this change is too long to show here.')}</div>
			)}
		</div>
	);
}
