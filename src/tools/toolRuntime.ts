import type {
	InvalidCall,
	ModelToolCall,
	PreparedCall,
	Tool,
	ToolContext,
	ToolDefinition,
	ToolRuntime,
} from '../engine/ports/index.ts';

export type ProcessAction = Parameters<ToolRuntime['controlProcess']>[1];

/** The commands of a session that run now. Disposed with the session: kills them. */
export interface ProcessController extends AsyncDisposable {
	/** @returns false where there is no such running process. */
	control(processId: string, action: ProcessAction): boolean;
}

export interface SessionToolRuntimeOptions {
	readonly tools: readonly Tool[];
	readonly processes: ProcessController;
	/** See `ToolRuntime.start`. */
	readonly start?: () => Promise<void>;
	/** What the tools hold besides processes: disposed with the session, after them. */
	readonly holds?: readonly (Disposable | AsyncDisposable)[];
}

/** Names that other agents give such tools, and models remember: in lower case, letters and digits alone. */
const REMEMBERED_NAMES: Readonly<Record<string, string>> = {
	readfile: 'Read', viewfile: 'Read', openfile: 'Read', cat: 'Read',
	writefile: 'Write', createfile: 'Write', writetofile: 'Write',
	editfile: 'Edit', strreplace: 'Edit', replaceinfile: 'Edit', multiedit: 'Edit',
	deletefile: 'Delete', removefile: 'Delete',
	listfiles: 'List', listdir: 'List', listdirectory: 'List', ls: 'List',
	search: 'Grep', searchfiles: 'Grep', grepsearch: 'Grep', ripgrep: 'Grep',
	findfiles: 'Glob', globfiles: 'Glob', filesearch: 'Glob',
	updatetodos: 'TodoWrite', todo: 'TodoWrite', updateplan: 'TodoWrite',
	ask: 'AskUser', askfollowupquestion: 'AskUser', askuserquestion: 'AskUser',
	shell: 'Bash', runcommand: 'Bash', executecommand: 'Bash', runterminalcommand: 'Bash', terminal: 'Bash', runinterminal: 'Bash',
}; // prettier-ignore
/** Longer names come from models that write text where a name belongs. */
const MAX_NAME_CHARS = 64;

/** The tools of one session: finds the one that a call names, and gives it the call's arguments. */
export class SessionToolRuntime implements ToolRuntime {
	readonly #tools: readonly Tool[];
	readonly #processes: ProcessController;
	readonly #holds: readonly (Disposable | AsyncDisposable)[];
	readonly #start: (() => Promise<void>) | undefined;

	constructor(options: SessionToolRuntimeOptions) {
		this.#tools = options.tools;
		this.#processes = options.processes;
		this.#holds = options.holds ?? [];
		this.#start = options.start;
	}

	async start(): Promise<void> {
		await this.#start?.();
	}

	definitions(): readonly ToolDefinition[] {
		return this.#tools.map(({ definition }) => definition);
	}

	async prepare(call: ModelToolCall, context: ToolContext): Promise<PreparedCall | InvalidCall> {
		const tool = this.#find(call.name);
		if (tool === undefined) {
			return { invalid: this.#unknown(call.name), title: call.name.slice(0, MAX_NAME_CHARS) || 'Unknown tool' };
		}
		const { name } = tool.definition;
		let args: unknown;
		try {
			args = parseArguments(call.args);
		} catch (error) {
			const problem = error instanceof Error ? error.message : String(error);
			return {
				invalid: `${name} was not run: its arguments are not valid JSON (${problem}). Send the whole call again.`,
				title: name,
			};
		}
		return await tool.prepare(args, context);
	}

	controlProcess(processId: string, action: ProcessAction): boolean {
		return this.#processes.control(processId, action);
	}

	/** Ends the processes first, then all else, whatever fails. @throws what failed. */
	async [Symbol.asyncDispose](): Promise<void> {
		const failures: unknown[] = [];
		for (const hold of [this.#processes, ...this.#holds]) {
			try {
				if (Symbol.asyncDispose in hold) {
					await hold[Symbol.asyncDispose]();
				} else {
					hold[Symbol.dispose]();
				}
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) {
			throw new AggregateError(failures, "Not everything of the session's tools could be closed.");
		}
	}

	/** The exact name, then the name whatever its case and its `_`, then one remembered from elsewhere. */
	#find(name: string): Tool | undefined {
		const plain = plainName(name);
		const remembered = Object.hasOwn(REMEMBERED_NAMES, plain) ? REMEMBERED_NAMES[plain] : undefined;
		return (
			this.#tools.find(({ definition }) => definition.name === name) ??
			this.#tools.find(({ definition }) => plainName(definition.name) === plain) ??
			this.#tools.find(({ definition }) => definition.name === remembered)
		);
	}

	#unknown(name: string): string {
		const names = this.#tools.map(({ definition }) => definition.name).join(', ');
		const isText = name.length > MAX_NAME_CHARS || name.includes('{');
		return isText
			? `That is no tool's name. Give the name alone, and the arguments as JSON beside it. The tools are: ${names}.`
			: `There is no tool ${name}. The tools are: ${names}.`;
	}
}

/** Blank means no arguments; some servers put JSON into JSON text. */
function parseArguments(text: string): unknown {
	if (text.trim() === '') {
		return {};
	}
	const value = JSON.parse(text) as unknown;
	return typeof value === 'string' ? parseArguments(value) : value;
}

function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
