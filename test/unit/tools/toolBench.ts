import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type {
	InvalidCall,
	OutputCaps,
	PreparedCall,
	ToolContext,
	ToolExecution,
	ToolResult,
} from '../../../src/engine/ports/index.ts';
import {
	FileTracker,
	noOpenDocuments,
	type OpenDocuments,
	type OwnedFile,
	PathRules,
	SessionFiles,
	WorkspacePaths,
} from '../../../src/files/index.ts';
import type { Todo } from '../../../src/protocol/index.ts';
import { createFileTools } from '../../../src/tools/fileTools.ts';
import { findRipgrep, Ripgrep } from '../../../src/tools/ripgrep.ts';
import { SessionToolRuntime } from '../../../src/tools/toolRuntime.ts';

export const CAPS: OutputCaps = {
	resultChars: 10_000,
	shellLines: 256,
	grepMatches: 100,
	listEntries: 200,
	globResults: 200,
};

export interface ToolBenchOptions {
	readonly documents?: OpenDocuments;
	readonly owned?: readonly OwnedFile[];
	readonly caps?: Partial<OutputCaps>;
	readonly answer?: string | null;
}

/** A session's file tools on a real workspace of its own. */
export class ToolBench implements AsyncDisposable {
	readonly base: string;
	readonly root: string;
	/** Beside the workspace, not in it. */
	readonly outside: string;
	readonly home: string;
	readonly tracker: FileTracker;
	readonly runtime: SessionToolRuntime;
	readonly abort = new AbortController();
	readonly asked: { question: string; options: readonly string[] }[] = [];
	todos: readonly Todo[] = [];
	readonly #options: ToolBenchOptions;

	constructor(options: ToolBenchOptions = {}) {
		this.#options = options;
		this.base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'belay-tools-')));
		this.root = path.join(this.base, 'work space');
		this.outside = path.join(this.base, 'outside');
		this.home = path.join(this.base, 'home');
		for (const directory of [this.root, this.outside, this.home]) {
			fs.mkdirSync(directory);
		}
		this.tracker = new FileTracker(options.owned);
		const files = new SessionFiles({
			paths: new WorkspacePaths(new PathRules({ home: this.home }), this.home),
			tracker: this.tracker,
			documents: options.documents ?? noOpenDocuments,
		});
		this.runtime = new SessionToolRuntime({
			tools: createFileTools(files, new Ripgrep(findRipgrep([process.cwd()]))),
			processes: { control: () => false, [Symbol.asyncDispose]: () => Promise.resolve() },
		});
	}

	get context(): ToolContext {
		return {
			sessionId: 's',
			turnId: 't',
			itemId: 'i',
			cwd: this.root,
			roots: [this.root],
			trustMode: 'safe',
			caps: { ...CAPS, ...this.#options.caps },
		};
	}

	get execution(): ToolExecution {
		return {
			signal: this.abort.signal,
			output: () => undefined,
			ask: (question) => {
				this.asked.push(question);
				return Promise.resolve(this.#options.answer ?? null);
			},
			setTodos: (todos) => (this.todos = todos),
			todos: () => this.todos,
			processStarted: () => undefined,
			processEnded: () => undefined,
		};
	}

	/** Absolute path in the workspace. */
	at(name: string): string {
		return path.join(this.root, name);
	}

	write(name: string, content: string | Uint8Array): string {
		const file = this.at(name);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, content);
		return file;
	}

	bytes(name: string): Buffer {
		return fs.readFileSync(this.at(name));
	}

	text(name: string): string {
		return fs.readFileSync(this.at(name), 'utf8');
	}

	prepareAny(tool: string, args: unknown): Promise<PreparedCall | InvalidCall> {
		const text = typeof args === 'string' ? args : JSON.stringify(args);
		return this.runtime.prepare({ callId: 'c', name: tool, args: text }, this.context);
	}

	/** @throws where the call is invalid. */
	async prepare(tool: string, args: unknown): Promise<PreparedCall> {
		const call = await this.prepareAny(tool, args);
		if ('invalid' in call) {
			throw new Error(call.invalid);
		}
		return call;
	}

	async run(tool: string, args: unknown): Promise<ToolResult> {
		return (await this.prepare(tool, args)).run(this.execution);
	}

	/** @returns the output. @throws where the call fails. */
	async ok(tool: string, args: unknown): Promise<string> {
		const result = await this.run(tool, args);
		if (!result.ok) {
			throw new Error(result.output);
		}
		return result.output;
	}

	/** @returns the output. @throws where the call does not fail. */
	async fails(tool: string, args: unknown): Promise<string> {
		const result = await this.run(tool, args);
		if (result.ok) {
			throw new Error(`It should have failed: ${result.output}`);
		}
		return result.output;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.runtime[Symbol.asyncDispose]();
		fs.rmSync(this.base, { recursive: true, force: true });
	}
}
