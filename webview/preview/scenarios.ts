import type { ToPanel } from '../../src/protocol/index.ts';
import { approval, DIFF, HELLO, NOW, opened, STORE_OPEN, summary, tool } from './fixtures.ts';
import {
	ANSWER,
	begun,
	COMMAND,
	failed,
	finished,
	LIVE_OUTPUT,
	LONG,
	QUESTION,
	READS,
	TABLE,
	TODOS,
} from './scripts.ts';

/** What the fake host posts, in order. */
export interface Scenario {
	readonly messages: readonly ToPanel[];
	/** Opens every closed tool card before the picture is taken. */
	readonly expand?: boolean;
	/** Scrolls to the top, so that what floats over the end is drawn. */
	readonly scrollTop?: boolean;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
	'empty-no-model': {
		messages: [{ ...HELLO, defaultModel: null, models: [] }, STORE_OPEN, { type: 'sessions', sessions: [] }],
	},
	'empty-ready': { messages: [HELLO, STORE_OPEN] },
	opening: { messages: [HELLO] },
	streaming: {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun()
					.tool(READS[0] ?? TODOS)
					.tool(READS[1] ?? TODOS)
					.add({ type: 'itemStarted', turnId: 't1', item: { type: 'agentMessage', itemId: 'm1', text: '', step: 1 } }),
				{ turnId: 't1', live: [{ itemId: 'm1', offset: 0, text: ANSWER.slice(0, 760) }] },
			),
		],
	},
	'running-command': {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun()
					.agent('m0', 'I run the test first.')
					.tool(COMMAND)
					.add({ type: 'inputQueued', turnId: 't1', itemId: 'u2', text: 'Also look at the time zone, please.' }),
				{ turnId: 't1', live: [{ itemId: 'c1', offset: 0, text: LIVE_OUTPUT }] },
			),
		],
	},
	finished: { messages: [HELLO, STORE_OPEN, opened(finished(), {}, true)] },
	'finished-open': { messages: [HELLO, STORE_OPEN, opened(finished())], expand: true },
	approval: {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun()
					.agent('m0', 'The month is off by one.')
					.tool(
						tool({
							itemId: 'c1',
							tool: 'Edit',
							title: 'Edit src/calendar/parse-date.ts',
							effect: 'localMutation',
							status: 'running',
						}),
					),
				{
					turnId: 't1',
					approvals: [
						approval({
							tool: 'Edit',
							title: 'Edit parse-date.ts',
							detail: 'src/calendar/parse-date.ts',
							reason: 'Safe mode asks before each change of a file.',
							preview: [DIFF],
							sessionScope: 'all edits of files in src/calendar',
						}),
					],
				},
			),
		],
	},
	'two-approvals': {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun()
					.tool({ ...COMMAND, title: 'Run npm install' })
					.tool(tool({ itemId: 'c2', tool: 'Bash', title: 'Run curl', status: 'running' })),
				{
					turnId: 't1',
					protection: { egress: 'filtered', sandbox: 'advisory', sandboxReason: 'bubblewrap is not installed.' },
					approvals: [
						approval({}),
						approval({
							approvalId: 'a2',
							itemId: 'c2',
							subject: 'egress',
							title: 'Connect',
							detail: 'evil\u202e.example.com:443',
							reason: 'No rule allows this host. The command waits for the answer.',
							sessionScope: 'evil.example.com on port 443',
						}),
					],
				},
			),
		],
	},
	'approval-out-of-view': {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(begun().agent('m1', ANSWER).agent('m2', ANSWER).tool(COMMAND), {
				todos: TODOS.display?.kind === 'todos' ? TODOS.display.todos : [],
				turnId: 't1',
				approvals: [approval({})],
			}),
		],
		scrollTop: true,
	},
	question: {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun().tool(tool({ itemId: 'k1', tool: 'AskUser', title: 'Ask which library stays', status: 'running' })),
				{ turnId: 't1', questions: [QUESTION] },
			),
		],
	},
	error: { messages: [HELLO, STORE_OPEN, opened(failed())] },
	retrying: {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(begun(), { turnId: 't1' }),
			{
				type: 'events',
				sessionId: 's1',
				seq: 3,
				events: [
					{
						type: 'retrying',
						id: '',
						seq: 0,
						at: NOW,
						turnId: 't1',
						attempt: 2,
						max: 5,
						delayMs: 4000,
						message: 'The service is busy (429).',
					},
					{
						type: 'warning',
						id: '',
						seq: 9,
						at: NOW,
						message: 'AGENTS.md is longer than 32 kB: only its beginning is used.',
					},
					{ type: 'holograms', id: '', seq: 10, at: NOW, beam: 1 },
				],
			},
		],
	},
	interrupted: {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun()
					.tool(COMMAND)
					.add({
						type: 'turnEnded',
						turnId: 't1',
						reason: { type: 'interrupted', by: 'hostStopped' },
						durationMs: 5000,
					}),
				{ interrupted: true },
			),
		],
	},
	sessions: {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(finished()),
			{
				type: 'sessions',
				sessions: [
					summary({ sessionId: 's1', title: 'Fix the failing date test', updatedAt: NOW - 20_000 }),
					summary({
						sessionId: 's2',
						title: 'Move the calendar to Temporal, drop date-fns and luxon, and keep the public API as it is',
						state: 'running',
						updatedAt: NOW - 120_000,
					}),
					summary({ sessionId: 's3', title: 'Upgrade dependencies', state: 'waiting', updatedAt: NOW - 2e6 }),
					summary({ sessionId: 's4', title: 'Explain the build', state: 'interrupted', updatedAt: NOW - 1e7 }),
					summary({ sessionId: 's5', title: 'Write the changelog', updatedAt: NOW - 4e8 }),
				],
			},
		],
	},
	'busy-elsewhere': {
		messages: [
			HELLO,
			{
				type: 'storage',
				storage: {
					state: 'busyElsewhere',
					message: 'Another window (process 4711) has this workspace’s sessions open and a turn is running there.',
				},
			},
		],
	},
	'handed-over': {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(finished()),
			{
				type: 'storage',
				storage: { state: 'handedOver', message: 'Another window took this workspace’s sessions over.' },
			},
		],
	},
	unsaved: {
		messages: [
			HELLO,
			{
				type: 'storage',
				storage: {
					state: 'unsaved',
					message: 'The sessions could not be opened: the disk is full. This chat is not saved.',
				},
			},
			opened(begun().agent('m1', 'Yes.').end(), { unsaved: true }),
			{
				type: 'notice',
				level: 'error',
				message: 'The session could not be deleted: the disk is full. Free some space and try again.',
			},
		],
	},
	'long-words': {
		messages: [
			HELLO,
			STORE_OPEN,
			opened(
				begun()
					.user('u9', LONG)
					.tool(tool({ itemId: 'l1', tool: 'Read', title: `Read ${'deep/'.repeat(30)}file.ts`, durationMs: 1500 }))
					.agent('m1', `${LONG}\n\n${TABLE}\n\n\`\`\`\n${'long line '.repeat(40)}\n\`\`\``)
					.end(),
				{
					title: LONG,
					settings: {
						providerId: 'x',
						model: 'accounts/fireworks/models/a-very-long-model-name-instruct-2507',
						trustMode: 'auto',
					},
				},
			),
		],
	},
};
