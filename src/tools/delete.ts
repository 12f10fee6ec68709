import * as nodePath from 'node:path';
import { z } from 'zod';
import type { Assessment, InvalidCall, PreparedCall, Tool, ToolContext, ToolResult } from '../engine/ports/index.ts';
import type { FileDiff } from '../protocol/index.ts';
import {
	binaryDiff,
	deletePath,
	FileError,
	type Location,
	rootOf,
	type SessionFiles,
	sizeInWords,
	surveyDirectory,
	unifiedDiff,
} from '../files/index.ts';
import { asResult, failure, locateFor, PATH_ALIASES } from './fileTool.ts';
import { ToolShape } from './toolShape.ts';

const shape = new ToolShape(
	'Delete',
	'Delete a file, or a directory: an empty one, or with recursive=true all that is in it.',
	{ file_path: z.string().min(1), recursive: z.boolean().optional() },
	{ ...PATH_ALIASES, directory: 'file_path', dir: 'file_path', target: 'file_path' },
);
/** The last part of the path is deleted itself, also where it is a symbolic link. */
const ITSELF = { follow: false };
/** Larger files are deleted without their text on the card. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** Deletes files and directories. A file that this session made, unchanged since, is told as such. */
export class DeleteTool implements Tool {
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
		const { file_path: path, recursive = false } = parsed.value;
		const location = await locateFor(this.#files, path, context, ITSELF);
		if (typeof location === 'string') {
			return { invalid: location, title: 'Delete' };
		}
		let previewed: { readonly hash: string | undefined } | undefined;
		const assessment = await this.#assess(location, recursive, context);
		return {
			tool: 'Delete',
			title: `Delete ${location.shown}${location.kind === 'directory' ? '/' : ''}`,
			detail: location.real,
			assessment,
			access: 'exclusive',
			preview: async () => {
				const plan = await this.#plan(location, recursive, context);
				previewed = { hash: plan.hash };
				return [plan.diff];
			},
			run: () =>
				asResult(() =>
					this.#run(location, { recursive, mustOwn: assessment.ownedByAgent === true }, previewed, context),
				),
		};
	}

	async #assess(location: Location, recursive: boolean, context: ToolContext): Promise<Assessment> {
		const { real, root, kind, shown, isProtected } = location;
		const isGuarded = (path: string) => this.#files.paths.isProtected(path, context.roots);
		const isCounted = kind === 'directory' && recursive && !holdsWorkspace(location, context);
		const contents = isCounted ? await surveyDirectory(real, isGuarded) : undefined;
		const count =
			contents === undefined
				? ''
				: ` and ${contents.isCut ? 'more than ' : ''}${contents.entries} entries in it (${sizeInWords(contents.bytes)})`;
		const owned = await this.#owns(location);
		return {
			effect: 'destructive',
			outside: root === undefined ? [real] : [],
			protectedPaths: [...(isProtected ? [real] : []), ...(contents?.guarded ?? [])],
			reason: `Deletes ${kind === 'directory' ? 'the directory ' : kind === 'symlink' ? 'the symbolic link ' : ''}${shown}${count}.`,
			...(owned ? { ownedByAgent: true as const } : {}),
		};
	}

	async #owns(location: Location): Promise<boolean> {
		if (location.kind !== 'file' || location.root === undefined || location.isProtected) {
			return false;
		}
		// What can't be read is not known to be the session's own.
		const loaded = await this.#files.load(location).catch(() => undefined);
		return loaded !== undefined && loaded.buffer === undefined && this.#files.tracker.owns(location.real, loaded.stamp);
	}

	async #plan(
		location: Location,
		recursive: boolean,
		context: ToolContext,
	): Promise<{ readonly diff: FileDiff; readonly hash: string | undefined }> {
		const { real, shown, kind, size } = location;
		if (holdsWorkspace(location, context)) {
			throw new FileError('refused', `${shown} is the workspace, or holds it: it is never deleted.`);
		}
		if (kind === 'missing') {
			throw new FileError('missing', `${shown} does not exist.`);
		}
		if (kind === 'directory') {
			const { entries } = await surveyDirectory(real, () => false);
			if (entries > 0 && !recursive) {
				throw new FileError('directory', `${shown} is not empty. To delete it with what is in it, set recursive=true.`);
			}
			return { diff: binaryDiff(`${shown}/`, 'delete'), hash: undefined };
		}
		if (this.#files.isDirty(location)) {
			throw new FileError('refused', `${shown} is open with unsaved changes. The user must save or close it first.`);
		}
		if (kind !== 'file' || size > MAX_SHOWN_BYTES) {
			return { diff: binaryDiff(shown, 'delete'), hash: undefined };
		}
		const loaded = await this.#files.load(location);
		if (loaded !== undefined) {
			this.#files.requireFresh(location, loaded.stamp);
		}
		const text = loaded?.content.kind === 'text' ? loaded.content.text : undefined;
		const diff = text === undefined ? binaryDiff(shown, 'delete') : unifiedDiff(shown, text, undefined);
		return { diff, hash: loaded?.stamp.hash };
	}

	async #run(
		before: Location,
		{ recursive, mustOwn }: { readonly recursive: boolean; readonly mustOwn: boolean },
		previewed: { readonly hash: string | undefined } | undefined,
		context: ToolContext,
	): Promise<ToolResult> {
		const location = await this.#files.relocate(before, context, ITSELF);
		if (location.kind !== before.kind || (mustOwn && !(await this.#owns(location)))) {
			return failure(`${location.shown} changed since it was checked: nothing was deleted. Try again.`);
		}
		const { diff, hash } = await this.#plan(location, recursive, context);
		if (previewed !== undefined && previewed.hash !== hash) {
			return failure(`${location.shown} changed while the user was asked: nothing was deleted. Read it again.`);
		}
		await deletePath(location, recursive);
		this.#files.tracker.noteDeleted(location.real);
		const what =
			location.kind === 'directory' ? 'the directory ' : location.kind === 'symlink' ? 'the symbolic link ' : '';
		return {
			ok: true,
			output: `Deleted ${what}${location.shown}${location.kind === 'file' ? ` (${sizeInWords(location.size)})` : ''}.`,
			display: { kind: 'edit', files: [diff] },
		};
	}
}

/** A folder of the workspace, the working directory, or what they stand in. */
function holdsWorkspace({ real }: Location, context: ToolContext): boolean {
	const kept = [...context.roots, nodePath.resolve(context.cwd)];
	return kept.some((path) => rootOf(path, [real]) !== undefined);
}
