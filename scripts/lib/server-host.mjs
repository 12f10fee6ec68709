import fs from 'node:fs';
import path from 'node:path';
import { step, Stop } from './log.mjs';
import { CACHE, HOST_DIR, HOST_PACKAGE } from './paths.mjs';
import { run } from './run.mjs';

/** The npm package that carries a real VS Code: server, workbench, extension host. It holds VS Code 1.139.1. */
const PACKAGE = 'code-server@4.139.1';
/** Goes up when what is installed below changes, so that older installs are made anew. */
const LAYOUT = 1;
const STAMP = path.join(HOST_DIR, 'stamp.json');

/** What no test and no try-out uses: other platforms' binaries and the built-in AI extensions (330 MB). */
const DROPPED = [
	'node_modules/@github',
	'node_modules/@microsoft/mxc-sdk',
	'extensions/copilot',
	'extensions/mermaid-markdown-features',
	'extensions/microsoft-authentication',
	'extensions/ms-vscode.js-debug',
	'extensions/ms-vscode.js-debug-companion',
	'extensions/ms-vscode.vscode-js-profile-table',
	...['darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64']
		.filter((platform) => platform !== `${process.platform}-${process.arch}`)
		.flatMap((platform) => [
			`node_modules/node-pty/prebuilds/${platform}`,
			`node_modules/@vscode/ripgrep-universal/bin/${platform}`,
		]),
];

/**
 * Installs the VS Code server below .vscode-test/host, unless it is there.
 * @returns {Promise<string>} the folder of the npm package
 * @throws {Stop} when this system cannot run it, or npm cannot get or compile it
 */
export async function ensureServerHost() {
	if (process.platform === 'win32') {
		throw new Stop(
			'The VS Code server for tests does not run on Windows.',
			'Install VS Code and put `code` on PATH, or name its executable in VSCODE_PATH.',
		);
	}
	if (!isInstalled()) {
		await step(`Installing a VS Code server (${PACKAGE}) into .vscode-test/host, about half a minute`, install);
	}
	return HOST_PACKAGE;
}

function isInstalled() {
	try {
		const stamp = JSON.parse(fs.readFileSync(STAMP, 'utf8'));
		return stamp.package === PACKAGE && stamp.layout === LAYOUT;
	} catch {
		return false;
	}
}

/** Works in a folder of its own and renames it at the end: an aborted install leaves nothing that looks complete. */
async function install() {
	removeAborted();
	const work = `${HOST_DIR}.${process.pid}.tmp`;
	try {
		fs.mkdirSync(work, { recursive: true });
		await unpack(work);
		const code = path.join(work, 'package/lib/vscode');
		// `npm ci` refuses the shrinkwrap (it lacks tslib). Scripts are off: they compile what is not needed here.
		await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], path.join(work, 'package'));
		await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], code);
		// The native modules the extension host asks for at its start; the other ones come compiled.
		await npm(['rebuild', '@vscode/native-watchdog', '@vscode/spdlog'], code);
		for (const dropped of DROPPED) {
			fs.rmSync(path.join(code, dropped), { recursive: true, force: true });
		}
		fs.writeFileSync(path.join(work, 'stamp.json'), JSON.stringify({ package: PACKAGE, layout: LAYOUT }));
		putInPlace(work);
	} finally {
		fs.rmSync(work, { recursive: true, force: true });
	}
}

/** @param {string} work */
async function unpack(work) {
	await npm(['pack', '--silent', PACKAGE], work);
	const tarball = fs.readdirSync(work).find((name) => name.endsWith('.tgz'));
	if (!tarball) {
		throw new Stop(`npm pack ${PACKAGE} gave no tarball.`);
	}
	await run('tar', ['xzf', tarball], { cwd: work, quiet: true, remedy: 'Install tar.' });
	fs.rmSync(path.join(work, tarball));
}

/** @param {string[]} args @param {string} cwd */
function npm(args, cwd) {
	return run('npm', args, {
		cwd,
		quiet: true,
		remedy: 'The npm registry must be reachable; compiling needs python3, make and a C++ compiler.',
	});
}

/** @param {string} work */
function putInPlace(work) {
	// A second runner may have been faster: its install is as good as this one.
	if (!isInstalled()) {
		fs.rmSync(HOST_DIR, { recursive: true, force: true });
		fs.renameSync(work, HOST_DIR);
	}
}

function removeAborted() {
	for (const name of fs.existsSync(CACHE) ? fs.readdirSync(CACHE) : []) {
		const pid = /^host\.(\d+)\.tmp$/.exec(name)?.[1];
		if (pid && !isRunning(Number(pid))) {
			fs.rmSync(path.join(CACHE, name), { recursive: true, force: true });
		}
	}
}

/** @param {number} pid */
function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
