import * as nodePath from 'node:path';
import picomatch from 'picomatch';
import type { ToolContext } from '../engine/ports/index.ts';
import { CREDENTIAL_GLOBS, type Location, type SessionFiles, shownPath } from '../files/index.ts';
import { locateFor } from './fileTool.ts';

/** Never looked into, whatever is ignored or not: nobody means them. */
const SKIPPED_DIRECTORIES = ['node_modules', '__pycache__', '.git'];

/** What every search is run with: no settings of the user's that run programs, ignore files honoured everywhere. */
export const COMMON_ARGS: readonly string[] = [
	'--no-config',
	'--color=never',
	'--no-messages',
	'--no-require-git',
	...SKIPPED_DIRECTORIES.flatMap((name) => ['--glob', `!${name}`]),
];

/** Keeps searches by content out of credential files that nobody asked for. */
export const CREDENTIAL_ARGS: readonly string[] = CREDENTIAL_GLOBS.flatMap((glob) => ['--iglob', `!${glob}`]);

/**
 * Resolves where to search: the path that was given, or all folders of the workspace.
 * @returns the locations, or in words why there is none.
 */
export async function locateScope(
	files: SessionFiles,
	path: string | undefined,
	context: ToolContext,
): Promise<Location[] | string> {
	const isEverywhere = path === undefined || path.trim() === '' || path.trim() === '.';
	const wanted = isEverywhere ? (context.roots.length > 1 ? context.roots : [context.cwd]) : [path];
	const locations: Location[] = [];
	for (const each of wanted) {
		const location = await locateFor(files, each, context);
		if (typeof location === 'string') {
			return location;
		}
		locations.push(location);
	}
	return locations;
}

/** @returns in words why a location can't be searched, or undefined. */
export function notSearchable({ kind, shown }: Location, isFileAllowed: boolean): string | undefined {
	switch (kind) {
		case 'directory':
			return undefined;
		case 'file':
			return isFileAllowed ? undefined : `${shown} is a file. Give a directory, or use Read.`;
		case 'missing':
			return `${shown} does not exist.`;
		case 'symlink':
		case 'special':
			return `${shown} is no directory and no regular file: it can't be searched.`;
	}
}

export interface FileFilter {
	/** More arguments for ripgrep, so that it passes over what can't match. */
	readonly args: readonly string[];
	/** @param relative to the directory of the search, with `/`. */
	matches(relative: string): boolean;
}

/**
 * Turns a glob into a filter. One without `/` means names at any depth. Hidden files match where the glob says so.
 * ripgrep's own `--glob` is not used: it would bring back ignored files.
 */
export function fileFilter(glob: string): FileFilter {
	const pattern = glob.replace(/^\.\//, '');
	const isName = !pattern.includes('/');
	const isMatch = picomatch(isName ? `**/${pattern}` : pattern);
	const lastPart = pattern.slice(pattern.lastIndexOf('/') + 1);
	// What only picomatch understands is left to it alone: parentheses, and braces that hold a `/`.
	const isSimple =
		lastPart !== '' &&
		!/[()!]/.test(pattern) &&
		!/\{[^}]*\//.test(pattern) &&
		lastPart !== '**' &&
		!lastPart.startsWith('include:');
	return {
		args: [
			...(isSimple ? ['--type-add', `wanted:${lastPart}`, '--type', 'wanted'] : []),
			...(/(?:^|[/{,])\.[^./]/.test(pattern) ? ['--hidden'] : []),
		],
		matches: (relative) => isMatch(relative),
	};
}

/** @returns a found path as the model is told it. */
export function foundPath(directory: string, relative: string, cwd: string): string {
	return shownPath(nodePath.join(directory, relative), cwd);
}

/** @returns a path as ripgrep tells it for a search of `.`, with `/` and without `./`. */
export function relativePath(told: string): string {
	const path = nodePath.sep === '\\' ? told.replaceAll('\\', '/') : told;
	return path.startsWith('./') ? path.slice(2) : path;
}
