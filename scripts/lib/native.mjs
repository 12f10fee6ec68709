import fs from 'node:fs';
import path from 'node:path';
import { Stop, warn } from './log.mjs';
import { DIST, ROOT } from './paths.mjs';

const MODULES = path.join(ROOT, 'node_modules');
const WINDOWS = process.platform === 'win32';

/** The platform this machine builds for, as VS Code's Marketplace names it. */
export const TARGET = `${process.platform}-${process.env.npm_config_arch ?? process.arch}`;

/** Copies the SQLite addon and ripgrep of this platform to dist/native. Without the addon Belay uses node:sqlite. */
export function copyNative() {
	const native = path.join(DIST, 'native');
	fs.mkdirSync(native, { recursive: true });
	const addon = path.join(MODULES, '@vscode/sqlite3/build/Release/vscode-sqlite3.node');
	if (fs.existsSync(addon)) {
		replace(addon, path.join(native, 'vscode-sqlite3.node'));
	} else {
		warn('@vscode/sqlite3 is not compiled here; the build goes without it (npm rebuild @vscode/sqlite3 makes it).');
	}
	const name = WINDOWS ? 'rg.exe' : 'rg';
	const rg = path.join(MODULES, `@vscode/ripgrep-${TARGET}/bin/${name}`);
	if (!fs.existsSync(rg)) {
		throw new Stop(`There is no ripgrep for ${TARGET} in node_modules.`, 'Run npm ci without --omit=optional.');
	}
	replace(rg, path.join(native, name));
	fs.chmodSync(path.join(native, name), 0o755);
}

/**
 * A running VS Code may have the old file loaded: it keeps that, and a later start finds the new one.
 * @param {string} from
 * @param {string} to
 */
function replace(from, to) {
	const fresh = `${to}.${process.pid}`;
	fs.copyFileSync(from, fresh);
	fs.renameSync(fresh, to);
}
