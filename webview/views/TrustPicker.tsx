import { useEffect, useRef } from 'preact/hooks';
import { TrustModeSchema, type PanelSettings, type TrustMode } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { submit } from '../state/store.ts';

interface Choice {
	readonly mode: TrustMode;
	readonly label: string;
	readonly what: string;
}

function choices(settings: PanelSettings): readonly Choice[] {
	return [
		{ mode: 'plan', label: t('Plan'), what: t('Reads and plans, changes nothing') },
		{ mode: 'safe', label: t('Safe'), what: t('Asks before each change') },
		{ mode: 'auto', label: t('Auto'), what: settings.autoModeLimit ?? t('Changes the workspace, asks before harm') },
	];
}

interface TrustPickerProps {
	readonly mode: TrustMode;
	readonly settings: PanelSettings;
}

/** The trust mode, with one line on what each does. */
export function TrustPicker({ mode, settings }: TrustPickerProps) {
	const dropdown = useRef<HTMLElement & { value: string }>(null);
	// The toolkit's dropdown keeps a value of its own: it is told again when the session's changes.
	useEffect(() => {
		if (dropdown.current) {
			dropdown.current.value = mode;
		}
	}, [mode]);
	const onChange = () => {
		const chosen = TrustModeSchema.safeParse(dropdown.current?.value);
		if (chosen.success && chosen.data !== mode) {
			submit({ type: 'updateSettings', settings: { trustMode: chosen.data } });
			// What is shown is what is in force: the host may refuse.
			if (dropdown.current) {
				dropdown.current.value = mode;
			}
		}
	};
	const all = choices(settings);
	const current = all.find((choice) => choice.mode === mode);
	return (
		<vscode-dropdown
			ref={dropdown}
			class="trust"
			positionAttribute="above"
			aria-label={t('Trust mode: {0}', current?.label ?? mode)}
			title={current === undefined ? mode : `${current.label}: ${current.what}`}
			onChange={onChange}
		>
			<span slot="selected-value">{current?.label}</span>
			{all.map((choice) => (
				<vscode-option
					key={choice.mode}
					value={choice.mode}
					disabled={!settings.workspaceTrusted && choice.mode !== 'plan'}
					title={settings.workspaceTrusted ? choice.what : t('This workspace is not trusted: only Plan is available.')}
				>
					<span class="trust-label">{choice.label}</span>
					<span class="trust-what">{choice.what}</span>
				</vscode-option>
			))}
		</vscode-dropdown>
	);
}
