import * as fs from 'node:fs';
import * as nodePath from 'node:path';

/** What the rules need to know of the machine. */
export interface PathRulesOptions {
	/** The user's home directory, absolute. It counts under its real path too. */
	readonly home: string;
	/** More protected paths, absolute: VS Code's user settings. */
	readonly protectedPaths?: readonly string[];
}

/** Directories that are protected wherever they stand (DESIGN.md, Trust). Git's is protected whole: its hooks, its
 * configuration, and what points to them (`gitdir`, `commondir`, worktrees) run code. */
const PROTECTED_DIRECTORIES = new Set(['.git', '.vscode', '.belay']);

/** Directories below the home directory that hold credentials (engine-reference.md 6.6). */
const CREDENTIAL_HOME = [
	'.ssh', '.aws', '.gnupg', '.kube', '.azure', '.password-store', '.terraform.d', '.claude', '.android', '.docker',
	...['gcloud', 'gh', 'op', 'helm', 'netlify', 'vercel', 'fly', 'doppler', 'stripe', 'heroku'].map((name) => `.config/${name}`),
	'.local/share/keyrings', '.mozilla', '.config/google-chrome', 'library/keychains',
]; // prettier-ignore

/** Files below the home directory that run at login or tell tools what to run. */
const PROTECTED_HOME_FILES = new Set([
	'.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin',
	'.gitconfig', '.config/fish/config.fish', '.config/git/config', '.pam_environment',
]); // prettier-ignore

/** Credential files by name, wherever they stand. */
const CREDENTIAL_FILES = new Set([
	'.netrc', '_netrc', '.git-credentials', '.npmrc', '.pypirc', '.vault-token', '.pgpass', '.dockercfg', '.htpasswd',
	'.yarnrc.yml', 'credentials.json', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk',
]); // prettier-ignore
const CREDENTIAL_ENDINGS = ['.pem', '.key', '.p12', '.pfx', '.jks', '.keystore', '.kdbx', '.ppk'];
/** `.env` files that are made to be read: they hold names, not values. */
const ENV_TEMPLATE = /\.(?:example|sample|template|dist|defaults|schema)$/;
/** Files of the system that hold secrets. */
const CREDENTIAL_SYSTEM =
	/^\/(?:etc\/(?:g?shadow-?|sudoers(?:\.d\/.*)?|ssh\/ssh_host_.*_key)|proc\/[^/]+\/(?:environ|mem|auxv)|proc\/[^/]+\/task\/[^/]+\/(?:environ|mem))$/;

/**
 * Globs of the credential files, for a search that must not read them (engine: ripgrep). The same rules as
 * {@link PathRules.isCredential}, but for the home directory, which holds them in hidden directories.
 */
export const CREDENTIAL_GLOBS: readonly string[] = [
	...CREDENTIAL_FILES,
	...CREDENTIAL_ENDINGS.map((ending) => `*${ending}`),
	'.env',
	'.env.*',
	'*.env',
];

/** Tells which paths ask whatever the trust mode is. Names are compared without regard to case: on many systems they
 * are the same file, and on the others asking once too often does no harm. */
export class PathRules {
	readonly #homes: readonly string[];
	readonly #more: readonly string[];

	constructor(options: PathRulesOptions) {
		this.#homes = withRealPath(options.home);
		this.#more = (options.protectedPaths ?? []).flatMap(withRealPath);
	}

	/**
	 * @param path absolute.
	 * @param root the folder of the workspace that it stands in, if any: what lies above doesn't count.
	 * @returns whether writing to it always asks.
	 */
	isProtected(path: string, root: string | undefined): boolean {
		const below = canonical(root === undefined ? path : nodePath.relative(root, path));
		const full = canonical(path);
		return (
			below.split('/').some((name) => PROTECTED_DIRECTORIES.has(name)) ||
			below.endsWith('.code-workspace') ||
			this.#more.some((other) => full === other || full.startsWith(`${other}/`)) ||
			PROTECTED_HOME_FILES.has(this.#belowHome(full) ?? '') ||
			this.isCredential(path)
		);
	}

	/**
	 * @param path absolute.
	 * @returns whether reading it always asks, too.
	 */
	isCredential(path: string): boolean {
		const full = canonical(path);
		const name = full.slice(full.lastIndexOf('/') + 1);
		const belowHome = this.#belowHome(full);
		return (
			CREDENTIAL_FILES.has(name) ||
			CREDENTIAL_ENDINGS.some((ending) => name.endsWith(ending)) ||
			isEnvFile(name) ||
			CREDENTIAL_SYSTEM.test(full) ||
			(belowHome !== undefined &&
				CREDENTIAL_HOME.some((directory) => belowHome === directory || belowHome.startsWith(`${directory}/`)))
		);
	}

	#belowHome(full: string): string | undefined {
		const home = this.#homes.find((each) => full.startsWith(`${each}/`));
		return home === undefined ? undefined : full.slice(home.length + 1);
	}
}

/** The path, and what it really is where a symbolic link stands for it. */
function withRealPath(path: string): string[] {
	try {
		return [...new Set([canonical(path), canonical(fs.realpathSync(path))])];
	} catch {
		return [canonical(path)];
	}
}

function isEnvFile(name: string): boolean {
	return (
		(name === '.env' || name.startsWith('.env.') || (name.endsWith('.env') && name.length > 4)) &&
		!ENV_TEMPLATE.test(name)
	);
}

/**
 * The form in which names are compared: lower case, `/`, without what file systems leave out (trailing dots and
 * blanks, streams on Windows; invisible characters on macOS).
 */
function canonical(path: string): string {
	return path
		.normalize('NFC')
		.replace(/[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
		.toLowerCase()
		.split(/[\\/]/)
		.map((name) => (/^[a-z]:$/.test(name) ? name : name.replace(/:.*$/, '')))
		.map((name) => (name === '.' || name === '..' ? name : name.replace(/[. ]+$/, '')))
		.join('/')
		.replace(/(?<=.)\/$/, '');
}
