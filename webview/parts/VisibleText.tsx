import { useMemo } from 'preact/hooks';
import { t } from '../state/l10n.ts';
import { visiblePieces } from './hiddenChars.ts';

/** Text that the user decides on: characters that would not be seen, or that turn the order, are named. */
export function VisibleText({ text }: { readonly text: string }) {
	const pieces = useMemo(() => visiblePieces(text), [text]);
	return (
		<>
			{pieces.map((piece, index) =>
				'mark' in piece ? (
					<span key={index} class="hidden-char" title={t('A character that is not seen: {0}', piece.name)}>
						{`⟨${piece.name}⟩`}
					</span>
				) : (
					piece.text
				),
			)}
		</>
	);
}
