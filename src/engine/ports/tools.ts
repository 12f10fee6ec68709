import type { Effect, FileDiff, Protection, Question, Todo, ToolDisplay, TrustMode } from '../../protocol/index.ts';
import type { ModelToolCall, ToolDefinition } from './model.ts';

/**
 * What a tool may use of the session it runs in. Made anew for each call: nothing of it is shared between sessions,
 * and a tool keeps none of it.
 */
export interface ToolContext {
	readonly sessionId: string;
	readonly turnId: string;
	readonly itemId: string;
	/** Absolute. Relative paths from the model resolve against it. */
	readonly cwd: string;
	/** Absolute, real paths of the workspace's folders. */
	readonly roots: readonly string[];
	readonly trustMode: TrustMode;
	readonly caps: OutputCaps;
}

/** Limits of what a tool gives to the model, by the size of its context window. */
export interface OutputCaps {
	/** Characters of one result. */
	readonly resultChars: number;
	readonly shellLines: number;
	readonly grepMatches: number;
	readonly listEntries: number;
	readonly globResults: number;
}

/** What approvals must know of a call before it runs. */
export interface Assessment {
	readonly effect: Effect;
	/** Absolute paths outside the workspace that the call would write to or delete. */
	readonly outside: readonly string[];
	/** Absolute protected paths (DESIGN.md, Trust) that the call would write to or delete, and credential files that it would read. */
	readonly protectedPaths: readonly string[];
	/** The call deletes a file that this session created: runs unasked where changes are not blocked. */
	readonly ownedByAgent?: true;
	/** In words, for the approval card: what the call would do that is not harmless. */
	readonly reason: string;
	/**
	 * What "Allow for this session" remembers: calls with the same key run unasked. Absent: not offered.
	 * `label` says in words what the key covers.
	 */
	readonly sessionKey?: { readonly key: string; readonly label: string };
}

/** What a running tool may do besides its work. */
export interface ToolExecution {
	readonly signal: AbortSignal;
	/** Output for the card, while the call runs. Same meaning of `offset` as in the `itemDelta` event. */
	readonly output: (offset: number, text: string) => void;
	/** @returns the answer, or null when the user gave none. */
	readonly ask: (question: Omit<Question, 'turnId' | 'itemId' | 'questionId'>) => Promise<string | null>;
	readonly setTodos: (todos: readonly Todo[]) => void;
	readonly todos: () => readonly Todo[];
	/** A command goes on in the background: the session lists it until `processEnded`. */
	readonly processStarted: (process: { readonly processId: string; readonly command: string }) => void;
	readonly processEnded: (process: {
		readonly processId: string;
		readonly exitCode: number | null;
		readonly signal: string | null;
	}) => void;
}

export interface ToolResult {
	readonly ok: boolean;
	/** What the model is told. */
	readonly output: string;
	readonly display?: ToolDisplay;
	/** Everything, where `output` is only a part: kept in the store and searchable. */
	readonly fullOutput?: string;
}

/** A call whose arguments are valid, ready to be judged and run. */
export interface PreparedCall {
	readonly tool: string;
	/** One line for the card: `Run npm test`, `Edit src/a.ts`. */
	readonly title: string;
	/** The exact command or path. */
	readonly detail?: string;
	readonly assessment: Assessment;
	/** May run beside others that are also `shared`; otherwise it runs alone. */
	readonly access: 'shared' | 'exclusive';
	/** For the approval card. @throws when the call cannot succeed; the model is told, the user is not asked. */
	readonly preview?: () => Promise<readonly FileDiff[]>;
	/** @throws what is not foreseen; foreseen failures are results with `ok: false`. */
	readonly run: (execution: ToolExecution) => Promise<ToolResult>;
}

/** Arguments that do not fit: the text tells the model how to call the tool. The user is never asked. */
export interface InvalidCall {
	readonly invalid: string;
	readonly title: string;
}

/** The tools of one session, with what they hold (processes, proxies, what was read). Disposed with it. */
export interface ToolRuntime extends AsyncDisposable {
	/** Starts what calls need, and tells what it protects; before each turn, and quick after the first time. Never throws. */
	start(): Promise<void>;
	definitions(): readonly ToolDefinition[];
	prepare(call: ModelToolCall, context: ToolContext): Promise<PreparedCall | InvalidCall>;
	/** @returns false where there is no such running process. */
	controlProcess(
		processId: string,
		action: { type: 'kill' } | { type: 'background' } | { type: 'input'; text: string },
	): boolean;
}

/** A command wants to reach a host that no rule allows. */
export interface EgressQuestion {
	readonly host: string;
	readonly port: number;
	/** The tool call whose command asks, where that is known. */
	readonly itemId: string | null;
	/** The host was allowed, but its name leads to this address in the local network. */
	readonly address?: string;
	readonly signal: AbortSignal;
}
export type EgressAnswer = 'allowOnce' | 'allowForSession' | 'deny';

/** What the tools of a session may ask of it outside a call. */
export interface SessionLink {
	readonly sessionId: string;
	/** Denied at once where nobody can be asked: no turn runs, or plan mode. */
	readonly askEgress: (question: EgressQuestion) => Promise<EgressAnswer>;
	readonly protectionChanged: (protection: Protection) => void;
}

/** Makes the tools of a session. Light: what costs time starts with the first call that needs it. */
export type ToolRuntimeFactory = (link: SessionLink) => ToolRuntime;

/** One tool: one class, one file. `Args` is what its schema yields. */
export interface Tool {
	readonly definition: ToolDefinition;
	/** `args` is parsed JSON, of any shape. */
	prepare(args: unknown, context: ToolContext): Promise<PreparedCall | InvalidCall>;
}
