import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/controls.tsx';
import { t } from '../state/l10n.ts';
import type { PanelState } from '../state/panelState.ts';
import { draft, focusRequests, setDraft, submit } from '../state/store.ts';
import { post } from '../state/vscodeApi.ts';
import { composerAction } from '../parts/composerKeys.ts';
import { NO_PLACE, sentMessages, stepHistory } from './inputHistory.ts';
import { TrustPicker } from './TrustPicker.tsx';

/** Why nothing can be sent now, or null. */
function lockedBy(state: PanelState): string | null {
	switch (state.storage.state) {
		case 'busyElsewhere':
			return t('The sessions are in use elsewhere');
		case 'handedOver':
			return t('The sessions moved to another window');
		// A message sent while the store opens waits for it at the host; a session with no model chosen gets one there.
		case 'opening':
		case 'open':
		case 'unsaved':
			return null;
	}
}

function placeholder(state: PanelState, locked: string | null): string {
	if (locked !== null) {
		return locked;
	}
	if (state.session !== null && state.session.turnId !== null) {
		return t('Add to the running turn');
	}
	return state.session ? t('Go on with this session') : t('What should be done?');
}

function ModelButton({ state }: { readonly state: PanelState }) {
	const { session, defaultModel, models } = state;
	const model = session?.settings.model ?? defaultModel?.model;
	const providerId = session?.settings.providerId ?? defaultModel?.providerId;
	const provider =
		models.find((choice) => choice.providerId === providerId)?.providerLabel ??
		defaultModel?.providerLabel ??
		providerId;
	const name = model === undefined || model === '' ? t('Choose a model') : model;
	return (
		<button
			type="button"
			class="model"
			title={provider === undefined ? name : t('Model: {0} ({1}). Click to choose another.', name, provider)}
			aria-label={t('Model: {0}', name)}
			onClick={() => post({ type: 'chooseModel' })}
		>
			<span>{name}</span>
			<Icon name="chevron-down" />
		</button>
	);
}

function SendButton({
	running,
	disabled,
	onSend,
}: {
	readonly running: boolean;
	readonly disabled: boolean;
	readonly onSend: () => void;
}) {
	const label = running ? t('Add to the running turn') : t('Send');
	return (
		<button type="button" class="send" aria-label={label} title={label} disabled={disabled} onClick={onSend}>
			<Icon name="arrow-up" />
		</button>
	);
}

function StopButton() {
	return (
		<button
			type="button"
			class="stop"
			title={t('Stop (Escape in the empty box)')}
			aria-label={t('Stop')}
			onClick={() => submit({ type: 'interrupt' })}
		>
			<Icon name="stop-circle" />
		</button>
	);
}

/** The draft box and what it does with keys. */
function useComposer(state: PanelState, locked: string | null) {
	const box = useRef<HTMLTextAreaElement>(null);
	const place = useRef(NO_PLACE);
	const running = state.session !== null && state.session.turnId !== null;
	const requested = focusRequests.value;
	useEffect(() => {
		if (requested > 0 && box.current) {
			box.current.focus();
			box.current.selectionStart = box.current.value.length;
		}
	}, [requested]);
	const send = () => {
		const text = draft.value.trim();
		if (text !== '' && locked === null) {
			place.current = NO_PLACE;
			setDraft('');
			submit({ type: 'userTurn', text });
			box.current?.focus();
		}
	};
	const walk = (event: KeyboardEvent, step: 1 | -1) => {
		const next = stepHistory(place.current, draft.value, sentMessages(state.session?.entries ?? []), step);
		if (next?.shown !== undefined && next.shown !== null) {
			event.preventDefault();
			place.current = next;
			setDraft(next.shown);
		}
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const action = composerAction(event, state.settings.sendKey, draft.value === '', running);
		switch (action) {
			case 'send':
				event.preventDefault();
				send();
				break;
			case 'stop':
				submit({ type: 'interrupt' });
				break;
			case 'older':
				walk(event, 1);
				break;
			case 'newer':
				walk(event, -1);
				break;
			case null:
				break;
		}
	};
	return { box, running, send, onKeyDown };
}

export function Composer({ state }: { readonly state: PanelState }) {
	const locked = lockedBy(state);
	const { box, running, send, onKeyDown } = useComposer(state, locked);
	const text = draft.value;
	const keys =
		state.settings.sendKey === 'enter'
			? t('Enter sends, Shift+Enter makes a new line')
			: t('Ctrl+Enter or Cmd+Enter sends');
	return (
		<div class={`composer${locked === null ? '' : ' locked'}`}>
			<textarea
				ref={box}
				rows={1}
				value={text}
				placeholder={placeholder(state, locked)}
				aria-label={running ? t('Message to the running turn') : t('Message')}
				title={keys}
				onInput={(event) => setDraft(event.currentTarget.value)}
				onKeyDown={onKeyDown}
			/>
			<div class="composer-bar">
				{state.session && <TrustPicker mode={state.session.settings.trustMode} settings={state.settings} />}
				<ModelButton state={state} />
				<span class="grow" />
				{running && <StopButton />}
				<SendButton running={running} disabled={text.trim() === '' || locked !== null} onSend={send} />
			</div>
		</div>
	);
}
