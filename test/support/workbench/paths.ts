import fs from 'node:fs';
import path from 'node:path';

/** The repository: what `extensionDevelopmentPath` names unless a test says otherwise. */
export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Where screenshots and logs of failures go. */
export const RESULTS = path.join(ROOT, 'test-results');

const HOST = path.join(ROOT, '.vscode-test/host');

/**
 * The VS Code server that `npm run setup` installs.
 * @returns the folder of its npm package
 * @throws Error when it is not installed
 */
export function hostPackage(): string {
	if (!fs.existsSync(path.join(HOST, 'stamp.json'))) {
		throw new Error('The VS Code server is not installed: run `npm run setup`.');
	}
	return path.join(HOST, 'package');
}

/**
 * The newest VSIX that `npm run package` left in the repository's root.
 * @throws Error when there is none
 */
export function packagedVsix(): string {
	const newest = fs
		.readdirSync(ROOT)
		.filter((name) => name.endsWith('.vsix'))
		.map((name) => path.join(ROOT, name))
		.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)
		.at(0);
	if (newest === undefined) {
		throw new Error('There is no VSIX: run `npm run package`.');
	}
	return newest;
}

/** A browser of Chromium's family: the environment's CHROMIUM, which scripts/test.mjs sets, or Debian's. */
export function chromiumPath(): string {
	return process.env['CHROMIUM'] ?? '/usr/bin/chromium';
}
