import type { PanelSettings } from '../../src/protocol/index.ts';

export interface Key {
	readonly key: string;
	readonly keyCode: number;
	readonly isComposing: boolean;
	readonly shiftKey: boolean;
	readonly ctrlKey: boolean;
	readonly metaKey: boolean;
	readonly altKey: boolean;
}

export type ComposerAction = 'send' | 'stop' | 'older' | 'newer' | null;

/** 229 is what browsers report while an input method composes: such a key is not the user's own Enter. */
export function isComposing(key: Pick<Key, 'isComposing' | 'keyCode'>): boolean {
	return key.isComposing || key.keyCode === 229;
}

/**
 * What a key does in the composer; null leaves it to the text box.
 * Keys that belong to an input method do nothing.
 */
export function composerAction(
	key: Key,
	sendKey: PanelSettings['sendKey'],
	empty: boolean,
	running: boolean,
): ComposerAction {
	if (isComposing(key)) {
		return null;
	}
	const modified = key.ctrlKey || key.metaKey;
	switch (key.key) {
		case 'Enter':
			if (key.shiftKey || key.altKey) {
				return null;
			}
			return modified || sendKey === 'enter' ? 'send' : null;
		case 'Escape':
			return running && empty ? 'stop' : null;
		case 'ArrowUp':
			return modified || key.shiftKey || key.altKey ? null : 'older';
		case 'ArrowDown':
			return modified || key.shiftKey || key.altKey ? null : 'newer';
		default:
			return null;
	}
}
