import assert from 'node:assert/strict';
import { ok, TestBench, type TestTool } from '../../support/engine/index.ts';
import { gate, text, toolCall } from '../../support/scriptedModel/index.ts';

const write: TestTool = { effect: 'localMutation', access: 'exclusive', run: () => ok('written') };

describe('A session that is opened again', () => {
	it('tells the model what it told it before', async () => {
		await using bench = await TestBench.start({ tools: { Look: { run: () => ok('seen') } } });
		const session = await bench.session();
		bench.model.reply(
			[text('Let me look.'), toolCall('Look', { at: 1 }, { id: 'a' }), toolCall('Look', {}, { id: 'b' })],
			'All is well.',
		);
		await session.say('first');
		await session.ended();
		bench.model.reply('Before.');
		await session.say('second');
		await session.ended(2);
		const before = bench.model.lastRequest.body.messages;

		await bench.restart();
		const again = await bench.open(session.session.id);
		bench.model.reply('After.');
		await again.say('third');
		await again.ended();
		const after = bench.model.lastRequest.body.messages;
		assert.deepEqual(after.slice(0, before.length), before);
		assert.deepEqual(
			after.slice(before.length).map(({ role, content }) => [role, content]),
			[
				['assistant', 'Before.'],
				['user', 'third'],
			],
		);
	});

	it('has what was said of a cut answer, says so, and goes on when asked to', async () => {
		const middle = gate();
		await using bench = await TestBench.start();
		const session = await bench.session();
		bench.model.reply([text('Once upon a time'), middle]);
		await session.say('tell me');
		await middle.reached;
		await session.event('itemDelta', ({ offset, text: piece }) => offset + piece.length >= 'Once upon a time'.length);

		await bench.restart();
		const again = await bench.open(session.session.id);
		const head = again.session.head(false);
		assert.equal(head.interrupted, true);
		assert.equal(head.turnId, null);
		await again.session.settled();
		const stored = await bench.stored(session.session.id);
		const cut = stored.find((event) => event.type === 'itemCompleted' && event.item.type === 'agentMessage');
		assert.ok(cut?.type === 'itemCompleted' && cut.item.type === 'agentMessage');
		assert.equal(cut.item.text, 'Once upon a time');
		assert.equal(cut.item.partial, true);
		assert.equal(stored.filter(({ type }) => type === 'turnEnded').length, 1);

		bench.model.reply(' there was an end.');
		await again.submit({ type: 'continueTurn' });
		assert.equal((await again.ended()).reason.type, 'interrupted');
		assert.equal((await again.ended(2)).reason.type, 'completed');
	});

	it('asks again for what waited, under the same id, and goes on with the turn after the answer', async () => {
		await using bench = await TestBench.start({ tools: { Write: write } });
		const session = await bench.session();
		bench.model.reply([text('I will write.'), toolCall('Write', {}, { id: 'a' })]);
		await session.say('go');
		const { approval } = await session.event('approvalRequested');
		const { turnId } = await session.event('turnStarted');

		await bench.restart();
		const again = await bench.open(session.session.id);
		assert.deepEqual(
			again.session.head(false).approvals.map(({ approvalId }) => approvalId),
			[approval.approvalId],
		);
		assert.equal(again.session.head(false).turnId, turnId);
		bench.model.reply('Written.');
		await again.submit({ type: 'approvalResponse', approvalId: approval.approvalId, decision: { type: 'allowOnce' } });
		const end = await again.ended();
		assert.deepEqual([end.turnId, end.reason.type], [turnId, 'completed']);
		assert.deepEqual(bench.tools.began, ['Write']);
		assert.equal(bench.model.lastRequest.body.messages.at(-1)!.content, 'written');
		const stored = await bench.stored(session.session.id);
		assert.equal(stored.filter(({ type }) => type === 'turnStarted').length, 1);
		assert.equal(stored.filter(({ type }) => type === 'approvalRequested').length, 1);
	});

	it('does not run a call again that was running: its effects are not known', async () => {
		const never = gate();
		await using bench = await TestBench.start({
			tools: {
				Run: {
					run: async (_, execution) => {
						execution.output(0, 'half of the output\n');
						never.arrive();
						await never.opened;
						return ok('');
					},
				},
			},
		});
		const session = await bench.session();
		bench.model.reply([toolCall('Run', {}, { id: 'a' })]);
		await session.say('go');
		await never.reached;
		await session.event('itemDelta');
		await bench.restart();
		const again = await bench.open(session.session.id);
		await again.session.settled();
		const stored = await bench.stored(session.session.id);
		const call = stored.find((event) => event.type === 'itemCompleted' && event.item.itemId === 'a');
		assert.ok(call?.type === 'itemCompleted' && call.item.type === 'toolCall');
		assert.equal(call.item.status, 'interrupted');
		assert.match(call.item.output, /not known[\s\S]*half of the output/);
		assert.deepEqual(bench.tools.began, []);
		never.open();
	});

	it('keeps a message that was queued when the host stopped', async () => {
		const middle = gate();
		await using bench = await TestBench.start();
		const session = await bench.session();
		bench.model.reply([text('Working'), middle]);
		await session.say('first');
		await middle.reached;
		await session.say('do not lose me');
		await session.event('inputQueued');
		await bench.restart();
		const again = await bench.open(session.session.id);
		bench.model.reply('Here.');
		await again.submit({ type: 'continueTurn' });
		await again.ended(2);
		assert.equal(bench.model.lastRequest.body.messages.at(-1)!.content, 'do not lose me');
	});
});

describe('Two sessions of one window', () => {
	it('run side by side and know nothing of each other', async () => {
		const [one, two] = [gate(), gate()];
		await using bench = await TestBench.start();
		const [first, second] = [await bench.session(), await bench.session()];
		bench.model.handle(({ body }) =>
			body.messages.at(-1)!.content === 'one' ? [text('first'), one] : [text('second'), two],
		);
		await first.say('one');
		await second.say('two');
		await one.reached;
		await two.reached;
		assert.equal(bench.manager.busy, true);
		await first.submit({ type: 'interrupt' });
		await first.ended();
		two.open();
		assert.equal((await second.ended()).reason.type, 'completed');
		assert.ok(!JSON.stringify(second.events).includes('first'));
		assert.deepEqual((await bench.manager.list()).map(({ state }) => state).sort(), ['idle', 'interrupted']);
	});
});
