import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A second window gets a storage folder with the workspace's id (8 hex digits in a browser, 32 on the desktop) and `-1`, `-2`. */
const SECOND_WINDOW = /^([0-9a-f]{8}|[0-9a-f]{32})-\d+$/;

/**
 * Where a workspace's sessions are, given the storage folder of one of its windows: the first window's folder, where
 * that is known.
 * @param path `<parent>/<id>/<extension>` or `<parent>/<id>-1/<extension>`, absolute
 */
export function sharedStorageDirectory(path: string, exists: (path: string) => boolean = existsSync): string {
	const segments = path.split(sep);
	for (const [index, segment] of segments.entries()) {
		const id = SECOND_WINDOW.exec(segment)?.[1];
		if (id !== undefined) {
			const first = [...segments.slice(0, index), id].join(sep);
			return exists(first) ? join(first, ...segments.slice(index + 1)) : path;
		}
	}
	return path;
}
