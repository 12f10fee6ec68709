import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { info, step, Stop } from './log.mjs';
import { NODE_DIR } from './paths.mjs';
import { run } from './run.mjs';

/** VS Code's extension host and the tests' `await using` want Node 24. */
const WANTED = 24;

/** @returns {boolean} whether the running Node is new enough for everything in scripts/ and test/ */
export function nodeIsNewEnough() {
	return Number(process.versions.node.split('.')[0]) >= WANTED;
}

/**
 * Finds Node 24, installing it below .vscode-test when this machine has none.
 * @returns {Promise<string>} the path of the binary
 * @throws {Stop} when it cannot be installed or does not run here
 */
export async function ensureNode24() {
	if (nodeIsNewEnough()) {
		return process.execPath;
	}
	const binary = path.join(NODE_DIR, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (runs(binary)) {
		return binary;
	}
	await step(`This is Node ${process.versions.node}; installing Node ${WANTED} into .vscode-test/node`, () =>
		install(),
	);
	if (!runs(binary)) {
		throw new Stop(
			`npm installed Node ${WANTED}, but it does not run on this system.`,
			`Install Node ${WANTED} yourself and run this again.`,
		);
	}
	return binary;
}

async function install() {
	fs.rmSync(NODE_DIR, { recursive: true, force: true });
	fs.mkdirSync(NODE_DIR, { recursive: true });
	// A package.json of its own keeps npm from touching the one of the repository.
	fs.writeFileSync(path.join(NODE_DIR, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
	await run('npm', ['install', '--no-audit', '--no-fund', `node@${WANTED}`], {
		cwd: NODE_DIR,
		quiet: true,
		remedy: `Install Node ${WANTED} yourself, or make the npm registry reachable.`,
	});
	const chooser = path.join(NODE_DIR, 'node_modules/node/installArchSpecificPackage.js');
	const binary = path.join(NODE_DIR, 'node_modules/node/bin/node');
	// The binary comes by an install script, which npm may have been told not to run.
	if (!fs.existsSync(binary) && fs.existsSync(chooser)) {
		await run(process.execPath, [chooser], { cwd: path.dirname(chooser), quiet: true });
	}
}

/** @param {string} binary */
function runs(binary) {
	const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
	return status === 0 && stdout.startsWith(`v${WANTED}.`);
}

/**
 * Runs a script again under another Node, with the same arguments and terminal.
 * @param {string} node the binary
 * @param {string} script
 * @returns {Promise<number>} the exit code
 */
export function runAgain(node, script) {
	const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		// A terminal's Ctrl+C reaches the child by itself; this keeps the parent alive until the child has cleaned up.
		process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
	}
	return new Promise((resolve) => {
		child.once('error', (error) => {
			info(error.message);
			resolve(127);
		});
		child.once('exit', (code) => resolve(code ?? 1));
	});
}
