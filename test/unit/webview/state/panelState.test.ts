import assert from 'node:assert/strict';
import type { ToPanel } from '../../../../src/protocol/index.ts';
import { t, setStrings } from '../../../../webview/state/l10n.ts';
import { INITIAL_STATE, reduce, type PanelState } from '../../../../webview/state/panelState.ts';
import { agentDone, delta, events, head, toolStarted } from './support.ts';

function play(messages: readonly ToPanel[], state: PanelState = INITIAL_STATE): PanelState {
	return messages.reduce((before, message) => reduce(before, { type: 'host', message }), state);
}

const OPENED: ToPanel = {
	type: 'opened',
	head: head({ turnId: 't1' }),
	events: events([{ type: 'turnStarted', turnId: 't1' }]),
	hasOlder: false,
};

describe('the panel', () => {
	it('shows the session that was opened, and leaves the list', () => {
		const listing = reduce(INITIAL_STATE, { type: 'showSessions', show: true });
		const state = play([OPENED], listing);
		assert.equal(state.screen, 'conversation');
		assert.equal(state.session?.turnId, 't1');
	});

	it('takes the newest seq from the message, so that what the host left out does not come again', () => {
		const state = play([OPENED, { type: 'events', sessionId: 's1', seq: 9, events: [] }]);
		assert.equal(state.session?.seq, 9);
	});

	it('survives events of unknown kinds and of no shape at all', () => {
		const state = play([
			OPENED,
			{
				type: 'events',
				sessionId: 's1',
				seq: 3,
				events: [null, 7, { type: 'hologram', id: '', seq: 2, at: 1 }, ...events([agentDone('m1', 'hi')], 3)],
			},
		]);
		assert.deepEqual(
			state.session?.entries.map(({ kind }) => kind),
			['unknown', 'item'],
		);
	});

	it('leaves events of another session out, and notices them when none is drawn', () => {
		const stray: ToPanel = { type: 'events', sessionId: 'other', seq: 1, events: events([agentDone('m1', 'x')]) };
		assert.equal(play([OPENED, stray]).session?.entries.length, 0);
		assert.deepEqual(play([stray]).strays, { count: 1, sessionId: 'other' });
	});

	it('announces events but never the stream', () => {
		const started = play([OPENED, { type: 'events', sessionId: 's1', seq: 2, events: events([toolStarted('c1')], 2) }]);
		assert.equal(started.announcement.text, 'Run c1');
		const streamed = play(
			[{ type: 'events', sessionId: 's1', seq: 2, events: events([delta('c1', 0, 'x', 'output')]) }],
			started,
		);
		assert.equal(streamed.announcement, started.announcement);
	});

	it('announces a permission first, with the exact command', () => {
		const asked = events(
			[
				{
					type: 'approvalRequested',
					approval: {
						approvalId: 'a',
						turnId: 't1',
						itemId: 'c1',
						subject: 'tool',
						tool: 'Bash',
						title: 'Run',
						detail: 'rm -rf build',
						reason: '',
						effect: 'destructive',
					},
				},
				toolStarted('c2'),
			],
			2,
		);
		const state = play([OPENED, { type: 'events', sessionId: 's1', seq: 3, events: asked }]);
		assert.equal(state.announcement.text, 'Permission needed: rm -rf build');
	});

	it('does not announce what a reload brings again', () => {
		assert.equal(play([OPENED]).announcement.text, '');
	});

	it('lets an approval be answered again when the host refused the answer', () => {
		const sent = reduce(play([OPENED]), { type: 'sent', sending: { requestId: 'p1', text: null, answers: 'a1' } });
		assert.deepEqual(sent.answered, ['a1']);
		const taken = play([{ type: 'submitted', requestId: 'p1', error: null }], sent);
		assert.deepEqual(taken.answered, ['a1']);
		const refused = play([{ type: 'submitted', requestId: 'p1', error: 'The queue is full.' }], sent);
		assert.deepEqual(refused.answered, []);
		assert.equal(refused.notices[0]?.message, 'The queue is full.');
	});

	it('shows a repeated notice once', () => {
		const notice: ToPanel = { type: 'notice', level: 'error', message: 'The disk is full.' };
		assert.equal(play([notice, notice, notice]).notices.length, 1);
	});
});

describe('t', () => {
	afterEach(() => setStrings({}));

	it('fills in arguments, in the language of the host', () => {
		assert.equal(t('{0} of {1}', 1, 2), '1 of 2');
		setStrings({ '{0} of {1}': '{1}, davon {0}' });
		assert.equal(t('{0} of {1}', 1, 2), '2, davon 1');
	});

	it('takes only own strings, and an argument is never filled in again', () => {
		assert.equal(t('constructor'), 'constructor');
		assert.equal(t('{0} {1}', '{1}', 'x'), '{1} x');
	});
});
