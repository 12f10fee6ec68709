import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolContext, ToolResult } from '../engine/ports/index.ts';
import type { FileDiff } from '../protocol/index.ts';
import {
	binaryDiff,
	FileError,
	lineEndAround,
	type LoadedFile,
	type Location,
	mergeLineEnds,
	type SessionFiles,
	type TextFormat,
	unifiedDiff,
	wholeDiff,
	UnencodableTextError,
	UTF8,
} from '../files/index.ts';
import { asResult, counted, editAssessment, failure, locateFor, PATH_ALIASES } from './fileTool.ts';
import { savedInWords } from './savedInWords.ts';
import { ToolShape } from './toolShape.ts';

const shape = new ToolShape(
	'Write',
	'Write a whole file, and make its directories. An existing file needs overwrite=true, unless you have read or written all of it. ' +
		'To change a part, use Edit.',
	{ file_path: z.string().min(1), content: z.string(), overwrite: z.boolean().optional() },
	{ ...PATH_ALIASES, contents: 'content', text: 'content', file_text: 'content', data: 'content', force: 'overwrite' },
);

interface Plan {
	readonly loaded: LoadedFile | undefined;
	readonly text: string;
	readonly diff: FileDiff;
}

/** Writes a whole file. One that exists keeps its encoding, its byte order mark and its line ends. */
export class WriteTool implements Tool {
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
		const { file_path: path, content, overwrite = false } = parsed.value;
		const location = await locateFor(this.#files, path, context);
		if (typeof location === 'string') {
			return { invalid: location, title: 'Write' };
		}
		const isNew = location.kind === 'missing';
		let previewed: { readonly hash: string | undefined } | undefined;
		return {
			tool: 'Write',
			title: `${isNew ? 'Create' : 'Overwrite'} ${location.shown}`,
			detail: location.real,
			assessment: editAssessment(location, isNew ? 'Creates' : 'Overwrites'),
			access: 'exclusive',
			preview: async () => {
				const plan = await this.#plan(location, content, overwrite);
				previewed = { hash: plan.loaded?.stamp.hash };
				return [plan.diff];
			},
			run: () => asResult(() => this.#run(location, { content, overwrite }, previewed, context)),
		};
	}

	async #plan(location: Location, content: string, overwrite: boolean): Promise<Plan> {
		if (location.kind === 'directory' || location.kind === 'special') {
			throw new FileError(
				'special',
				`${location.shown} is ${location.kind === 'directory' ? 'a directory' : 'no regular file'}: it can't be written as a file.`,
			);
		}
		const loaded = await this.#files.load(location);
		if (loaded === undefined) {
			return { loaded, text: content, diff: unifiedDiff(location.shown, undefined, content) };
		}
		this.#files.requireFresh(location, loaded.stamp);
		if (!overwrite && !this.#files.tracker.knowsWhole(location.real, loaded.stamp)) {
			throw new FileError(
				'exists',
				`${location.shown} exists. Use Edit to change it; to replace it all, set overwrite=true.`,
			);
		}
		if (loaded.content.kind === 'binary') {
			return { loaded, text: content, diff: binaryDiff(location.shown, 'update') };
		}
		const before = loaded.content.text;
		const text = mergeLineEnds(before, content, lineEndAround(before, 0, 0));
		return { loaded, text, diff: unifiedDiff(location.shown, before, text) };
	}

	async #run(
		before: Location,
		{ content, overwrite }: { readonly content: string; readonly overwrite: boolean },
		previewed: { readonly hash: string | undefined } | undefined,
		context: ToolContext,
	): Promise<ToolResult> {
		const location = await this.#files.relocate(before, context);
		const { loaded, text, diff } = await this.#plan(location, content, overwrite);
		if (previewed !== undefined && previewed.hash !== loaded?.stamp.hash) {
			return failure(`${location.shown} changed while the user was asked: nothing was written. Read it again.`);
		}
		if (loaded?.content.kind === 'text' && loaded.content.text === text) {
			this.#files.tracker.noteWritten(location.real, loaded.stamp, { before: loaded.stamp, isWhole: true });
			return { ok: true, output: `No change: ${location.shown} already has this content.` };
		}
		const { outcome, notes } = await this.#save(location, loaded, text);
		const lines = loaded === undefined ? counted(diff.added, 'line') : `+${diff.added} -${diff.removed} lines`;
		const verb = loaded === undefined ? 'Created' : 'Overwrote';
		return {
			ok: true,
			output: [`${verb} ${location.shown}: ${lines}.`, ...notes, ...savedInWords(outcome)].join('\n'),
			display: { kind: 'edit', files: [diff] },
			...wholeDiff(diff, loaded?.content.kind === 'text' ? loaded.content.text : undefined, text),
		};
	}

	async #save(location: Location, loaded: LoadedFile | undefined, text: string) {
		try {
			return {
				outcome: await this.#files.save(location, loaded, text, { isWhole: true }),
				notes: formatNotes(loaded, text),
			};
		} catch (error) {
			// All of the text is new: nothing is lost by another encoding.
			if (!(error instanceof UnencodableTextError) || formatOf(loaded)?.encoding === 'utf-8') {
				throw error;
			}
			const outcome = await this.#files.save(location, loaded, text, { isWhole: true, format: UTF8 });
			return {
				outcome,
				notes: [`Its encoding is now utf-8: ${formatOf(loaded)?.encoding ?? ''} can't express the text.`],
			};
		}
	}
}

function formatOf(loaded: LoadedFile | undefined): TextFormat | undefined {
	return loaded?.content.kind === 'text' ? loaded.content.format : undefined;
}

function formatNotes(loaded: LoadedFile | undefined, text: string): string[] {
	const format = formatOf(loaded);
	const kept = [
		...(text.includes('\r\n') && loaded !== undefined ? ['CRLF line ends'] : []),
		...(format !== undefined && format.encoding !== 'utf-8' ? [`encoding ${format.encoding}`] : []),
		...(format?.bom === true ? ['byte order mark'] : []),
	];
	return kept.length > 0 ? [`Kept from the file before: ${kept.join(', ')}.`] : [];
}
