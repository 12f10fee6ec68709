import * as nodePath from 'node:path';
import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolContext, ToolExecution, ToolResult } from '../engine/ports/index.ts';
import type { Location, SessionFiles } from '../files/index.ts';
import { asResult, failure, PLACE_ALIASES, readAssessment, withinChars } from './fileTool.ts';
import { type Ripgrep, RipgrepError } from './ripgrep.ts';
import {
	COMMON_ARGS,
	CREDENTIAL_ARGS,
	fileFilter,
	foundPath,
	locateScope,
	notSearchable,
	relativePath,
} from './searchScope.ts';
import { ToolShape } from './toolShape.ts';

const shape = new ToolShape(
	'Grep',
	'Search file contents by a regular expression. Gives path:line:text. Skips ignored, hidden and binary files.',
	{
		pattern: z.string().min(1),
		path: z.string().optional().describe('file or directory'),
		glob: z.string().optional().describe('only these files: *.ts'),
		case_insensitive: z.boolean().optional(),
	},
	{
		...PLACE_ALIASES,
		regex: 'pattern',
		query: 'pattern',
		search: 'pattern',
		include: 'glob',
		file_pattern: 'glob',
		ignore_case: 'case_insensitive',
		i: 'case_insensitive',
	},
);
/** Characters of a line that are shown, around the match. */
const LINE_CHARS = 200;
const BEFORE_MATCH_CHARS = 60;
/** Look-around and back references: only ripgrep's second, slower engine has them. */
const NEEDS_PCRE = /\(\?<?[=!]|\\[1-9]/;

interface Match {
	readonly path: string;
	readonly line: number;
	readonly text: string;
}
interface Query {
	readonly pattern: string;
	readonly glob: string | undefined;
	readonly isCaseInsensitive: boolean;
}

/** Searches file contents with ripgrep. */
export class GrepTool implements Tool {
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
		const { pattern, path, glob, case_insensitive: isCaseInsensitive = false } = parsed.value;
		const scope = await locateScope(this.#files, path, context);
		if (typeof scope === 'string') {
			return { invalid: scope, title: 'Grep' };
		}
		const place = path === undefined || path === '.' ? '' : ` in ${scope.map(({ shown }) => shown).join(', ')}`;
		return {
			tool: 'Grep',
			title: `Search ${pattern}${place}`,
			detail: glob === undefined ? `${pattern}${place}` : `${pattern}${place} (${glob})`,
			assessment: readAssessment(scope, 'Searches'),
			access: 'shared',
			run: (execution) => asResult(() => this.#run(scope, { pattern, glob, isCaseInsensitive }, context, execution)),
		};
	}

	async #run(
		scope: readonly Location[],
		query: Query,
		context: ToolContext,
		{ signal }: ToolExecution,
	): Promise<ToolResult> {
		const matches: Match[] = [];
		const limit = context.caps.grepMatches;
		for (const before of scope) {
			const location = await this.#files.relocate(before, context);
			const problem = notSearchable(location, true);
			if (problem !== undefined) {
				return failure(problem);
			}
			try {
				for await (const match of this.#search(location, query, context, signal)) {
					matches.push(match);
					if (matches.length > limit) {
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
		return { ok: true, output: this.#output(matches, query, context) };
	}

	async *#search(location: Location, query: Query, context: ToolContext, signal: AbortSignal): AsyncGenerator<Match> {
		const isFile = location.kind === 'file';
		const cwd = isFile ? nodePath.dirname(location.real) : location.real;
		const filter = query.glob === undefined || isFile ? undefined : fileFilter(query.glob);
		const args = [
			...COMMON_ARGS,
			...(location.isCredential ? [] : CREDENTIAL_ARGS),
			...['--line-number', '--column', '--with-filename', '--null', '--no-heading', '--crlf'],
			...(NEEDS_PCRE.test(query.pattern) ? ['--pcre2'] : []),
			...(query.isCaseInsensitive ? ['--ignore-case'] : []),
			...(/\\n|\n/.test(query.pattern) ? ['--multiline'] : []),
			...(filter?.args ?? []),
			...['--regexp', query.pattern, '--', isFile ? `./${nodePath.basename(location.real)}` : '.'],
		];
		for await (const record of this.#ripgrep.records(args, { cwd, signal, separator: '\n' })) {
			const found = /^([^\0]+)\0(\d+):(\d+):(.*)$/s.exec(record);
			const [, told = '', line = '', column = '', text = ''] = found ?? [];
			const relative = relativePath(told);
			const isWanted = filter === undefined || filter.matches(relative);
			const isSecret = !location.isCredential && this.#files.paths.isCredential(nodePath.join(cwd, told));
			if (found !== null && isWanted && !isSecret) {
				yield {
					path: foundPath(cwd, relative, context.cwd),
					line: Number(line),
					text: aroundMatch(text, Number(column)),
				};
			}
		}
	}

	#output(matches: readonly Match[], query: Query, context: ToolContext): string {
		const limit = context.caps.grepMatches;
		if (matches.length === 0) {
			const where = query.glob === undefined ? '' : ` in files that match ${query.glob}`;
			return `No matches${where}. (Ignored, hidden, binary and credential files are not searched.)`;
		}
		const shown = matches
			.slice(0, limit)
			.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
		const lines = shown.map(({ path, line, text }) => `${path}:${line}:${text}`);
		if (matches.length > limit) {
			lines.push(`(Only ${limit} matches are shown; there are more. Narrow the pattern, path or glob.)`);
		}
		return withinChars(lines, context.caps.resultChars, 'Narrow the pattern, path or glob.');
	}
}

/** @param column 1-based, in bytes: near enough, since it only says what part of a long line to show. */
function aroundMatch(text: string, column: number): string {
	const line = text.endsWith('\r') ? text.slice(0, -1) : text;
	if (line.length <= LINE_CHARS) {
		return line;
	}
	const from = Math.max(0, Math.min(column - 1 - BEFORE_MATCH_CHARS, line.length - LINE_CHARS));
	const to = Math.min(line.length, from + LINE_CHARS);
	return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}
