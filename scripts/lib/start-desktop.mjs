import path from 'node:path';
import { Stop } from './log.mjs';
import { CACHE, ROOT } from './paths.mjs';
import { exitCode } from './run.mjs';

/**
 * Opens a desktop VS Code with Belay, with settings and extensions of its own.
 * @param {string} command `code`, or VS Code's executable
 * @param {string} folder
 * @returns {Promise<void>} when the window is closed, or at once when `code` does not wait
 * @throws {Stop} when it cannot be started
 */
export async function startDesktop(command, folder) {
	const { code } = await exitCode(command, [
		`--extensionDevelopmentPath=${ROOT}`,
		`--user-data-dir=${path.join(CACHE, 'start/desktop')}`,
		`--extensions-dir=${path.join(CACHE, 'start/desktop-extensions')}`,
		'--disable-workspace-trust',
		'--skip-welcome',
		'--skip-release-notes',
		folder,
	]);
	if (code !== 0) {
		throw new Stop(`${command} ended with ${code}.`, 'npm start -- --server opens VS Code in the browser instead.');
	}
}
