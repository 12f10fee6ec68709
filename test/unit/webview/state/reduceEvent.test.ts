import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EventBody } from '../../../../src/protocol/index.ts';
import { outputParts } from '../../../../webview/state/outputText.ts';
import { openSession, prependOlder, reduceEvents, trimEntries } from '../../../../webview/state/reduceEvent.ts';
import type { SessionView } from '../../../../webview/state/sessionView.ts';
import {
	agentDone,
	agentStarted,
	delta,
	EMPTY,
	events,
	head,
	item,
	textOf,
	toolStarted,
	turnEnded,
} from './support.ts';

const TURN: EventBody = { type: 'turnStarted', turnId: 't1' };
const APPROVAL = {
	approvalId: 'a1',
	turnId: 't1',
	itemId: 'c1',
	subject: 'tool',
	tool: 'Bash',
	title: 'Run',
	detail: 'npm test',
	reason: 'changes files',
	effect: 'localMutation',
} as const;

function play(bodies: readonly EventBody[], session: SessionView = EMPTY, first = 1): SessionView {
	return reduceEvents(session, events(bodies, first));
}

describe('reduceEvents', () => {
	it('shows items in the order in which they started, each once', () => {
		const session = play([
			TURN,
			toolStarted('c1'),
			toolStarted('c2'),
			agentDone('m1', 'hi'),
			{ ...toolStarted('c1'), type: 'itemCompleted' } as EventBody,
		]);
		assert.deepEqual(
			session.entries.map(({ key }) => key),
			['c1', 'c2', 'm1'],
		);
		assert.equal(item(session, 'c1').running, false);
		assert.equal(item(session, 'c2').running, true);
	});

	it('does not change the session it was given', () => {
		const before = play([TURN, agentStarted('m1', 'a')]);
		const copy = structuredClone(before);
		reduceEvents(before, events([delta('m1', 1, 'b'), turnEnded()], 3));
		assert.deepEqual(before, copy);
	});

	it('leaves stored events out that it has already', () => {
		const batch = events([TURN, agentDone('m1', 'a'), { type: 'warning', message: 'w' }]);
		const once = reduceEvents(EMPTY, batch);
		assert.deepEqual(reduceEvents(once, batch), once);
		assert.deepEqual(reduceEvents(EMPTY, [...batch, ...batch.slice(1)]), once);
	});

	it('keeps what did not change identical, so that it is not drawn again', () => {
		const before = play([TURN, agentDone('m1', 'a'), agentStarted('m2')]);
		const after = reduceEvents(before, events([delta('m2', 0, 'x')]));
		assert.equal(after.entries[0], before.entries[0]);
		assert.notEqual(after.entries[1], before.entries[1]);
	});

	it('gives the same text for every way of cutting, repeating and batching the same stream', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 80 }),
				fc.array(fc.nat(80), { maxLength: 12 }),
				fc.array(fc.nat(100), { maxLength: 12 }),
				fc.constantFrom('text', 'args', 'output'),
				(text, cuts, repeats, channel) => {
					const ends = [...new Set([...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
					const pieces = ends.map((end, index) =>
						delta('i1', ends[index - 1] ?? 0, text.slice(ends[index - 1] ?? 0, end), channel),
					);
					// A repeated piece comes again before its successor, as after a reconnection.
					const stream = pieces.flatMap((piece, index) => (repeats.includes(index) ? [piece, piece] : [piece]));
					const start = play([TURN, channel === 'text' ? agentStarted('i1') : toolStarted('i1')]);
					const session = stream.reduce((state, piece) => reduceEvents(state, events([piece])), start);
					const shown =
						channel === 'output'
							? outputParts(item(session, 'i1').output)
									.map((part) => ('text' in part ? part.text : '?'))
									.join('')
							: textOf(session, 'i1');
					assert.equal(shown, text);
					assert.equal(session.gaps, 0);
				},
			),
		);
	});

	it('takes a text back from the offset on when the model call is tried again', () => {
		const session = play([TURN, agentStarted('m1'), delta('m1', 0, 'Half an ans'), delta('m1', 4, '-baked')]);
		assert.equal(textOf(session, 'm1'), 'Half-baked');
	});

	it('finds a gap in a text and in an unknown item, and none in output', () => {
		const started = play([TURN, agentStarted('m1'), toolStarted('c1')]);
		assert.equal(reduceEvents(started, events([delta('m1', 3, 'x')])).gaps, 1);
		assert.equal(reduceEvents(started, events([delta('nobody', 0, 'x')])).gaps, 1);
		const output = reduceEvents(started, events([delta('c1', 0, 'ab', 'output'), delta('c1', 10, 'cd', 'output')]));
		assert.equal(output.gaps, 0);
		assert.deepEqual(outputParts(item(output, 'c1').output), [{ text: 'ab' }, { omitted: 8 }, { text: 'cd' }]);
	});

	it('ignores a late delta of a completed item', () => {
		const session = play([TURN, agentStarted('m1'), agentDone('m1', 'all'), delta('m1', 0, 'old')]);
		assert.equal(textOf(session, 'm1'), 'all');
		assert.equal(session.gaps, 0);
	});

	it('shows a queued message until it joins the turn', () => {
		const queued = play([TURN, { type: 'inputQueued', turnId: 't1', itemId: 'u2', text: 'also this' }]);
		assert.deepEqual(queued.queued, [{ itemId: 'u2', text: 'also this' }]);
		const joined = play(
			[
				{
					type: 'itemCompleted',
					turnId: 't1',
					item: { type: 'userMessage', itemId: 'u2', text: 'also this', steered: true },
				},
			],
			queued,
			3,
		);
		assert.deepEqual(joined.queued, []);
		assert.equal(textOf(joined, 'u2'), 'also this');
	});

	it('keeps parallel approvals apart and notes each answer at its call', () => {
		const asked = play([
			TURN,
			toolStarted('c1'),
			{ type: 'approvalRequested', approval: APPROVAL },
			{
				type: 'approvalRequested',
				approval: { ...APPROVAL, approvalId: 'a2', subject: 'egress', detail: 'npmjs.org:443' },
			},
		]);
		assert.deepEqual(
			asked.approvals.map(({ approvalId }) => approvalId),
			['a1', 'a2'],
		);
		const answered = play(
			[{ type: 'approvalResolved', approvalId: 'a2', itemId: 'c1', decision: { type: 'allowOnce' }, by: 'user' }],
			asked,
			5,
		);
		assert.deepEqual(
			answered.approvals.map(({ approvalId }) => approvalId),
			['a1'],
		);
		assert.equal(item(answered, 'c1').decisions[0]?.subject, 'npmjs.org:443');
	});

	it('ends everything of a turn that ends', () => {
		const session = play([
			TURN,
			agentStarted('m1', 'half'),
			toolStarted('c1'),
			{ type: 'approvalRequested', approval: APPROVAL },
			{ type: 'questionAsked', question: { questionId: 'q1', turnId: 't1', itemId: 'c1', question: '?', options: [] } },
			{ type: 'retrying', turnId: 't1', attempt: 1, max: 5, delayMs: 10, message: 'busy' },
			{ type: 'turnEnded', turnId: 't1', reason: { type: 'interrupted', by: 'user' }, durationMs: 9 },
		]);
		assert.equal(session.turnId, null);
		assert.equal(session.interrupted, true);
		assert.deepEqual([session.approvals, session.questions, session.retrying], [[], [], null]);
		const call = item(session, 'c1').item;
		assert.equal(call.type === 'toolCall' && call.status, 'interrupted');
		const message = item(session, 'm1').item;
		assert.equal(message.type === 'agentMessage' && message.partial, true);
	});

	it('drops the retry line when the stream goes on', () => {
		const waiting = play([
			TURN,
			agentStarted('m1'),
			{ type: 'retrying', turnId: 't1', attempt: 1, max: 5, delayMs: 10, message: 'busy' },
		]);
		assert.equal(waiting.retrying?.attempt, 1);
		assert.equal(reduceEvents(waiting, events([delta('m1', 0, 'x')])).retrying, null);
	});

	it('follows a command into the background until it ends', () => {
		const session = play([
			TURN,
			toolStarted('c1'),
			{ type: 'processStarted', processId: 'p1', itemId: 'c1', command: 'serve' },
			{ ...toolStarted('c1'), type: 'itemCompleted' } as EventBody,
		]);
		assert.equal(item(session, 'c1').process?.running, true);
		const ended = play([{ type: 'processEnded', processId: 'p1', exitCode: 3, signal: null }], session, 5);
		assert.deepEqual(item(ended, 'c1').process, { processId: 'p1', running: false, exitCode: 3, signal: null });
	});

	it('shows an event of an unknown kind as such', () => {
		const session = reduceEvents(EMPTY, [
			{ type: 'unknown', kind: 'hologram', id: '', seq: 1, at: 1, raw: { beam: 1 } },
		]);
		assert.equal(session.entries[0]?.kind, 'unknown');
		assert.equal(session.seq, 1);
	});

	it('replays 10,000 events, one message each, in under a second', () => {
		const script: EventBody[] = [TURN];
		for (let index = 0; index < 250; index++) {
			script.push(agentStarted(`m${index}`));
			for (let piece = 0; piece < 36; piece++) {
				script.push(delta(`m${index}`, piece * 10, '0123456789'));
			}
			script.push(agentDone(`m${index}`, '0123456789'.repeat(36)), toolStarted(`c${index}`));
			script.push({ ...toolStarted(`c${index}`), type: 'itemCompleted' } as EventBody);
		}
		const all = events(script);
		assert.ok(all.length >= 10_000);
		const start = performance.now();
		const session = all.reduce((state, event) => reduceEvents(state, [event]), EMPTY);
		const ms = performance.now() - start;
		assert.equal(session.entries.length, 500);
		assert.equal(session.gaps, 0);
		assert.ok(ms < 1000, `${ms.toFixed(0)} ms`);
	});
});

describe('openSession', () => {
	it('shows the live texts of running items at once', () => {
		const script = events([TURN, agentStarted('m1'), toolStarted('c1')]);
		const live = [
			{ itemId: 'm1', text: 'so far', offset: 0 },
			{ itemId: 'c1', text: 'tail', offset: 500 },
		];
		const session = openSession(head({ turnId: 't1', live }), script, false);
		assert.equal(textOf(session, 'm1'), 'so far');
		assert.deepEqual(outputParts(item(session, 'c1').output), [{ omitted: 500 }, { text: 'tail' }]);
		const next = reduceEvents(session, events([delta('m1', 6, ', and on'), delta('c1', 504, '!', 'output')]));
		assert.equal(textOf(next, 'm1'), 'so far, and on');
		assert.deepEqual(outputParts(item(next, 'c1').output), [{ omitted: 500 }, { text: 'tail!' }]);
	});

	it('shows approvals that wait, also those asked before the loaded page', () => {
		const session = openSession(head({ turnId: 't1', approvals: [APPROVAL] }), events([toolStarted('c9')], 80), true);
		assert.deepEqual(session.approvals, [APPROVAL]);
		assert.equal(session.olderBefore, 80);
	});

	it('shows what ran when the host was killed as cut off', () => {
		const session = openSession(head({ interrupted: true }), events([TURN, toolStarted('c1')]), false);
		const call = item(session, 'c1');
		assert.equal(call.running, false);
		assert.equal(session.turnId, null);
		assert.equal(session.interrupted, true);
	});
});

describe('older entries', () => {
	const whole = events([
		TURN,
		agentDone('m1', '1'),
		toolStarted('c1'),
		agentDone('m2', '2'),
		{ ...toolStarted('c1'), type: 'itemCompleted' } as EventBody,
		turnEnded(),
	]);

	it('come before what is shown, and an item that spans both pages stays whole', () => {
		const newest = openSession(head(), whole.slice(3), true);
		const session = prependOlder(newest, whole.slice(0, 3), false);
		assert.deepEqual(
			session.entries.map(({ key }) => key),
			['m1', 'm2', 'c1', 'turnEnded-6'],
		);
		assert.equal(session.seq, 6);
		assert.equal(session.hasOlder, false);
	});

	it('are the same after they were trimmed and loaded again', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 8 }), (keep) => {
				const session = openSession(head(), whole, false);
				const trimmed = trimEntries(session, keep);
				if (trimmed === session) {
					return;
				}
				const again = prependOlder(
					trimmed,
					whole.filter((event) => event.seq < trimmed.olderBefore),
					false,
				);
				assert.deepEqual(
					again.entries.map(({ key }) => key),
					session.entries.map(({ key }) => key),
				);
			}),
		);
	});

	it('are not trimmed while they run', () => {
		const session = play([TURN, toolStarted('c1'), agentDone('m1', '1'), agentDone('m2', '2')]);
		assert.equal(trimEntries(session, 1).entries.length, 3);
	});
});
