import type { Dirs } from './dirs.ts';
import type { Settings } from './settings.ts';

/** How to start a workbench; every field may be left out. */
export interface WorkbenchOptions {
	/** The folder to open; without one an empty temporary folder. */
	readonly folder?: string;
	/** Files to write into the folder first, by relative path. */
	readonly files?: Readonly<Record<string, string>>;
	/** User settings, on top of the quiet ones. */
	readonly settings?: Settings;
	/** Environment of the server and the extension host, on top of the test's own; HOME is a temporary folder. */
	readonly env?: NodeJS.ProcessEnv;
	/** `dev` (default) loads the extension from its folder; `vsix` installs the package, as users have it. */
	readonly mode?: 'dev' | 'vsix';
	/** The extension's folder in dev mode; the repository unless given. */
	readonly extensionPath?: string;
	/** The package in vsix mode; the newest one in the repository's root unless given. */
	readonly vsix?: string;
	/** Folders of helper extensions to load as well. */
	readonly extraExtensions?: readonly string[];
	/** Fixes the port, which the workspace's storage depends on. */
	readonly port?: number;
	/** Folders of an earlier workbench, for a test that starts again from what it left. They are not removed. */
	readonly dirs?: Dirs;
	/** Secrets outlive a reload of the page: a slower server. */
	readonly keepSecrets?: boolean;
	/** False opens the folder in restricted mode. */
	readonly trusted?: boolean;
	readonly size?: Size;
}

/** Of the window, in CSS pixels. */
export interface Size {
	readonly width: number;
	readonly height: number;
}
