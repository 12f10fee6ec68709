import fs from 'node:fs';
import path from 'node:path';
import { step } from './log.mjs';
import { ROOT } from './paths.mjs';
import { run } from './run.mjs';

/**
 * Installs node_modules unless they are what package-lock.json says.
 * @returns {Promise<void>}
 * @throws {Stop} when npm fails
 */
export async function ensureDependencies() {
	if (installedAsLocked()) {
		return;
	}
	await step('Installing node modules (npm ci; about a minute and a half, sqlite is compiled)', () =>
		run('npm', ['ci', '--no-audit', '--no-fund'], {
			quiet: true,
			remedy: 'Compiling needs python3, make and a C++ compiler; the rest needs the npm registry.',
		}),
	);
}

/** npm writes what it installed to node_modules/.package-lock.json, last of all: an aborted install has none. */
function installedAsLocked() {
	const locked = packagesIn(path.join(ROOT, 'package-lock.json'));
	const installed = packagesIn(path.join(ROOT, 'node_modules/.package-lock.json'));
	if (!locked || !installed) {
		return false;
	}
	return Object.entries(locked).every(([where, wanted]) => {
		const have = installed[where];
		// Optional ones are left out where they do not fit the platform.
		return where === '' || have?.version === wanted.version || (!have && (wanted.optional || wanted.devOptional));
	});
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> | undefined}
 */
function packagesIn(file) {
	try {
		return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
	} catch {
		return undefined;
	}
}
