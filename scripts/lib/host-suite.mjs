import fs from 'node:fs';
import path from 'node:path';
import { hostTestsBuild } from './bundles.mjs';
import { findDesktopHost } from './desktop-host.mjs';
import { info, step } from './log.mjs';
import { DIST, ROOT } from './paths.mjs';
import { ensureServerHost } from './server-host.mjs';
import { runSuite } from './suites.mjs';

const FOLDER = path.join(ROOT, 'test/host');

/**
 * Runs test/host/ inside a real extension host: of the desktop VS Code where there is one, else of the server.
 * @param {{ atLeast: number, minutes: number }} options
 * @returns {Promise<import('./suites.mjs').Outcome>}
 */
export async function runHostSuite(options) {
	await step('Bundling the host tests', bundle);
	const desktop = await findDesktopHost();
	if (desktop) {
		info(`In ${desktop}`);
		return runSuite('host', ['scripts/lib/host-suite-desktop.mjs', desktop], options);
	}
	await ensureServerHost();
	return runSuite('host', ['test/support/workbench/host-suite.ts'], options);
}

async function bundle() {
	fs.rmSync(path.join(DIST, 'test'), { recursive: true, force: true });
	const tests = fs
		.readdirSync(FOLDER, { recursive: true })
		.filter((name) => name.endsWith('.test.ts'))
		.map((name) => path.join(FOLDER, name));
	const { build } = await import('esbuild');
	await build(hostTestsBuild([path.join(FOLDER, 'index.ts'), ...tests]));
}
