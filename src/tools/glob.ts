import * as nodePath from 'node:path';
import picomatch from 'picomatch';
import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolContext, ToolExecution, ToolResult } from '../engine/ports/index.ts';
import type { Location, SessionFiles } from '../files/index.ts';
import { asResult, failure, PLACE_ALIASES, readAssessment, withinChars } from './fileTool.ts';
import { type Ripgrep, RipgrepError } from './ripgrep.ts';
import { COMMON_ARGS, fileFilter, foundPath, locateScope, notSearchable, relativePath } from './searchScope.ts';
import { ToolShape } from './toolShape.ts';

const shape = new ToolShape(
	'Glob',
	'Find files by name: src/**/*.ts, or *.ts at any depth. Skips ignored files, and hidden ones unless the pattern names them.',
	{ pattern: z.string().min(1), path: z.string().optional().describe('directory') },
	{ ...PLACE_ALIASES, glob: 'pattern', glob_pattern: 'pattern', query: 'pattern' },
);
/** Names that are collected before they are sorted: more than any workspace that is looked through by hand. */
const MAX_COLLECTED = 100_000;

/** Finds files by name. */
export class GlobTool implements Tool {
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
		const { pattern, path } = splitBase(parsed.value.pattern, parsed.value.path);
		const scope = await locateScope(this.#files, path, context);
		if (typeof scope === 'string') {
			return { invalid: scope, title: 'Glob' };
		}
		return {
			tool: 'Glob',
			title: `Find ${parsed.value.pattern}`,
			detail: nodePath.join(scope[0]?.real ?? context.cwd, pattern),
			assessment: readAssessment(scope, 'Lists files in'),
			access: 'shared',
			run: (execution) => asResult(() => this.#run(scope, pattern, context, execution)),
		};
	}

	async #run(
		scope: readonly Location[],
		pattern: string,
		context: ToolContext,
		{ signal }: ToolExecution,
	): Promise<ToolResult> {
		const filter = fileFilter(pattern);
		const found: string[] = [];
		for (const before of scope) {
			const location = await this.#files.relocate(before, context);
			const problem = notSearchable(location, false);
			if (problem !== undefined) {
				return failure(problem);
			}
			const args = [...COMMON_ARGS, ...filter.args, '--files', '--null', '--', '.'];
			try {
				for await (const told of this.#ripgrep.records(args, { cwd: location.real, signal, separator: '\0' })) {
					const relative = relativePath(told);
					if (
						filter.matches(relative) &&
						found.push(foundPath(location.real, relative, context.cwd)) >= MAX_COLLECTED
					) {
						break;
					}
				}
			} catch (error) {
				if (error instanceof RipgrepError) {
					return failure(`The search failed: ${error.message}`);
				}
				throw error;
			}
		}
		return { ok: true, output: output(found.sort(), pattern, context) };
	}
}

function output(found: readonly string[], pattern: string, { caps }: ToolContext): string {
	if (found.length === 0) {
		return `No files match ${pattern}. (Ignored files, and hidden ones that the pattern does not name, are not looked at.)`;
	}
	const lines = found.slice(0, caps.globResults);
	if (found.length > lines.length) {
		lines.push(`(${lines.length} of ${found.length} files. Narrow the pattern.)`);
	}
	return withinChars(lines, caps.resultChars, 'Narrow the pattern.');
}

/** Moves what is no pattern at the start of one into the path: `/a/b/**` searches in `/a/b`, `../c/*` in `../c`. */
function splitBase(pattern: string, path: string | undefined): { pattern: string; path: string | undefined } {
	const { base, glob } = picomatch.scan(pattern);
	const isElsewhere = nodePath.isAbsolute(base) || base === '..' || base.startsWith('../') || base.startsWith('~/');
	if (!isElsewhere) {
		return { pattern, path };
	}
	const place =
		path === undefined || nodePath.isAbsolute(base) || base.startsWith('~/') ? base : nodePath.join(path, base);
	return glob === ''
		? { pattern: nodePath.basename(place), path: nodePath.dirname(place) }
		: { pattern: glob, path: place };
}
