import type { Assessment, ToolContext, ToolResult } from '../engine/ports/index.ts';
import { FileError, type Location, type SessionFiles, UnencodableTextError } from '../files/index.ts';

/** Other names that models give the path of a file. */
export const PATH_ALIASES: Readonly<Record<string, string>> = {
	path: 'file_path',
	file: 'file_path',
	filename: 'file_path',
	filepath: 'file_path',
	target_file: 'file_path',
};

/** Other names for the place to look in. */
export const PLACE_ALIASES: Readonly<Record<string, string>> = {
	file_path: 'path',
	directory: 'path',
	dir: 'path',
	folder: 'path',
	dir_path: 'path',
};

/** A result that tells the model why nothing was done. */
export function failure(output: string): ToolResult {
	return { ok: false, output };
}

/** Runs a file operation; what is foreseen to go wrong becomes a result. @throws all else. */
export async function asResult(work: () => Promise<ToolResult>): Promise<ToolResult> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof FileError || error instanceof UnencodableTextError) {
			return failure(error.message);
		}
		throw error;
	}
}

/**
 * Resolves the path of a call.
 * @returns the location, or in words why it is none.
 */
export async function locateFor(
	files: SessionFiles,
	path: string,
	context: ToolContext,
	options: { readonly follow: boolean } = { follow: true },
): Promise<Location | string> {
	try {
		return await files.paths.locate(path, context, options);
	} catch (error) {
		if (error instanceof FileError) {
			return error.message;
		}
		throw error;
	}
}

/** @param what the call does, in words, in the third person: `Reads`. */
export function readAssessment(locations: readonly Location[], what: string): Assessment {
	const guarded = locations.filter(({ isCredential }) => isCredential);
	const names = locations.map(({ shown }) => (shown === '.' ? 'the working directory' : shown)).join(', ');
	return {
		effect: 'readOnly',
		outside: [],
		protectedPaths: guarded.map(({ real }) => real),
		reason: guarded.length > 0 ? `${what} ${names}, which may hold credentials.` : `${what} ${names}.`,
	};
}

/** @param what the call does, in words: `Edits`. */
export function editAssessment(location: Location, what: string): Assessment {
	const isPlain = location.root !== undefined && !location.isProtected;
	return {
		effect: 'localMutation',
		outside: location.root === undefined ? [location.real] : [],
		protectedPaths: location.isProtected ? [location.real] : [],
		reason: `${what} ${location.shown}${leadsTo(location)}.`,
		...(isPlain ? { sessionKey: { key: 'edit:workspace', label: 'edits of files in this workspace' } } : {}),
	};
}

/** Says where a symbolic link leads: the user must know what is really changed. */
function leadsTo({ requested, real }: Location): string {
	return requested === real ? '' : ` (which leads to ${real})`;
}

/** Cuts a result at the model's limit, at a whole line. @param hint how to get the rest. */
export function withinChars(lines: readonly string[], limit: number, hint: string): string {
	let length = 0;
	const kept: string[] = [];
	for (const line of lines) {
		length += line.length + 1;
		if (length > limit) {
			return [...kept, `(Cut at ${limit} characters. ${hint})`].join('\n');
		}
		kept.push(line);
	}
	return kept.join('\n');
}

/** @returns `1 line`, `2 lines`. */
export function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}
