import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Dirs } from './dirs.ts';
import { hostPackage } from './paths.ts';

const run = promisify(execFile);

/**
 * Installs a VSIX for a server that has not been started yet.
 * @throws Error with the output when VS Code refuses it
 */
export async function installVsix(dirs: Dirs, vsix: string): Promise<void> {
	const { stdout, stderr } = await run(process.execPath, [
		path.join(hostPackage(), 'lib/vscode/out/server-main.js'),
		...['--install-extension', vsix, '--accept-server-license-terms'],
		...['--extensions-dir', dirs.extensions, '--user-data-dir', dirs.data, '--server-data-dir', dirs.data],
	]);
	if (!/successfully installed/.test(stdout)) {
		throw new Error(`${vsix} was not installed.\n${stdout}${stderr}`);
	}
}

/**
 * Puts helper extensions beside the one under test, for a server that has not been started yet.
 * @param folders each with a package.json; loaded from where they are
 */
export function linkExtensions(dirs: Dirs, folders: readonly string[]): void {
	for (const folder of folders) {
		const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
		const name = `${String(manifest['publisher'])}.${String(manifest['name'])}-${String(manifest['version'])}`;
		fs.symlinkSync(path.resolve(folder), path.join(dirs.extensions, name));
	}
	// VS Code's list of what is installed, which it makes anew from the folders when it is missing.
	fs.rmSync(path.join(dirs.extensions, 'extensions.json'), { force: true });
}
