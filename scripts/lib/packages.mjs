import fs from 'node:fs';
import { step, warn } from './log.mjs';
import { exitCode, run, which } from './run.mjs';

/** What Debian's packages provide, and what it is for. */
const NEEDS = {
	browser: {
		missing: () => !findChromium(),
		packages: ['chromium', 'fonts-liberation'],
		why: 'a browser for the tests',
	},
	bubblewrap: {
		missing: () => process.platform === 'linux' && ['bwrap', 'nsenter', 'socat'].some((name) => !which(name)),
		packages: ['bubblewrap', 'util-linux', 'socat'],
		why: 'the sandbox for commands',
	},
	curl: {
		missing: () => ['curl', 'openssl', 'ssh'].some((name) => !which(name)),
		packages: ['curl', 'ca-certificates', 'openssl', 'openssh-client'],
		why: 'the egress tests',
	},
	git: { missing: () => !which('git'), packages: ['git'], why: 'the sample workspace and its history' },
	compiler: {
		missing: () => !which('python3') || !which('make') || !which('g++'),
		packages: ['python3', 'make', 'g++'],
		why: 'compiling the native modules',
	},
};

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const CHROMIUM_FILES = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** @returns {string | undefined} a browser of Chromium's family; the environment's CHROMIUM goes first */
export function findChromium() {
	const own = process.env.CHROMIUM;
	if (own) {
		return fs.existsSync(own) ? own : undefined;
	}
	return CHROMIUM_NAMES.map(which).find(Boolean) ?? CHROMIUM_FILES.find((file) => fs.existsSync(file));
}

/**
 * Installs what is missing where this process may, and says what is missing where it may not.
 * @param {(keyof typeof NEEDS)[]} needs
 * @returns {Promise<void>}
 * @throws {Stop} when apt-get fails
 */
export async function ensurePackages(needs) {
	const missing = needs.map((need) => NEEDS[need]).filter((need) => need.missing());
	if (missing.length === 0) {
		return;
	}
	const names = missing.flatMap((need) => need.packages);
	if (!which('apt-get') || process.getuid?.() !== 0) {
		for (const need of missing) {
			warn(`Missing: ${need.packages.join(', ')} (${need.why}).`);
		}
		warn(
			which('apt-get')
				? `Install with: sudo apt-get install ${names.join(' ')}`
				: 'Install the equivalents with the package manager of this system.',
		);
		return;
	}
	await step(`Installing Debian packages: ${names.join(' ')}`, () => aptInstall(names));
}

/** @param {string[]} names */
async function aptInstall(names) {
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const update = await exitCode('apt-get', ['update', '-q'], { env, quiet: true });
	if (update.code !== 0) {
		warn('apt-get update failed; trying with the package lists that are here.');
	}
	await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], {
		env,
		quiet: true,
		remedy: `Install these yourself and run this again: ${names.join(' ')}`,
	});
}
