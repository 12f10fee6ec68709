/** Variables that a command inherits (engine-reference.md 6.5): where things are and how they look, and no secrets. */
const INHERITED = new Set([
	'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TERM', 'COLORTERM', 'PATH', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'DISPLAY',
	'CARGO_HOME', 'RUSTUP_HOME', 'RUST_LOG', 'RUST_BACKTRACE', 'CARGO_TARGET_DIR', 'GOPATH', 'GOROOT', 'GOBIN', 'GOFLAGS',
	'GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL',
	'NODE_PATH', 'NPM_CONFIG_USERCONFIG', 'NVM_DIR', 'NVM_BIN', 'FNM_DIR', 'VOLTA_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR',
	'PYTHONPATH', 'VIRTUAL_ENV', 'PYENV_ROOT', 'PYENV_VERSION', 'PYENV_SHELL', 'PIPX_HOME', 'PIPX_BIN_DIR', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV',
	'JAVA_HOME', 'GRADLE_USER_HOME', 'M2_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'DOTNET_ROOT', 'GEM_HOME', 'GEM_PATH', 'RBENV_ROOT',
	'KUBECONFIG', 'DOCKER_HOST', 'DOCKER_CONFIG', 'CLOUDSDK_CONFIG', 'AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_CONFIG_FILE',
	'MAKEFLAGS', 'MAKELEVEL', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'NIX_PATH', 'NIX_PROFILES',
	'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE',
	'SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'SYSTEMDRIVE', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMFILES', 'PROGRAMDATA',
	'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'MSYSTEM',
]); // prettier-ignore
const INHERITED_PATTERN = /^LC_[A-Z]+$/;
/** A second net below the list: whatever is called so, or has a password in its address, stays out. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)?(?:$|_)|CREDENTIAL|AUTH_SOCK|COOKIE|^VSCODE_|^ELECTRON_/i;
const SECRET_VALUE = /:\/\/[^/\s@]*:[^/\s@]+@/;

/** Nobody answers, nothing pages, nothing is painted: tools are told so in the way that each understands. */
const NON_INTERACTIVE: Readonly<Record<string, string>> = {
	CI: '1',
	NO_COLOR: '1',
	PAGER: 'cat',
	MANPAGER: 'cat',
	GIT_PAGER: 'cat',
	GH_PAGER: 'cat',
	SYSTEMD_PAGER: 'cat',
	GIT_TERMINAL_PROMPT: '0',
	GIT_EDITOR: 'true',
	GIT_SEQUENCE_EDITOR: 'true',
	EDITOR: 'true',
	VISUAL: 'true',
	GH_PROMPT_DISABLED: '1',
	DEBIAN_FRONTEND: 'noninteractive',
	NEEDRESTART_MODE: 'l',
	npm_config_yes: 'true',
	npm_config_fund: 'false',
	npm_config_update_notifier: 'false',
	PIP_NO_INPUT: '1',
	PIP_DISABLE_PIP_VERSION_CHECK: '1',
	POETRY_NO_INTERACTION: '1',
	COMPOSER_NO_INTERACTION: '1',
	HOMEBREW_NO_AUTO_UPDATE: '1',
	PYTHONUNBUFFERED: '1',
	BELAY: '1',
};

/**
 * The environment of a command: all of it, nothing else is inherited.
 * @param parent this process's own.
 * @param cwd where the command starts.
 * @param proxy variables that send its traffic through the session's proxies. They win over all others.
 */
export function commandEnvironment(
	parent: Readonly<Record<string, string | undefined>>,
	cwd: string,
	proxy: Readonly<Record<string, string>>,
): Record<string, string> {
	const inherited = Object.entries(parent).filter((entry): entry is [string, string] => {
		const [name, value] = entry;
		// Windows has one name in several cases (Path).
		const known = process.platform === 'win32' ? name.toUpperCase() : name;
		const isListed = INHERITED.has(known) || INHERITED_PATTERN.test(known);
		return value !== undefined && isListed && !SECRET_NAME.test(name) && !SECRET_VALUE.test(value);
	});
	return { TERM: 'dumb', ...Object.fromEntries(inherited), ...NON_INTERACTIVE, PWD: cwd, ...proxy };
}
