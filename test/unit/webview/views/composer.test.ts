import assert from 'node:assert/strict';
import { composerAction, type Key } from '../../../../webview/parts/composerKeys.ts';
import { NO_PLACE, stepHistory } from '../../../../webview/views/inputHistory.ts';

function key(name: string, patch: Partial<Key> = {}): Key {
	return {
		key: name,
		keyCode: 0,
		isComposing: false,
		shiftKey: false,
		ctrlKey: false,
		metaKey: false,
		altKey: false,
		...patch,
	};
}

describe('the composer', () => {
	const CASES: readonly (readonly [
		string,
		Key,
		'enter' | 'ctrlEnter',
		boolean,
		boolean,
		ReturnType<typeof composerAction>,
	])[] = [
		['Enter sends', key('Enter'), 'enter', false, false, 'send'],
		['Enter while composing does not', key('Enter', { isComposing: true }), 'enter', false, false, null],
		['Enter that an input method reports as 229 does not', key('Enter', { keyCode: 229 }), 'enter', false, false, null],
		['Shift+Enter is a new line', key('Enter', { shiftKey: true }), 'enter', false, false, null],
		['Enter is a new line where Ctrl+Enter sends', key('Enter'), 'ctrlEnter', false, false, null],
		['Ctrl+Enter sends there', key('Enter', { ctrlKey: true }), 'ctrlEnter', false, false, 'send'],
		['Cmd+Enter sends there', key('Enter', { metaKey: true }), 'ctrlEnter', false, false, 'send'],
		['Escape in the empty box stops the turn', key('Escape'), 'enter', true, true, 'stop'],
		['Escape with a draft does not', key('Escape'), 'enter', false, true, null],
		['Escape with nothing running does not', key('Escape'), 'enter', true, false, null],
	];
	for (const [name, pressed, sendKey, empty, running, expected] of CASES) {
		it(name, () => {
			assert.equal(composerAction(pressed, sendKey, empty, running), expected);
		});
	}
});

describe('stepHistory', () => {
	const sent = ['first', 'second'];

	it('walks back and forth through what was sent', () => {
		const newest = stepHistory(NO_PLACE, '', sent, 1);
		assert.equal(newest?.shown, 'second');
		const oldest = stepHistory(newest, 'second', sent, 1);
		assert.equal(oldest?.shown, 'first');
		assert.equal(stepHistory(oldest, 'first', sent, 1), null);
		assert.equal(stepHistory(oldest, 'first', sent, -1)?.shown, 'second');
		assert.equal(stepHistory(newest, 'second', sent, -1)?.shown, '');
	});

	it('never replaces what the user is writing', () => {
		const newest = stepHistory(NO_PLACE, '', sent, 1) ?? NO_PLACE;
		assert.equal(stepHistory(newest, 'second, edited', sent, 1), null);
		assert.equal(stepHistory(NO_PLACE, 'draft', sent, 1), null);
		assert.equal(stepHistory(NO_PLACE, '', sent, -1), null);
	});
});
