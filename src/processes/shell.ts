import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { CommandWrapper } from './commandSpec.ts';

let found: string | undefined;

/** @returns the bash to use; sh where there is none. @throws where Windows has no bash: with the remedy. */
export function findShell(): string {
	found ??= process.platform === 'win32' ? findWindowsBash() : existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
	return found;
}

function findWindowsBash(): string {
	const folders = [
		...['ProgramFiles', 'ProgramW6432', 'LOCALAPPDATA'].flatMap((name) => {
			const base = process.env[name];
			return base === undefined ? [] : [join(base, 'Git', 'bin'), join(base, 'Programs', 'Git', 'bin')];
		}),
		// System32 holds the bash of WSL: another system with other paths.
		...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => !/\\system32\\?$/i.test(folder)),
	];
	const bash = folders.map((folder) => join(folder, 'bash.exe')).find((path) => existsSync(path));
	if (bash === undefined) {
		throw new Error('No bash was found on this computer. Install Git for Windows, which brings one, and try again.');
	}
	return bash;
}

/**
 * How a shell is started for a command: without start-up files, the same on every computer. `--norc` because bash takes
 * a stdin that is a socket, as Node's pipes are, for a remote login, and reads ~/.bashrc even for `-c`.
 * @throws as {@link findShell}.
 */
export function shellInvocation(command: string): { readonly file: string; readonly args: readonly string[] } {
	const file = findShell();
	return { file, args: /bash(?:\.exe)?$/.test(file) ? ['--norc', '-c', command] : ['-c', command] };
}

/** Runs commands in a plain shell, without a sandbox. */
export const plainShell: CommandWrapper = {
	wrap: ({ command, env }) => ({ ...shellInvocation(command), env }),
};
