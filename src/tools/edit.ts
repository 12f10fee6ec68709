import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolContext, ToolResult } from '../engine/ports/index.ts';
import type { FileDiff } from '../protocol/index.ts';
import {
	applyReplacements,
	FileError,
	type LoadedFile,
	type Location,
	type Replacement,
	type SessionFiles,
	unifiedDiff,
	wholeDiff,
} from '../files/index.ts';
import { asResult, counted, editAssessment, failure, locateFor, PATH_ALIASES } from './fileTool.ts';
import { savedInWords } from './savedInWords.ts';
import { ToolShape } from './toolShape.ts';

const replacement = z.object({
	old_str: z.string(),
	new_str: z.string(),
	replace_all: z.boolean().optional(),
});
const shape = new ToolShape(
	'Edit',
	'Change a file. Each old_str must be text that stands exactly once in it (without line numbers), or set replace_all. ' +
		'All replacements are made in order, or none.',
	{ file_path: z.string().min(1), replacements: z.array(replacement).min(1) },
	{
		...PATH_ALIASES,
		edits: 'replacements',
		changes: 'replacements',
		...{ old_string: 'old_str', old_text: 'old_str', old: 'old_str', search: 'old_str' },
		...{ new_string: 'new_str', new_text: 'new_str', new: 'new_str', replace: 'new_str', all: 'replace_all' },
	},
);

interface Plan {
	readonly loaded: LoadedFile;
	readonly before: string;
	readonly after: string;
	readonly places: number;
	readonly notes: readonly string[];
}

/** Replaces text in a file; every byte that is not meant stays as it is. */
export class EditTool implements Tool {
	readonly definition = shape.definition;
	readonly #files: SessionFiles;

	constructor(files: SessionFiles) {
		this.#files = files;
	}

	async prepare(args: unknown, context: ToolContext): Promise<PreparedCall | InvalidCall> {
		const parsed = shape.parse(withReplacements(args));
		if (!parsed.ok) {
			return parsed.call;
		}
		const location = await locateFor(this.#files, parsed.value.file_path, context);
		if (typeof location === 'string') {
			return { invalid: location, title: 'Edit' };
		}
		const replacements = parsed.value.replacements.map(({ old_str, new_str, replace_all }) => ({
			oldText: old_str,
			newText: new_str,
			replaceAll: replace_all ?? false,
		}));
		let previewed: string | undefined;
		return {
			tool: 'Edit',
			title: `Edit ${location.shown}`,
			detail: location.real,
			assessment: editAssessment(location, 'Edits'),
			access: 'exclusive',
			preview: async () => {
				const plan = await this.#plan(location, replacements);
				previewed = plan.loaded.stamp.hash;
				return diffsOf(location, plan);
			},
			run: () => asResult(() => this.#run(location, replacements, previewed, context)),
		};
	}

	async #plan(location: Location, replacements: readonly Replacement[]): Promise<Plan> {
		if (location.kind === 'directory' || location.kind === 'special') {
			throw new FileError('special', `${location.shown} is not a regular file: it can't be edited.`);
		}
		const loaded = await this.#files.load(location);
		if (loaded === undefined) {
			throw new FileError('missing', `${location.shown} does not exist. Use Write to make a new file.`);
		}
		const { content, stamp } = loaded;
		if (content.kind === 'binary') {
			throw new FileError('binary', `${location.shown} is a binary file: Edit changes text only.`);
		}
		if (!content.exact) {
			throw new FileError(
				'binary',
				`${location.shown} has bytes that are no valid text in any known encoding: editing it could damage them. Nothing was changed.`,
			);
		}
		this.#files.requireFresh(location, stamp);
		const outcome = applyReplacements(content.text, replacements);
		if (!outcome.ok) {
			throw new FileError('invalid', `${location.shown}: ${outcome.error}`);
		}
		return { loaded, before: content.text, after: outcome.text, places: outcome.places, notes: outcome.notes };
	}

	async #run(
		before: Location,
		replacements: readonly Replacement[],
		previewed: string | undefined,
		context: ToolContext,
	): Promise<ToolResult> {
		const location = await this.#files.relocate(before, context);
		const plan = await this.#plan(location, replacements);
		if (previewed !== undefined && previewed !== plan.loaded.stamp.hash) {
			return failure(`${location.shown} changed while the user was asked: nothing was changed. Read it again.`);
		}
		if (plan.after === plan.before) {
			return { ok: true, output: `No change: ${location.shown} already is as the edit would make it.` };
		}
		const outcome = await this.#files.save(location, plan.loaded, plan.after, { isWhole: false });
		const files = diffsOf(location, plan);
		const [diff] = files;
		const { added, removed } = diff;
		const made = counted(plan.places, 'replacement');
		const output = [
			`Edited ${location.shown}: ${made}, +${added} -${removed} lines.`,
			...plan.notes,
			...savedInWords(outcome),
		];
		return {
			ok: true,
			output: output.join('\n'),
			display: { kind: 'edit', files },
			...wholeDiff(diff, plan.before, plan.after),
		};
	}
}

function diffsOf(location: Location, { before, after }: Plan): [FileDiff] {
	return [unifiedDiff(location.shown, before, after)];
}

/** Some models give one replacement without the list: `{file_path, old_string, new_string}`. */
function withReplacements(args: unknown): unknown {
	if (typeof args !== 'object' || args === null || Array.isArray(args)) {
		return args;
	}
	const keys = Object.keys(args).map((key) => key.toLowerCase().replaceAll('_', ''));
	const isBare = keys.some((key) => ['oldstr', 'oldstring', 'oldtext'].includes(key)) && !keys.includes('replacements');
	return isBare ? { ...args, replacements: [args] } : args;
}
