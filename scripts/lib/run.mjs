import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';
import { Stop } from './log.mjs';

const WINDOWS = process.platform === 'win32';
const TAIL_LINES = 25;

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, remedy?: string }} [options] quiet keeps the output
 *   back unless the program fails
 * @returns {Promise<void>}
 * @throws {Stop} when the program is missing or ends with another code than 0
 */
export async function run(command, args, { cwd = ROOT, env = process.env, quiet = false, remedy } = {}) {
	const { code, output } = await exitCode(command, args, { cwd, env, quiet });
	if (code === 0) {
		return;
	}
	const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
	throw new Stop(`\`${[command, ...args].join(' ')}\` failed (${code}).${tail ? `\n${tail}` : ''}`, remedy);
}

/**
 * Runs a program and answers how it ended; a program that cannot be started counts as 127.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, timeoutMs?: number }} [options]
 * @returns {Promise<{ code: number | string, output: string }>} output is empty unless quiet
 */
export function exitCode(command, args, { cwd = ROOT, env = process.env, quiet = false, timeoutMs } = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, args, {
			cwd,
			env,
			stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
			shell: WINDOWS && /^(npm|npx|code)$/.test(command),
		});
		let output = '';
		child.stdout?.on('data', (chunk) => (output += chunk));
		child.stderr?.on('data', (chunk) => (output += chunk));
		const timer = timeoutMs && setTimeout(() => terminate(child), timeoutMs);
		child.once('error', (error) => resolve({ code: 127, output: output + error.message }));
		child.once('close', (code, signal) => {
			clearTimeout(timer);
			resolve({ code: code ?? signal ?? 1, output });
		});
	});
}

/** @param {import('node:child_process').ChildProcess} child */
function terminate(child) {
	child.kill('SIGTERM');
	setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
}

/**
 * @param {string} name a program's name
 * @returns {string | undefined} where PATH has it
 */
export function which(name) {
	const names = WINDOWS ? [`${name}.cmd`, `${name}.exe`] : [name];
	for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
		for (const file of names.map((each) => path.join(folder, each))) {
			if (folder && fs.existsSync(file)) {
				return file;
			}
		}
	}
	return undefined;
}
