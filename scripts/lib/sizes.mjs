import fs from 'node:fs';
import path from 'node:path';
import { info } from './log.mjs';
import { DIST } from './paths.mjs';

/** Prints the size of each built file, source maps and tests left out. */
export function reportSizes() {
	const files = fs
		.readdirSync(DIST, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !file.startsWith(path.join(DIST, 'test')));
	for (const file of files.sort()) {
		info(`  ${size(fs.statSync(file).size).padStart(9)}  ${path.relative(path.dirname(DIST), file)}`);
	}
}

/**
 * @param {number} bytes
 * @returns {string} such as 1.2 MB or 34 kB
 */
export function size(bytes) {
	return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(2)} MB` : `${(bytes / 1e3).toFixed(0)} kB`;
}
