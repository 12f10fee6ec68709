import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** @returns whether `path` is `folder` or stands below it. Both absolute and normal. */
export function isWithin(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** @returns the folders between `folder` and `path`, outermost first, without these two. */
export function foldersBetween(folder: string, path: string): string[] {
	const between: string[] = [];
	for (let at = dirname(path); at !== folder && isWithin(at, folder); at = dirname(at)) {
		between.unshift(at);
	}
	return between;
}

/** @returns what stands at the path itself, links not followed; undefined where nothing does or it cannot be seen. */
export function lookAt(path: string): Stats | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** @returns the path without symbolic links; undefined where it leads to nothing. */
export function realPath(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}
