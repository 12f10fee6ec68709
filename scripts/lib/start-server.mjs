import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Stop } from './log.mjs';
import { HOST_PACKAGE, ROOT } from './paths.mjs';

const STOP_AFTER_MS = 5000;

/** What a newcomer starts with; from then on the file is theirs. */
const FIRST_SETTINGS = {
	'workbench.startupEditor': 'none',
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'workbench.tips.enabled': false,
	'chat.disableAIFeatures': true,
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'extensions.ignoreRecommendations': true,
};

/**
 * @typedef {object} StartedServer
 * @property {string} log the file with what the server says
 * @property {string} url the workbench, with the folder open
 * @property {Promise<void>} ended when the server is gone
 * @property {() => Promise<void>} stop ends the server and all it started
 */

/**
 * Starts the VS Code server with Belay installed, for a person: state and secrets outlive it, while the port is the same.
 * @param {{ port: number, folder: string, home: string }} options home is a folder for everything it keeps
 * @returns {StartedServer}
 */
export function startServer({ port, folder, home }) {
	prepare(home);
	const log = path.join(home, 'server.log');
	// The package's own entry, not the bare server inside it: only this one keeps secrets.
	const output = fs.openSync(log, 'w');
	const child = spawn(process.execPath, [path.join(HOST_PACKAGE, 'out/node/entry.js'), ...flags(port, home)], {
		cwd: home,
		detached: true,
		stdio: ['ignore', output, output],
		env: { EXTENSIONS_GALLERY: '{}', ...process.env, VSCODE_IPC_HOOK_CLI: '' },
	});
	const ended = new Promise((resolve) => child.once('close', () => resolve()));
	const kill = (signal) => {
		try {
			process.kill(-child.pid, signal);
		} catch {
			// Already gone.
		}
	};
	process.on('exit', () => kill('SIGKILL'));
	return {
		log,
		url: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`,
		ended,
		async stop() {
			kill('SIGTERM');
			const timer = setTimeout(() => kill('SIGKILL'), STOP_AFTER_MS);
			await ended;
			clearTimeout(timer);
		},
	};
}

/** @param {number} port @param {string} home */
function flags(port, home) {
	return [
		...['--config', path.join(home, 'config.yaml')],
		...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
		...['--user-data-dir', path.join(home, 'data'), '--extensions-dir', path.join(home, 'extensions')],
		...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
		...['--disable-getting-started-override', '--disable-proxy', '--ignore-last-opened'],
		...['--reconnection-grace-time', '30'],
	];
}

/** @param {string} home */
function prepare(home) {
	const user = path.join(home, 'data/User');
	const extensions = path.join(home, 'extensions');
	fs.mkdirSync(user, { recursive: true });
	fs.mkdirSync(extensions, { recursive: true });
	// Without a configuration of its own the server would write one to the person's home.
	fs.writeFileSync(path.join(home, 'config.yaml'), '');
	const settings = path.join(user, 'settings.json');
	if (!fs.existsSync(settings)) {
		fs.writeFileSync(settings, `${JSON.stringify(FIRST_SETTINGS, null, '\t')}\n`);
	}
	linkExtension(extensions);
}

/** The link makes a new build count from the next reload of the window on. @param {string} extensions */
function linkExtension(extensions) {
	for (const name of fs.readdirSync(extensions)) {
		// VS Code keeps its list of extensions in a file, and looks at the folders again only when that is missing.
		if (name.startsWith('belay.belay-') || name === 'extensions.json' || name === '.obsolete') {
			fs.rmSync(path.join(extensions, name), { force: true, recursive: true });
		}
	}
	const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
	fs.symlinkSync(ROOT, path.join(extensions, `belay.belay-${version}`));
}

/**
 * Waits until the workbench answers.
 * @param {StartedServer} server
 * @returns {Promise<void>}
 * @throws {Stop} when the server ends first, or does not answer within a minute
 */
export async function whenAnswering(server) {
	let ended = false;
	void server.ended.then(() => (ended = true));
	for (const end = Date.now() + 60_000; Date.now() < end && !ended;) {
		const page = await fetch(server.url).then(
			(response) => (response.ok ? response.text() : ''),
			() => '',
		);
		if (page.includes('workbench')) {
			return;
		}
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Stop(`VS Code ${ended ? 'ended at its start' : 'does not answer'}.`, `Its log is ${server.log}.`);
}
