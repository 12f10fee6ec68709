import type { ToPanel } from '../../src/protocol/index.ts';
import { approval, DIFF, HELLO, NEW_FILE, NOW, opened, Script, STORE_OPEN, summary, tool } from './fixtures.ts';

/** What the fake host posts, in order. */
export interface Scenario {
	readonly messages: readonly ToPanel[];
	/** Opens every closed tool card before the picture is taken. */
	readonly expand?: boolean;
	/** Scrolls to the top, so that what floats over the end is drawn. */
	readonly scrollTop?: boolean;
}

const ANSWER = `The test fails because \`Date\` counts months from 0. \`parseDate\` in \`src/calendar/parse-date.ts:14\` hands the month on as it stands.

## What I changed

1. **Months are shifted by one**, in UTC so that the time zone of the machine does not matter.
2. Text that is no date now throws a \`RangeError\` instead of giving \`Invalid Date\`.
   - callers in [the form](src/ui/form.ts#L40) catch it already
   - [x] covered by a test

\`\`\`ts
export function parseDate(text: string): Date {
	const [year, month, day] = text.split('-').map(Number);
	// Months count from 0 in Date, from 1 in ISO 8601.
	return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1));
}
\`\`\`

> The old behaviour came with the first commit; nothing depends on it.

See [RFC 3339](https://www.rfc-editor.org/rfc/rfc3339) for the format. ![diagram](https://example.com/x.png)`;

function begun(): Script {
	return new Script()
		.add(
			{
				type: 'sessionConfigured',
				settings: { providerId: 'openai', model: 'gpt-5.2-codex', trustMode: 'safe' },
				cwd: '/home/ada/orchard',
				version: 1,
			},
			{ type: 'turnStarted', turnId: 't1' },
		)
		.user(
			'u1',
			'The test for parseDate fails since this morning. Find out why, fix it, and add a test that would have caught it.',
		);
}

const READS = [
	tool({
		itemId: 'r1',
		tool: 'Read',
		title: 'Read src/calendar/parse-date.ts',
		detail: 'src/calendar/parse-date.ts',
		durationMs: 12,
		output: '1\texport function parseDate',
	}),
	tool({
		itemId: 'r2',
		tool: 'Grep',
		title: 'Search parseDate( in src',
		detail: 'parseDate\\(',
		durationMs: 140,
		output: 'src/ui/form.ts:40: parseDate(value)',
	}),
];

const COMMAND = tool({
	itemId: 'c1',
	tool: 'Bash',
	title: 'Run npm test',
	args: '{"command":"npm test -- --grep parseDate"}',
	detail: 'npm test -- --grep parseDate',
	effect: 'localMutation',
	status: 'running',
});

const LIVE_OUTPUT =
	'\u001b[1m> orchard@2.3.0 test\u001b[0m\n> mocha --grep parseDate\n\n  parseDate\n    \u001b[32m✔\u001b[0m takes a year and a month\n    \u001b[31m1) takes months from 1\u001b[0m\n    \u001b[90m- is not run yet\u001b[0m\n';

const TODOS = tool({
	itemId: 'd1',
	tool: 'TodoWrite',
	title: 'Plan: 1 of 3 done',
	display: {
		kind: 'todos',
		todos: [
			{ content: 'Find out why the test fails', status: 'completed', priority: 'high' },
			{ content: 'Fix parseDate', status: 'inProgress', priority: 'high' },
			{ content: 'Add a test for months', status: 'pending', priority: 'medium' },
		],
	},
});

function finished(): Script {
	return begun()
		.add({
			type: 'itemCompleted',
			turnId: 't1',
			item: {
				type: 'reasoning',
				itemId: 'h1',
				text: '**Looking at the failing test**\n\nThe month is off by one; let me check who calls it.',
				step: 1,
			},
		})
		.agent('m0', 'I look at the function and its callers first.')
		.tool(READS[0] ?? TODOS)
		.tool(READS[1] ?? TODOS)
		.tool(TODOS)
		.tool({
			...COMMAND,
			status: 'failed',
			durationMs: 4210,
			hasFullOutput: true,
			verdict: 'Allowed: npm test is allowed for this session.',
			display: {
				kind: 'command',
				tail: LIVE_OUTPUT,
				exitCode: 1,
				signal: null,
				timedOut: false,
				processId: null,
				totalBytes: 48_211,
			},
		})
		.tool(
			tool({
				itemId: 'e1',
				tool: 'Edit',
				title: 'Edit src/calendar/parse-date.ts',
				effect: 'localMutation',
				durationMs: 30,
				display: { kind: 'edit', files: [DIFF] },
			}),
		)
		.tool(
			tool({
				itemId: 'e2',
				tool: 'Write',
				title: 'Write test/calendar/parse-date.test.ts',
				effect: 'localMutation',
				display: { kind: 'edit', files: [NEW_FILE] },
			}),
		)
		.tool(
			tool({
				itemId: 'x1',
				tool: 'Bash',
				title: 'Run git push --force',
				detail: 'git push --force',
				effect: 'destructive',
				status: 'denied',
				verdict: 'You denied it.',
				output: 'The user denied this call.',
			}),
		)
		.add({
			type: 'approvalResolved',
			approvalId: 'a0',
			itemId: 'x1',
			decision: { type: 'deny', feedback: 'never force push here' },
			by: 'user',
		})
		.tool(
			tool({
				itemId: 'x2',
				tool: 'Write',
				title: 'Write .vscode/settings.json',
				effect: 'destructive',
				status: 'blocked',
				output: 'Plan mode changes nothing.',
			}),
		)
		.tool(
			tool({
				itemId: 'b1',
				tool: 'Bash',
				title: 'Run npm run dev',
				detail: 'npm run dev',
				effect: 'localMutation',
				durationMs: 1200,
				display: {
					kind: 'command',
					tail: 'listening on http://localhost:5173\n',
					exitCode: null,
					signal: null,
					timedOut: false,
					processId: 'bg1',
					totalBytes: 35,
				},
			}),
		)
		.add({ type: 'processStarted', processId: 'bg1', itemId: 'b1', command: 'npm run dev' })
		.agent('m1', ANSWER)
		.end();
}

const LONG = `${'averyveryverylongwordwithoutanybreak'.repeat(6)} and \`/home/ada/${'deep/'.repeat(30)}file.ts:120\``;
const TABLE = `| setting | default | what it does | since | notes about compatibility |
|---|:-:|---|--:|---|
| \`calendar.firstDay\` | monday | which day a week starts with | 1.0 | read once at the start; ${'x'.repeat(60)} |
| \`calendar.zone\` | UTC | the zone that dates without one are in | 2.1 | an IANA name |`;

const QUESTION = {
	questionId: 'q1',
	turnId: 't1',
	itemId: 'k1',
	question: 'Two date libraries are in use. Which one should stay?',
	options: ['date-fns (41 imports)', 'luxon (3 imports)', 'Neither: use Temporal'],
};

function failed(): Script {
	return begun().add(
		{
			type: 'itemCompleted',
			turnId: 't1',
			item: { type: 'agentMessage', itemId: 'm1', text: 'I look at the function and', partial: true, step: 1 },
		},
		{
			type: 'turnEnded',
			turnId: 't1',
			reason: {
				type: 'failed',
				code: 'unauthorized',
				message: 'OpenAI does not accept the API key (401).',
				remedy: 'Enter the key again, or choose another model.',
			},
			durationMs: 900,
		},
	);
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
