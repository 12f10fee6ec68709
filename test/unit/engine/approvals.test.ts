import assert from 'node:assert/strict';
import type { ToolCall } from '../../../src/protocol/index.ts';
import { ok, TestBench, type Recorded, type TestTool } from '../../support/engine/index.ts';
import { gate, toolCall } from '../../support/scriptedModel/index.ts';

const write: TestTool = { effect: 'localMutation', access: 'exclusive', sessionKey: 'write', run: () => ok('written') };
const remove: TestTool = { effect: 'destructive', access: 'exclusive', run: () => ok('removed') };
const look: TestTool = { run: () => ok('seen') };

async function answer(
	session: Recorded,
	itemId: string,
	decision: 'allowOnce' | 'allowForSession' | 'stop',
): Promise<void> {
	const { approval } = await session.event('approvalRequested', (event) => event.approval.itemId === itemId);
	await session.submit({ type: 'approvalResponse', approvalId: approval.approvalId, decision: { type: decision } });
}

async function result(session: Recorded, itemId: string): Promise<ToolCall> {
	const { item } = await session.event('itemCompleted', (event) => event.item.itemId === itemId);
	assert.ok(item.type === 'toolCall');
	return item;
}

describe('Approvals', () => {
	it('ask for two calls side by side, each answered under its own id, in any order', async () => {
		await using bench = await TestBench.start({ tools: { Write: write } });
		const session = await bench.session();
		bench.model.reply([toolCall('Write', { n: 1 }, { id: 'a' }), toolCall('Write', { n: 2 }, { id: 'b' })], 'Done');
		await session.say('go');
		await session.event('approvalRequested', (event) => event.approval.itemId === 'b');
		assert.equal(session.session.head(false).approvals.length, 2);
		const { approval } = await session.event('approvalRequested', (event) => event.approval.itemId === 'b');
		await session.submit({
			type: 'approvalResponse',
			approvalId: approval.approvalId,
			decision: { type: 'deny', feedback: 'use the other file' },
		});
		assert.equal((await result(session, 'b')).status, 'denied');
		assert.deepEqual(
			(await bench.manager.list()).map(({ state }) => state),
			['waiting'],
		);
		await answer(session, 'a', 'allowOnce');
		assert.equal((await result(session, 'a')).output, 'written');
		await session.ended();
		const told = bench.model.lastRequest.body.messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => content ?? '');
		assert.equal(told[0], 'written');
		assert.match(told[1]!, /use the other file/);
	});

	it('run no call before the answer, and ignore an answer that comes twice or to an id that is not known', async () => {
		await using bench = await TestBench.start({ tools: { Write: write } });
		const session = await bench.session();
		bench.model.reply([toolCall('Write', {}, { id: 'a' })], 'Done');
		await session.say('go');
		const { approval } = await session.event('approvalRequested');
		await session.submit({ type: 'approvalResponse', approvalId: 'foreign', decision: { type: 'allowOnce' } });
		assert.deepEqual(bench.tools.began, []);
		for (const type of ['deny', 'allowOnce'] as const) {
			await session.submit({ type: 'approvalResponse', approvalId: approval.approvalId, decision: { type } });
		}
		assert.equal((await result(session, 'a')).status, 'denied');
		await session.ended();
		assert.deepEqual(bench.tools.began, []);
	});

	it('remember “for this session” for the same kind of call only, and forget it with the session', async () => {
		await using bench = await TestBench.start({ tools: { Write: write, Remove: remove } });
		const session = await bench.session();
		bench.model.reply(
			[toolCall('Write', {}, { id: 'a' })],
			[toolCall('Write', {}, { id: 'b' }), toolCall('Remove', {}, { id: 'c' })],
		);
		await session.say('go');
		await answer(session, 'a', 'allowForSession');
		assert.equal((await result(session, 'b')).status, 'completed');
		const { approval } = await session.event('approvalRequested', (event) => event.approval.itemId === 'c');
		assert.equal(approval.sessionScope, undefined);
		await session.submit({ type: 'interrupt' });
		await session.ended();
		await bench.restart();
		const again = await bench.open(session.session.id);
		bench.model.reply([toolCall('Write', {}, { id: 'd' })], 'Done');
		await again.say('more');
		await again.event('approvalRequested', (event) => event.approval.itemId === 'd');
	});

	it('that wait are denied, each once, when the turn is stopped, and “Stop” stops it', async () => {
		await using bench = await TestBench.start({ tools: { Write: write } });
		const session = await bench.session();
		bench.model.reply([toolCall('Write', {}, { id: 'a' }), toolCall('Write', {}, { id: 'b' })]);
		await session.say('go');
		await session.event('approvalRequested', (event) => event.approval.itemId === 'b');
		await answer(session, 'a', 'stop');
		assert.equal((await session.ended()).reason.type, 'interrupted');
		assert.deepEqual(
			session.of('approvalResolved').map(({ by }) => by),
			['user', 'turn'],
		);
		assert.deepEqual(bench.tools.began, []);
		assert.equal(session.session.head(false).approvals.length, 0);
	});

	it('are not asked for a call that cannot succeed', async () => {
		await using bench = await TestBench.start({
			tools: { Write: { ...write, preview: () => Promise.reject(new Error('a.txt is a directory')) } },
		});
		const session = await bench.session();
		bench.model.reply([toolCall('Write', {}, { id: 'a' })], 'Done');
		await session.say('go');
		assert.match((await result(session, 'a')).output, /is a directory/);
		await session.ended();
		assert.equal(session.of('approvalRequested').length, 0);
	});

	it('follow the trust mode that holds when the call is judged', async () => {
		const middle = gate();
		await using bench = await TestBench.start({ tools: { Write: write, Look: look } });
		const session = await bench.session({ trustMode: 'plan' });
		bench.model.reply(
			[
				toolCall('Look', {}, { id: 'l' }),
				toolCall('Write', {}, { id: 'a' }),
				toolCall('Look', {}, { id: 'm' }),
				middle,
			],
			[toolCall('Write', {}, { id: 'b' })],
			'Done',
		);
		await session.say('go');
		assert.equal((await result(session, 'l')).status, 'completed');
		assert.equal((await result(session, 'a')).status, 'blocked');
		await session.submit({ type: 'updateSettings', settings: { trustMode: 'safe' } });
		middle.open();
		await answer(session, 'b', 'allowOnce');
		assert.equal((await result(session, 'b')).status, 'completed');
	});

	it('auto mode asks as long as no sandbox is enforced, and says why', async () => {
		await using bench = await TestBench.start({ tools: { Write: write, Remove: remove } });
		const session = await bench.session({ trustMode: 'auto' });
		bench.model.reply(
			[toolCall('Write', {}, { id: 'a' })],
			[toolCall('Write', {}, { id: 'b' }), toolCall('Remove', {}, { id: 'c' })],
			'Done',
		);
		await session.say('go');
		const { approval } = await session.event('approvalRequested');
		assert.match(approval.reason, /sandbox/);
		await answer(session, 'a', 'allowOnce');
		session.session.protectionChanged({ egress: 'filtered', sandbox: 'enforced' });
		await session.event('approvalRequested', (event) => event.approval.itemId === 'c');
		await answer(session, 'c', 'allowOnce');
		await session.ended();
	});

	it('an untrusted workspace gets plan mode, whatever the settings say', async () => {
		await using bench = await TestBench.start({ tools: { Write: write }, trusted: false });
		const session = await bench.session({ trustMode: 'auto' });
		bench.model.reply([toolCall('Write', {}, { id: 'a' })], 'Done');
		await session.say('go');
		assert.equal((await result(session, 'a')).status, 'blocked');
		await session.ended();
		await session.submit({ type: 'updateSettings', settings: { trustMode: 'safe' } });
		const error = await session.event('error');
		assert.equal(error.code, 'badRequest');
		assert.equal(session.of('settingsChanged').length, 0);
	});

	it('a write outside the workspace asks in every mode but plan', async () => {
		await using bench = await TestBench.start({ tools: { Write: { ...write, outside: ['/etc/passwd'] } } });
		const session = await bench.session({ trustMode: 'auto' });
		session.session.protectionChanged({ egress: 'filtered', sandbox: 'enforced' });
		bench.model.reply([toolCall('Write', {}, { id: 'a' })], 'Done');
		await session.say('go');
		const { approval } = await session.event('approvalRequested');
		assert.match(approval.reason, /\/etc\/passwd is outside the workspace/);
		await answer(session, 'a', 'allowOnce');
		await session.ended();
	});
});
