/** Variables whose value is a command that programs run. */
const COMMANDS =
	/^(?:(?:GIT_|MAN|BAT_|SYSTEMD_|GH_|AWS_)?PAGER|(?:GIT_|SVN_|FC|HG)?EDITOR|VISUAL|BROWSER|GIT_SEQUENCE_EDITOR|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|(?:GIT|SSH|SUDO)_ASKPASS|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|PS[0-4]|BASH_ENV|ENV|RUSTC(?:_WRAPPER)?|npm_config_(?:script_shell|shell|editor|git))$/;
/** Variables that change what the programs after them do, also when they are only set for the shell. */
const MEANINGFUL =
	/^(?:PATH|IFS|HOME|CDPATH|SHELL|SHELLOPTS|BASHOPTS|BASH_\w+|LD_\w+|DYLD_\w+|GIT_\w+|LESS\w*|XDG_\w+|NODE_\w+|PYTHON\w*|PERL\w*|RUBY\w*|JAVA\w*|_JAVA_OPTIONS|JDK_\w+|npm_config_\w+|RIPGREP_CONFIG_PATH|TAR_OPTIONS|GREP_OPTIONS|RSYNC_RSH|MAKEFLAGS|CARGO_\w+|RUSTFLAGS|GOFLAGS|DOCKER_\w+|KUBECONFIG|EDITRC|INPUTRC|TMPDIR)$/i;
/** Variables that change only how things look, or how much is said. */
const HARMLESS =
	/^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|DEBUG|VERBOSE|NODE_ENV|RUST_LOG|RUST_BACKTRACE|GREP_COLORS?|LS_COLORS|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|TEST_\w+|VITEST_\w+|JEST_\w+)$/;

/**
 * What setting a variable means for the commands that see it.
 * @param forCommand it is put into a command's environment (`X=1 cmd`, `env`, `export`), not only into the shell.
 */
export function variableMeaning(name: string, forCommand: boolean): 'command' | 'changesPrograms' | 'harmless' {
	if (COMMANDS.test(name)) {
		return 'command';
	}
	if (HARMLESS.test(name) || (forCommand && name === 'IFS')) {
		return 'harmless';
	}
	// A program may give a meaning to any name; small letters are the script's own.
	return MEANINGFUL.test(name) || (forCommand && /[A-Z]/.test(name)) ? 'changesPrograms' : 'harmless';
}
