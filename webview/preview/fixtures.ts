import type {
	ApprovalRequest,
	Event,
	EventBody,
	FileDiff,
	SessionHead,
	SessionSummary,
	ToolCall,
	ToPanel,
} from '../../src/protocol/index.ts';

/** A fixed moment, so that pictures of the same scenario are the same. */
export const NOW = Date.UTC(2026, 10, 27, 10, 0, 0);

const USAGE = { inputTokens: 14_200, cachedInputTokens: 9000, outputTokens: 830, reasoningTokens: 120 };

/** Numbers events as a session would. */
export class Script {
	#seq = 0;
	readonly events: Event[] = [];

	add(...bodies: readonly EventBody[]): this {
		for (const body of bodies) {
			const transient = body.type === 'itemDelta' || body.type === 'retrying';
			this.#seq += transient ? 0 : 1;
			this.events.push({ ...body, id: 'p1', seq: transient ? 0 : this.#seq, at: NOW - 60_000 + this.#seq * 100 });
		}
		return this;
	}

	user(itemId: string, text: string): this {
		return this.add({ type: 'itemCompleted', turnId: 't1', item: { type: 'userMessage', itemId, text } });
	}

	agent(itemId: string, text: string): this {
		return this.add({ type: 'itemCompleted', turnId: 't1', item: { type: 'agentMessage', itemId, text, step: 1 } });
	}

	tool(call: ToolCall): this {
		return this.add({ type: call.status === 'running' ? 'itemStarted' : 'itemCompleted', turnId: 't1', item: call });
	}

	end(durationMs = 21_400): this {
		return this.add({ type: 'turnEnded', turnId: 't1', reason: { type: 'completed' }, durationMs, usage: USAGE });
	}
}

export function tool(call: Partial<ToolCall> & Pick<ToolCall, 'itemId' | 'tool' | 'title'>): ToolCall {
	return { type: 'toolCall', args: '{}', effect: 'readOnly', status: 'completed', output: '', step: 1, ...call };
}

export function head(patch: Partial<SessionHead> = {}): SessionHead {
	return {
		sessionId: 's1',
		title: 'Fix the failing date test',
		settings: { providerId: 'openai', model: 'gpt-5.2-codex', trustMode: 'safe' },
		protection: { egress: 'filtered', sandbox: 'enforced' },
		turnId: null,
		interrupted: false,
		todos: [],
		approvals: [],
		questions: [],
		usage: { last: USAGE, total: USAGE, contextWindow: 128_000 },
		live: [],
		processes: [],
		unsaved: false,
		...patch,
	};
}

export const HELLO = {
	type: 'hello',
	version: 1,
	settings: { sendKey: 'enter', workspaceTrusted: true, workspaceName: 'orchard', autoModeLimit: null },
	strings: {},
	models: [{ providerId: 'openai', providerLabel: 'OpenAI', model: 'gpt-5.2-codex' }],
	defaultModel: { providerId: 'openai', providerLabel: 'OpenAI', model: 'gpt-5.2-codex' },
} satisfies ToPanel;
export const STORE_OPEN: ToPanel = { type: 'storage', storage: { state: 'open' } };

export function opened(script: Script, patch: Partial<SessionHead> = {}, hasOlder = false): ToPanel {
	return { type: 'opened', head: head(patch), events: script.events, hasOlder };
}

export const DIFF: FileDiff = {
	path: 'src/calendar/parse-date.ts',
	change: 'update',
	added: 4,
	removed: 2,
	diff: [
		'--- a/src/calendar/parse-date.ts',
		'+++ b/src/calendar/parse-date.ts',
		'@@ -12,8 +12,10 @@ export function parseDate(text: string): Date {',
		" \tconst [year, month, day] = text.split('-').map(Number);",
		' \tif (year === undefined || month === undefined || day === undefined) {',
		'-\t\treturn new Date(text);',
		'-\t}',
		'+\t\tthrow new RangeError(`Not a date: ${text}`);',
		'+\t}',
		'+\t// Months count from 0 in Date, from 1 in ISO 8601.',
		'+\tconst date = new Date(Date.UTC(year, month - 1, day));',
		' \treturn date;',
		' }',
		' ',
		'',
	].join('\n'),
};

export const NEW_FILE: FileDiff = {
	path: 'test/calendar/parse-date.test.ts',
	change: 'create',
	added: 3,
	removed: 0,
	diff: "@@ -0,0 +1,3 @@\n+import { parseDate } from '../../src/calendar/parse-date.ts';\n+\n+it('takes months from 1', () => {});\n",
};

export function approval(patch: Partial<ApprovalRequest>): ApprovalRequest {
	return {
		approvalId: 'a1',
		turnId: 't1',
		itemId: 'c1',
		subject: 'tool',
		tool: 'Bash',
		title: 'Run npm install',
		detail: 'npm install --save-exact date-fns@4.1.0',
		cwd: '/home/ada/orchard',
		reason: 'It changes files in the workspace (package.json, package-lock.json) and runs install scripts.',
		effect: 'localMutation',
		sessionScope: 'every `npm install` in this workspace',
		...patch,
	};
}

export function summary(patch: Partial<SessionSummary> & Pick<SessionSummary, 'sessionId' | 'title'>): SessionSummary {
	return { createdAt: NOW - 9e6, updatedAt: NOW - 3e5, archived: false, state: 'idle', ...patch };
}
