import type { HTMLAttributes } from 'preact';

/** The toolkit's elements as JSX knows them: only what is registered in main.tsx, with the attributes in use. */
interface ToolkitElements {
	'vscode-button': HTMLAttributes<HTMLElement> & {
		appearance?: 'primary' | 'secondary' | 'icon';
		disabled?: boolean;
	};
	'vscode-dropdown': HTMLAttributes<HTMLElement> & { position?: 'above' | 'below'; disabled?: boolean };
	'vscode-option': HTMLAttributes<HTMLElement> & { value?: string; selected?: boolean; disabled?: boolean };
	'vscode-progress-ring': HTMLAttributes<HTMLElement>;
}

declare module 'preact' {
	namespace JSX {
		interface IntrinsicElements extends ToolkitElements {}
	}
}
