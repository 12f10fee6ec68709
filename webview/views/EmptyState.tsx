import { Icon } from '../parts/controls.tsx';
import { t } from '../state/l10n.ts';
import type { PanelState } from '../state/panelState.ts';
import { fillComposer } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';

type Way = 'key' | 'localServer' | 'practice';

interface WayProps {
	readonly way: Way;
	readonly icon: string;
	readonly label: string;
	readonly what: string;
}

function WayButton({ way, icon, label, what }: WayProps) {
	return (
		<button type="button" class="way" onClick={() => post({ type: 'setUp', way })}>
			<Icon name={icon} />
			<span class="way-text">
				<span class="way-label">{label}</span>
				<span class="muted">{what}</span>
			</span>
		</button>
	);
}

function Ways({ practice }: { readonly practice: boolean }) {
	return (
		<section class="empty-section" aria-label={t('Ways to start')}>
			<h3>{practice ? t('Use a real model') : t('Choose how to start')}</h3>
			<WayButton
				way="key"
				icon="key"
				label={t('API key')}
				what={t('Any OpenAI-compatible service; the key stays in the secret storage')}
			/>
			<WayButton
				way="localServer"
				icon="server"
				label={t('Local server')}
				what={t('Ollama, llama.cpp, LM Studio and the like')}
			/>
			{!practice && (
				<WayButton
					way="practice"
					icon="beaker"
					label={t('Practice model')}
					what={t('No AI and no account: see how approvals and diffs work')}
				/>
			)}
		</section>
	);
}

function examples(practice: boolean): readonly string[] {
	return practice
		? [t('read package.json'), t('search function'), t('run git status')]
		: [
				t('Explain how this project is laid out and how to run it.'),
				t('Find the cause of the failing test and fix it.'),
				t('Review my uncommitted changes for bugs.'),
			];
}

/** Before the first message of a session. */
export function EmptyState({ state }: { readonly state: PanelState }) {
	const { defaultModel, settings } = state;
	const practice = defaultModel?.providerId === 'practice';
	return (
		<div class="empty">
			<div class="empty-inner">
				<h3 class="empty-title">
					{settings.workspaceName === ''
						? t('What should be done?')
						: t('What should be done in {0}?', settings.workspaceName)}
				</h3>
				<p class="muted">
					{t('Every change is shown, asked for, and can be stopped. Commands reach only the hosts you allow.')}
				</p>
				{!settings.workspaceTrusted && (
					<p class="empty-note">
						<Icon name="workspace-untrusted" /> {t('This workspace is not trusted: the agent reads and plans only.')}
					</p>
				)}
				{defaultModel === null ? <Ways practice={false} /> : null}
				<section class="empty-section" aria-label={t('Examples')}>
					<h3>{t('Try')}</h3>
					{examples(practice).map((example) => (
						<button key={example} type="button" class="example" onClick={() => fillComposer(example)}>
							{example}
						</button>
					))}
				</section>
				{practice && <Ways practice />}
			</div>
		</div>
	);
}
