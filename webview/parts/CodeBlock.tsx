import { useEffect, useMemo, useState } from 'preact/hooks';
import { t } from '../state/l10n.ts';
import { copyText } from '../state/store.ts';
import { highlight } from './highlight.ts';
import { Icon } from './controls.tsx';

/** How long the button says that it copied, milliseconds. */
const COPIED_MS = 1500;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) {
			return;
		}
		const timer = setTimeout(() => setCopied(false), COPIED_MS);
		return () => clearTimeout(timer);
	}, [copied]);
	return (
		<button
			type="button"
			class="icon-button copy"
			aria-label={label}
			title={copied ? t('Copied') : label}
			onClick={() => {
				copyText(text);
				setCopied(true);
			}}
		>
			<Icon name={copied ? 'check' : 'copy'} />
		</button>
	);
}

export function Highlighted({ code, language }: { readonly code: string; readonly language: string }) {
	const parts = useMemo(() => highlight(code, language), [code, language]);
	return (
		<code>
			{parts.map((part, index) =>
				part.scope === '' ? (
					part.text
				) : (
					<span key={index} class={part.scope}>
						{part.text}
					</span>
				),
			)}
		</code>
	);
}

/** A block of code in an answer. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
	return (
		<div class="code-block">
			<div class="code-head">
				<span class="code-language">{language === '' ? t('text') : language}</span>
				<CopyButton text={code} label={t('Copy code')} />
			</div>
			{/* Scrolls sideways: reachable by keyboard, as WCAG 2.1.1 asks. */}
			<pre tabIndex={0} role="group" aria-label={t('Code')}>
				<Highlighted code={code} language={language} />
			</pre>
		</div>
	);
}
