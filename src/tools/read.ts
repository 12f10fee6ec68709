import * as fs from 'node:fs/promises';
import * as nodePath from 'node:path';
import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolContext, ToolExecution, ToolResult } from '../engine/ports/index.ts';
import {
	type Location,
	nearestLines,
	readLineWindow,
	type SessionFiles,
	sizeInWords,
	splitLines,
	type TextFormat,
} from '../files/index.ts';
import { asResult, counted, failure, locateFor, PATH_ALIASES, readAssessment } from './fileTool.ts';
import { renderLines } from './renderLines.ts';
import { ToolShape } from './toolShape.ts';

/** Bytes up to which a file is read whole, so that all its lines are counted and its content remembered. */
const WHOLE_BYTES = 10 * 1024 * 1024;
/** UTF-8's longest character: so many bytes hold at least a result's characters. */
const BYTES_PER_CHAR = 4;
/** A shorter result is given again: the note that it is unchanged would save nothing. */
const STUB_CHARS = 400;
const MAX_NAMES = 5_000;

const shape = new ToolShape(
	'Read',
	'Read a text file. Each line comes as its number, a tab, and its text. Long files come in parts: go on with start_line.',
	{
		file_path: z.string().min(1),
		start_line: z.number().int().optional().describe('from 1'),
		num_lines: z.number().int().min(1).optional(),
	},
	{
		...PATH_ALIASES,
		offset: 'start_line',
		line: 'start_line',
		from_line: 'start_line',
		limit: 'num_lines',
		count: 'num_lines',
	},
);

interface Range {
	/** 1-based. */
	readonly start: number;
	readonly count: number;
}

/**
 * Shows the model a file. Lines are numbered (`12<tab>text`): numbers are what models, errors and users speak of. They
 * are not taken out of what Edit is given, since a file may hold such text; Edit's error says so where it happens.
 */
export class ReadTool implements Tool {
	readonly definition = shape.definition;
	readonly #files: SessionFiles;

	constructor(files: SessionFiles) {
		this.#files = files;
	}

	async prepare(args: unknown, context: ToolContext): Promise<PreparedCall | InvalidCall> {
		const parsed = shape.parse(args);
		if (!parsed.ok) {
			return parsed.call;
		}
		const { file_path: path, start_line: start = 1, num_lines: count = Infinity } = parsed.value;
		const location = await locateFor(this.#files, path, context);
		if (typeof location === 'string') {
			return { invalid: location, title: 'Read' };
		}
		const range = { start: Math.max(1, start), count };
		return {
			tool: 'Read',
			title: `Read ${location.shown}${rangeInWords(range)}`,
			detail: location.real,
			assessment: readAssessment([location], 'Reads'),
			access: 'shared',
			run: (execution) => asResult(() => this.#run(location, range, context, execution)),
		};
	}

	async #run(before: Location, range: Range, context: ToolContext, execution: ToolExecution): Promise<ToolResult> {
		const location = await this.#files.relocate(before, context);
		const isDirty = this.#files.isDirty(location);
		if (!isDirty && location.kind !== 'file') {
			return failure(await this.#notAFile(location));
		}
		return !isDirty && location.size > WHOLE_BYTES
			? await this.#readPart(location, range, context, execution)
			: await this.#readWhole(location, range, context);
	}

	async #readWhole(location: Location, range: Range, context: ToolContext): Promise<ToolResult> {
		const loaded = await this.#files.load(location, WHOLE_BYTES);
		if (loaded === undefined) {
			return failure(await this.#notAFile(location));
		}
		const { content, stamp, buffer } = loaded;
		if (content.kind === 'binary') {
			return failure(`${location.shown} is a binary file (${sizeInWords(stamp.size)}): it has no text to read.`);
		}
		const lines = splitLines(content.text);
		if (lines.length > 0 && range.start > lines.length) {
			return failure(
				`${location.shown} has only ${counted(lines.length, 'line')}: start_line ${range.start} is past its end.`,
			);
		}
		const rendered = renderLines(content.text, lines, range, context.caps.resultChars);
		const key = `${range.start}+${range.count}/${context.caps.resultChars}`;
		const isKnown = rendered.text.length > STUB_CHARS && this.#files.tracker.wasShown(location.real, key, stamp);
		const isWhole = range.start === 1 && rendered.next > lines.length && !rendered.isCut;
		this.#files.tracker.noteRead(location.real, stamp, key, isWhole);
		if (isKnown) {
			return { ok: true, output: `${location.shown} is unchanged since you read these lines: see that result above.` };
		}
		const notes = [
			...(lines.length === 0 ? ['The file is empty.'] : []),
			...readOn(rendered, range, lines.length),
			...formatNotes(content.format, content.exact),
			...(buffer === undefined ? [] : ['The editor has unsaved changes of this file: this is its text there.']),
		];
		return { ok: true, output: withNotes(rendered.text, notes) };
	}

	/** A part of a file that is too large to be kept in memory. */
	async #readPart(
		location: Location,
		range: Range,
		context: ToolContext,
		{ signal }: ToolExecution,
	): Promise<ToolResult> {
		const { resultChars } = context.caps;
		const maxBytes = resultChars * BYTES_PER_CHAR;
		const window = await readLineWindow(
			location.real,
			{ startLine: range.start, lines: range.count, maxBytes },
			signal,
		);
		if (window.kind === 'binary') {
			return failure(`${location.shown} is a binary file (${sizeInWords(window.size)}): it has no text to read.`);
		}
		if (window.text === '') {
			return failure(
				`${location.shown} has only ${counted(window.linesBefore, 'line')}: start_line ${range.start} is past its end.`,
			);
		}
		const lines = splitLines(window.text);
		const rendered = renderLines(window.text, lines, { start: 1, count: range.count }, resultChars, range.start);
		const stamp = { hash: undefined, size: window.size, mtimeMs: window.mtimeMs };
		this.#files.tracker.noteRead(location.real, stamp, `${range.start}+${range.count}/${resultChars}`, false);
		const last = range.start + rendered.next - 2;
		const isAll = window.isEnd && rendered.next > lines.length;
		const notes = [
			`Lines ${range.start}-${last} of a file of ${sizeInWords(window.size)}.${isAll ? ' It ends here.' : ` Read on with start_line=${last + 1}, or search it with Grep.`}`,
			...formatNotes(window.format, true),
		];
		return { ok: true, output: withNotes(rendered.text, notes) };
	}

	async #notAFile(location: Location): Promise<string> {
		switch (location.kind) {
			case 'directory':
				return `${location.shown} is a directory. Use List to see what is in it.`;
			case 'special':
			case 'symlink':
				return `${location.shown} is not a regular file (a pipe, socket or device): it can't be read.`;
			case 'file':
			case 'missing': {
				const near = await namesLike(location.real);
				const hint = near.length > 0 ? ` Near it there is: ${near.join(', ')}.` : '';
				return `${location.shown} does not exist.${hint}`;
			}
		}
	}
}

/** Names in the same directory that are like the one that is missing. */
async function namesLike(real: string): Promise<string[]> {
	const names = await fs.readdir(nodePath.dirname(real)).catch(() => []);
	const wanted = nodePath.basename(real);
	const stem = wanted.replace(/\.[^.]*$/, '').toLowerCase();
	const sameStem = names.filter((name) => name.replace(/\.[^.]*$/, '').toLowerCase() === stem);
	const alike = nearestLines(names.slice(0, MAX_NAMES).join('\n'), wanted).map(({ text }) => text);
	return [...new Set([...sameStem, ...alike])].slice(0, 5);
}

function rangeInWords({ start, count }: Range): string {
	if (count === Infinity) {
		return start === 1 ? '' : ` from line ${start}`;
	}
	return count === 1 ? `, line ${start}` : `, lines ${start}-${start + count - 1}`;
}

function readOn(rendered: { readonly next: number }, range: Range, total: number): string[] {
	const last = rendered.next - 1;
	if (total === 0 || (range.start === 1 && last >= total)) {
		return [];
	}
	const rest = last < total ? ` Read on with start_line=${last + 1}.` : '';
	return [`Lines ${range.start}-${last} of ${total}.${rest}`];
}

function formatNotes(format: TextFormat, isExact: boolean): string[] {
	if (!isExact) {
		return ['Some bytes are no valid text, and shown as \ufffd: Edit will refuse this file.'];
	}
	return format.encoding === 'utf-8' ? [] : [`Encoding: ${format.encoding}. Edit keeps it.`];
}

function withNotes(text: string, notes: readonly string[]): string {
	return [text, ...notes.map((note) => `(${note})`)].filter((part) => part !== '').join('\n');
}
