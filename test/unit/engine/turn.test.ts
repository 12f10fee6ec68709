import assert from 'node:assert/strict';
import type { Event } from '../../../src/protocol/index.ts';
import { ok, TestBench } from '../../support/engine/index.ts';
import { drop, errorStatus, gate, reasoning, text, toolCall, type Gate } from '../../support/scriptedModel/index.ts';

describe('A turn', () => {
	it('comes out in order, each stored event stored before it is delivered, with one end', async () => {
		await using bench = await TestBench.start();
		const session = await bench.session();
		const seenInStore: Promise<boolean>[] = [];
		session.session.listen((events) => {
			for (const event of events.filter(({ seq }) => seq > 0)) {
				seenInStore.push(
					bench.stored(session.session.id).then((stored) => stored.some(({ seq }) => seq === event.seq)),
				);
			}
		});
		bench.model.reply([reasoning('Hm. '), text('Hello there, friend.')]);
		const id = await session.say('Hi');
		await session.ended();

		const types = session.types().filter((type, index, all) => type !== 'itemDelta' || all[index - 1] !== 'itemDelta');
		assert.deepEqual(
			types,
			[
				'sessionConfigured',
				'titleChanged',
				'turnStarted',
				'itemCompleted', // the user's message
				'itemStarted',
				'itemDelta',
				'itemCompleted', // reasoning
				'itemStarted',
				'itemDelta',
				'tokenCount',
				'itemCompleted',
				'turnEnded',
			].filter((type) => type !== 'tokenCount' || types.includes('tokenCount')),
		);
		assert.equal(session.events[0]?.id, '');
		assert.ok(session.events.slice(1).every((event) => event.id === id));
		assert.deepEqual(
			session.of('turnEnded').map(({ reason }) => reason.type),
			['completed'],
		);
		assert.ok((await Promise.all(seenInStore)).every(Boolean));
		assert.deepEqual(stored(session.events), stored(await bench.stored(session.session.id)));
	});

	it('gives the results of tool calls to the model in the order of the calls, whichever ended first', async () => {
		const slow = gate();
		await using bench = await TestBench.start({
			tools: {
				Slow: { run: async () => (await passing(slow), ok('slow')) },
				Fast: { run: () => ok('fast') },
			},
		});
		const session = await bench.session();
		bench.model.reply([toolCall('Slow', {}, { id: 'a' }), toolCall('Fast', {}, { id: 'b' })], 'Done');
		await session.say('go');
		await session.event('itemCompleted', ({ item }) => item.itemId === 'b');
		slow.open();
		await session.ended();
		const { messages } = bench.model.requests[1]!.body;
		assert.deepEqual(
			messages.filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, content]),
			[
				['a', 'slow'],
				['b', 'fast'],
			],
		);
	});

	it('runs an exclusive call alone and in its place', async () => {
		const first = gate();
		const order: string[] = [];
		const note = (name: string) => () => (order.push(name), ok(name));
		await using bench = await TestBench.start({
			tools: {
				Read1: { run: async () => (await passing(first), order.push('Read1'), ok('')) },
				Write: { access: 'exclusive', run: note('Write') },
				Read2: { run: note('Read2') },
			},
		});
		const session = await bench.session();
		bench.model.reply([toolCall('Read1', {}), toolCall('Write', {}), toolCall('Read2', {})], 'Done');
		await session.say('go');
		await first.reached;
		await session.event('itemStarted', ({ item }) => item.type === 'toolCall' && item.tool === 'Read2');
		assert.deepEqual(order, []);
		first.open();
		await session.ended();
		assert.deepEqual(order, ['Read1', 'Write', 'Read2']);
	});

	it('starts a call while the model is still talking', async () => {
		const rest = gate();
		await using bench = await TestBench.start({ tools: { Look: { run: () => ok('seen') } } });
		const session = await bench.session();
		bench.model.reply([toolCall('Look', {}, { id: 'a' }), toolCall('Look', {}, { id: 'b' }), rest], 'Done');
		await session.say('go');
		await session.event('itemCompleted', ({ item }) => item.itemId === 'a');
		rest.open();
		assert.equal((await session.ended()).reason.type, 'completed');
	});

	it('prepares a call again after the calls before it, when it does not fit yet', async () => {
		let written = false;
		await using bench = await TestBench.start({
			tools: {
				Write: { access: 'exclusive', run: () => ((written = true), ok('written')) },
				Edit: { invalid: () => (written ? undefined : 'no such file'), run: () => ok('edited') },
			},
		});
		const session = await bench.session();
		bench.model.reply([toolCall('Write', {}), toolCall('Edit', {}, { id: 'e' })], 'Done');
		await session.say('go');
		const { item } = await session.event('itemCompleted', (event) => event.item.itemId === 'e');
		assert.equal(item.type === 'toolCall' && item.output, 'edited');
		await session.ended();
	});

	it('joins a message that is sent during the turn, and the model sees it at its next call', async () => {
		const middle = gate();
		await using bench = await TestBench.start();
		const session = await bench.session();
		bench.model.reply([text('Working'), middle, text(' on it.')], 'Both done.');
		await session.say('first');
		await middle.reached;
		await session.say('and this too');
		await session.event('inputQueued');
		middle.open();
		const end = await session.ended();
		assert.equal(end.reason.type, 'completed');
		assert.equal(session.of('turnStarted').length, 1);
		assert.equal(bench.model.requests.length, 2);
		assert.equal(bench.model.requests[1]!.body.messages.at(-1)!.content, 'and this too');
	});

	it('never loses a message that comes in the last instant of a turn', async () => {
		await using bench = await TestBench.start();
		const session = await bench.session();
		bench.model.handle(() => 'answer');
		for (let round = 0; round < 20; round++) {
			await session.say(`question ${round}`);
			// Sent at the moment in which the answer completes, so that it races with the end of the turn.
			await session.event('itemCompleted', ({ item }) => item.type === 'agentMessage' && item.text !== '');
			await session.say(`late ${round}`);
			await session.session.settled();
			await session.session.idle();
		}
		await bench.model.waitForRequest(21);
		await session.session.idle();
		const said = bench.model.lastRequest.body.messages
			.filter(({ role }) => role === 'user')
			.map(({ content }) => content);
		const expected = Array.from({ length: 20 }, (_, round) => [`question ${round}`, `late ${round}`]).flat();
		assert.deepEqual(said, expected);
		assert.equal(session.of('turnStarted').length, session.of('turnEnded').length);
	});

	describe('that is interrupted', () => {
		it('aborts the request at once, keeps what was said, and ends once', async () => {
			const middle = gate();
			await using bench = await TestBench.start();
			const session = await bench.session();
			bench.model.reply([text('Half a sent'), middle]);
			await session.say('go');
			await middle.reached;
			await session.event('itemDelta');
			await session.submit({ type: 'interrupt' });
			const end = await session.ended();
			assert.deepEqual(end.reason, { type: 'interrupted', by: 'user' });
			await bench.model.lastRequest.aborted;
			const { item } = await session.event('itemCompleted', (event) => event.item.type === 'agentMessage');
			assert.ok(item.type === 'agentMessage' && item.partial === true && 'Half a sent'.startsWith(item.text.trim()));

			bench.model.reply('Fresh.');
			await session.say('again');
			await session.ended(2);
			const told = bench.model.lastRequest.body.messages.map(({ content }) => content ?? '');
			assert.ok(
				told.some((content) => content.includes('[cut off here]')),
				'the model is told of the cut',
			);
		});

		it('does not wait for a tool that does not listen, and gives its call a result', async () => {
			const never = gate();
			await using bench = await TestBench.start({
				tools: { Stuck: { run: async () => (await passing(never), ok('too late')) } },
			});
			const session = await bench.session();
			bench.model.reply([toolCall('Stuck', {}, { id: 'a' })]);
			await session.say('go');
			await never.reached;
			await session.submit({ type: 'interrupt' });
			assert.equal((await session.ended()).reason.type, 'interrupted');
			const { item } = await session.event('itemCompleted', (event) => event.item.itemId === 'a');
			assert.equal(item.type === 'toolCall' && item.status, 'interrupted');
			never.open();
			await session.session.settled();
			assert.equal(session.of('itemCompleted').filter((event) => event.item.itemId === 'a').length, 1);
		});
	});

	describe('whose stream breaks', () => {
		it('is tried again and says so; what broke off is not told to the model', async () => {
			await using bench = await TestBench.start();
			const session = await bench.session();
			bench.model.reply([text('Broken '), drop()], 'Whole.');
			await session.say('go');
			assert.equal((await session.ended()).reason.type, 'completed');
			assert.deepEqual(
				session.of('retrying').map(({ attempt, max }) => [attempt, max]),
				[[1, 5]],
			);
			assert.ok(!JSON.stringify(bench.model.requests[1]!.body.messages).includes('Broken'));
		});

		it('runs no tool twice, and keeps the results of the calls that were complete', async () => {
			await using bench = await TestBench.start({ tools: { Look: { run: () => ok('seen') } } });
			const session = await bench.session();
			bench.model.reply([toolCall('Look', {}, { id: 'a' }), toolCall('Look', {}, { id: 'b' }), drop()], 'Whole.');
			await session.say('go');
			await session.ended();
			assert.deepEqual(bench.tools.began, ['Look']);
			const { messages } = bench.model.requests[1]!.body;
			assert.deepEqual(messages.map(({ role }) => role).slice(-3), ['user', 'assistant', 'tool']);
		});

		it('ends with one error that names the remedy when it is of no use to try again', async () => {
			await using bench = await TestBench.start();
			const session = await bench.session();
			bench.model.reply(errorStatus(401, 'Incorrect API key provided'));
			await session.say('go');
			const { reason } = await session.ended();
			assert.ok(reason.type === 'failed' && reason.code === 'unauthorized' && reason.remedy !== undefined);
			assert.equal(bench.model.requests.length, 1);

			bench.model.reply('Now it works.');
			await session.submit({ type: 'continueTurn' });
			assert.equal((await session.ended(2)).reason.type, 'completed');
		});
	});
});

function stored(events: readonly Event[]): readonly Event[] {
	return events.filter(({ seq }) => seq > 0);
}

/** For a tool: tells that it runs, and waits until the test lets it go. */
async function passing(place: Gate): Promise<void> {
	place.arrive();
	await place.opened;
}
