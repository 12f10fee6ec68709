import type {
	Assessment,
	InvalidCall,
	ModelToolCall,
	PreparedCall,
	ToolExecution,
	ToolResult,
	ToolRuntime,
} from '../../../src/engine/index.ts';

export interface TestTool {
	readonly effect?: Assessment['effect'];
	readonly access?: 'shared' | 'exclusive';
	readonly sessionKey?: string;
	readonly outside?: readonly string[];
	readonly preview?: () => Promise<never[]>;
	readonly invalid?: (args: Record<string, unknown>) => string | undefined;
	readonly run: (args: Record<string, unknown>, execution: ToolExecution) => Promise<ToolResult> | ToolResult;
}

/** Tools that a test makes up, so that it decides when they end and sees when they began. */
export class TestTools implements ToolRuntime {
	readonly began: string[] = [];
	readonly controlled: string[] = [];
	disposed = false;
	readonly #tools: Readonly<Record<string, TestTool>>;

	constructor(tools: Readonly<Record<string, TestTool>>) {
		this.#tools = tools;
	}

	async start(): Promise<void> {
		// There is nothing to start.
	}

	definitions() {
		return Object.keys(this.#tools).map((name) => ({ name, description: name, parameters: { type: 'object' } }));
	}

	// eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous
	async prepare(call: ModelToolCall): Promise<PreparedCall | InvalidCall> {
		const tool = this.#tools[call.name];
		const args = (call.args === '' ? {} : JSON.parse(call.args)) as Record<string, unknown>;
		const invalid = tool === undefined ? `There is no tool ${call.name}.` : tool.invalid?.(args);
		if (tool === undefined || invalid !== undefined) {
			return { invalid: invalid ?? '', title: call.name };
		}
		return {
			tool: call.name,
			title: `${call.name} ${call.args}`,
			detail: call.args,
			assessment: {
				effect: tool.effect ?? 'readOnly',
				outside: tool.outside ?? [],
				protectedPaths: [],
				reason: `${call.name} changes something.`,
				...(tool.sessionKey === undefined ? {} : { sessionKey: { key: tool.sessionKey, label: tool.sessionKey } }),
			},
			access: tool.access ?? 'shared',
			...(tool.preview === undefined ? {} : { preview: tool.preview }),
			run: async (execution) => {
				this.began.push(call.name);
				return await tool.run(args, execution);
			},
		};
	}

	controlProcess(processId: string): boolean {
		this.controlled.push(processId);
		return processId.startsWith('known');
	}

	// eslint-disable-next-line @typescript-eslint/require-await -- the port is asynchronous
	async [Symbol.asyncDispose](): Promise<void> {
		this.disposed = true;
	}
}

export const ok = (output: string): ToolResult => ({ ok: true, output });
