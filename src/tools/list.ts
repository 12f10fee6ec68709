import * as fs from 'node:fs/promises';
import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolContext, ToolExecution, ToolResult } from '../engine/ports/index.ts';
import { type Location, type SessionFiles, toFileError } from '../files/index.ts';
import { asResult, failure, locateFor, PLACE_ALIASES, readAssessment, withinChars } from './fileTool.ts';
import { type Ripgrep, RipgrepError } from './ripgrep.ts';
import { COMMON_ARGS, notSearchable, relativePath } from './searchScope.ts';
import { ToolShape } from './toolShape.ts';

const shape = new ToolShape(
	'List',
	'List a directory; recursive=true lists the files below it, without ignored, hidden and build files.',
	{ path: z.string().optional(), recursive: z.boolean().optional() },
	{ ...PLACE_ALIASES, target: 'path' },
);
/** What builds make: not listed recursively, whether ignored or not (engine-reference.md 4). */
const BUILD_DIRECTORIES = ['target', 'dist', 'build'];
const MAX_COLLECTED = 100_000;

/** Lists directories. */
export class ListTool implements Tool {
	readonly definition = shape.definition;
	readonly #files: SessionFiles;
	readonly #ripgrep: Ripgrep;

	constructor(files: SessionFiles, ripgrep: Ripgrep) {
		this.#files = files;
		this.#ripgrep = ripgrep;
	}

	async prepare(args: unknown, context: ToolContext): Promise<PreparedCall | InvalidCall> {
		const parsed = shape.parse(args);
		if (!parsed.ok) {
			return parsed.call;
		}
		const { path = '.', recursive = false } = parsed.value;
		const location = await locateFor(this.#files, path.trim() === '' ? '.' : path, context);
		if (typeof location === 'string') {
			return { invalid: location, title: 'List' };
		}
		return {
			tool: 'List',
			title: `List ${location.shown}`,
			detail: location.real,
			assessment: readAssessment([location], 'Lists'),
			access: 'shared',
			run: (execution) => asResult(() => this.#run(location, recursive, context, execution)),
		};
	}

	async #run(
		before: Location,
		recursive: boolean,
		context: ToolContext,
		execution: ToolExecution,
	): Promise<ToolResult> {
		const location = await this.#files.relocate(before, context);
		const problem = notSearchable(location, false);
		if (problem !== undefined) {
			return failure(problem);
		}
		try {
			const names = recursive ? await this.#below(location, execution.signal) : await entriesOf(location);
			return { ok: true, output: output(location, names, recursive, context) };
		} catch (error) {
			if (error instanceof RipgrepError) {
				return failure(`The listing failed: ${error.message}`);
			}
			throw error;
		}
	}

	async #below(location: Location, signal: AbortSignal): Promise<string[]> {
		const args = [
			...COMMON_ARGS,
			...BUILD_DIRECTORIES.flatMap((name) => ['--glob', `!**/${name}/`]),
			...['--files', '--null', '--', '.'],
		];
		const names: string[] = [];
		for await (const told of this.#ripgrep.records(args, { cwd: location.real, signal, separator: '\0' })) {
			if (names.push(relativePath(told)) >= MAX_COLLECTED) {
				break;
			}
		}
		return names.sort();
	}
}

/** Directories first. `name/` is a directory, `name@` a symbolic link. */
async function entriesOf(location: Location): Promise<string[]> {
	try {
		const entries = await fs.readdir(location.real, { withFileTypes: true });
		const directories = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
		const others = entries
			.filter((entry) => !entry.isDirectory())
			.map((entry) => (entry.isSymbolicLink() ? `${entry.name}@` : entry.name));
		return [...directories.sort(), ...others.sort()];
	} catch (error) {
		throw toFileError(error, location.shown);
	}
}

function output(location: Location, names: readonly string[], recursive: boolean, { caps }: ToolContext): string {
	const what = recursive ? 'files below it' : 'entries';
	const shown = names.slice(0, caps.listEntries);
	const cut = shown.length < names.length ? `, the first ${shown.length} here` : '';
	const lines = [`${location.shown}/ (${names.length} ${what}${cut})`, ...shown];
	return withinChars(lines, caps.resultChars, 'List a directory below it, or use Glob.');
}
