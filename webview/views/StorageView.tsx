import { Button, Icon } from '../parts/controls.tsx';
import { t } from '../state/l10n.ts';
import type { PanelState } from '../state/panelState.ts';
import { post } from '../state/vscodeApi.ts';

const choose = (choice: 'takeOver' | 'wait' | 'unsaved') => post({ type: 'storageChoice', choice });

/** Instead of the conversation while there is no store to show one from; null when there is. */
export function StorageScreen({ state }: { readonly state: PanelState }) {
	const { storage } = state;
	if (storage.state === 'opening') {
		return (
			<div class="empty">
				<p class="opening">
					<Icon name="loading" spin />
					<span class="muted">{t('Opening the sessions of this workspace')}</span>
				</p>
			</div>
		);
	}
	if (storage.state !== 'busyElsewhere') {
		return null;
	}
	return (
		<div class="empty">
			<div class="empty-inner">
				<h3 class="empty-title">
					<Icon name="multiple-windows" /> {t('The sessions are in use elsewhere')}
				</h3>
				<p>{storage.message}</p>
				<dl class="choices">
					<dt>
						<Button primary onClick={() => choose('takeOver')}>
							{t('Take over')}
						</Button>
					</dt>
					<dd class="muted">{t('Stops the turn that runs there and goes on here.')}</dd>
					<dt>
						<Button onClick={() => choose('wait')}>{t('Wait')}</Button>
					</dt>
					<dd class="muted">{t('Opens them here as soon as they are free.')}</dd>
					<dt>
						<Button onClick={() => choose('unsaved')}>{t('Unsaved chat')}</Button>
					</dt>
					<dd class="muted">{t('Starts at once; nothing of it is kept.')}</dd>
				</dl>
			</div>
		</div>
	);
}

/** Above the composer while sessions are not kept, or went to another window. */
export function StorageBanner({ state }: { readonly state: PanelState }) {
	const { storage, session } = state;
	if (storage.state === 'handedOver') {
		return (
			<div class="banner" role="note">
				<Icon name="multiple-windows" />
				<span>{storage.message}</span>
				<Button onClick={() => choose('takeOver')}>{t('Take over')}</Button>
			</div>
		);
	}
	if (storage.state === 'unsaved' || session?.unsaved === true) {
		const message =
			storage.state === 'unsaved' ? storage.message : t('This chat is not saved: it ends when the window closes.');
		return (
			<div class="banner" role="note">
				<Icon name="warning" />
				<span>{message}</span>
			</div>
		);
	}
	return null;
}
