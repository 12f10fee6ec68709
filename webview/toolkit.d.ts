import type { HTMLAttributes } from 'preact';

declare module 'preact' {
	namespace JSX {
		/** The toolkit's elements as JSX knows them: only what main.tsx registers, with the attributes in use. */
		interface IntrinsicElements {
			'vscode-button': HTMLAttributes<HTMLElement> & {
				appearance?: 'primary' | 'secondary' | 'icon';
				disabled?: boolean;
			};
			'vscode-dropdown': HTMLAttributes<HTMLElement> & { positionAttribute?: 'above' | 'below'; disabled?: boolean };
			'vscode-option': HTMLAttributes<HTMLElement> & { value?: string; selected?: boolean; disabled?: boolean };
		}
	}
}
