import fs from 'node:fs';
import { info, Stop } from './log.mjs';
import { CACHE } from './paths.mjs';
import { which } from './run.mjs';

/** @returns {boolean} whether a desktop program can open a window here */
function hasDisplay() {
	return process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

/** @returns {string | undefined} the `code` command of a desktop VS Code; a remote terminal's `code` is not one */
export function findCodeCommand() {
	return process.env.VSCODE_IPC_HOOK_CLI || !hasDisplay() ? undefined : which('code');
}

/**
 * Finds a desktop VS Code: VSCODE_PATH, else the download of @vscode/test-electron, if it can be had.
 * @returns {Promise<string | undefined>} its executable, or undefined when there is none or no display
 * @throws {Stop} when VSCODE_PATH names a file that does not exist
 */
export async function findDesktopHost() {
	const own = process.env.VSCODE_PATH;
	if (own) {
		if (!fs.existsSync(own)) {
			throw new Stop(`VSCODE_PATH is ${own}, which does not exist.`, 'Name the executable of VS Code, or unset it.');
		}
		return own;
	}
	if (!hasDisplay()) {
		return undefined;
	}
	try {
		const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
		return await downloadAndUnzipVSCode({ version: 'stable', cachePath: CACHE, reporter: new SilentReporter() });
	} catch {
		info('Desktop VS Code cannot be downloaded here.');
		return undefined;
	}
}
