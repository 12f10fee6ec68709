import { DIFF, NEW_FILE, Script, tool } from './fixtures.ts';

export const ANSWER = `The test fails because \`Date\` counts months from 0. \`parseDate\` in \`src/calendar/parse-date.ts:14\` hands the month on as it stands.

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

export function begun(): Script {
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

export const READS = [
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

export const COMMAND = tool({
	itemId: 'c1',
	tool: 'Bash',
	title: 'Run npm test',
	args: '{"command":"npm test -- --grep parseDate"}',
	detail: 'npm test -- --grep parseDate',
	effect: 'localMutation',
	status: 'running',
});

export const LIVE_OUTPUT =
	'\u001b[1m> orchard@2.3.0 test\u001b[0m\n> mocha --grep parseDate\n\n  parseDate\n    \u001b[32m✔\u001b[0m takes a year and a month\n    \u001b[31m1) takes months from 1\u001b[0m\n    \u001b[90m- is not run yet\u001b[0m\n';

export const TODOS = tool({
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

function addWork(script: Script): Script {
	return script
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
		);
}

function addEnds(script: Script): Script {
	return script
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
		.add({ type: 'processStarted', processId: 'bg1', itemId: 'b1', command: 'npm run dev' });
}

export function finished(): Script {
	const looked = begun()
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
		.tool(TODOS);
	return addEnds(addWork(looked)).agent('m1', ANSWER).end();
}

export const LONG = `${'averyveryverylongwordwithoutanybreak'.repeat(6)} and \`/home/ada/${'deep/'.repeat(30)}file.ts:120\``;
export const TABLE = `| setting | default | what it does | since | notes about compatibility |
|---|:-:|---|--:|---|
| \`calendar.firstDay\` | monday | which day a week starts with | 1.0 | read once at the start; ${'x'.repeat(60)} |
| \`calendar.zone\` | UTC | the zone that dates without one are in | 2.1 | an IANA name |`;

export const QUESTION = {
	questionId: 'q1',
	turnId: 't1',
	itemId: 'k1',
	question: 'Two date libraries are in use. Which one should stay?',
	options: ['date-fns (41 imports)', 'luxon (3 imports)', 'Neither: use Temporal'],
};

export function failed(): Script {
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
