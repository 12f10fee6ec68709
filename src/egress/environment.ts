/** How commands reach the session's proxies. */
export interface ProxyEndpoints {
	readonly httpPort: number;
	readonly socksPort: number;
	/** Characters that need no escaping in a URL. */
	readonly user: string;
	readonly password: string;
	/** Whether ssh may be sent through the proxy with bash's `/dev/tcp`. */
	readonly bash: boolean;
}

/**
 * This machine is reached directly: tests talk to their own servers, which no proxy should see. In a sandbox with a
 * network of its own these names mean the sandbox itself. Both spellings of `::1` because clients differ.
 */
const NO_PROXY = 'localhost,127.0.0.1,::1,[::1]';

/**
 * What ssh runs as its ProxyCommand: CONNECT through the HTTP proxy. In bash because it has sockets and is where git
 * and ssh are, while `nc` differs from system to system and knows no password. `read` takes single bytes from a socket,
 * so nothing of the tunnel is lost; `exec` gives up its own stdout, so that ssh sees the end of the tunnel.
 */
function sshConnectScript(port: number, authorization: string): string {
	return [
		`exec 3<>/dev/tcp/127.0.0.1/${port} || exit 1`,
		`printf 'CONNECT %s:%s HTTP/1.1\\r\\nProxy-Authorization: ${authorization}\\r\\n\\r\\n' "$1" "$2" >&3`,
		'IFS= read -r status <&3',
		'while IFS= read -r line <&3 && [ "$line" != $\'\\r\' ]; do :; done',
		'case $status in *" 200 "*) ;; *) cat <&3 >&2; exit 1;; esac',
		'cat <&3 & exec cat >&3',
	].join('; ');
}

function bothCases(names: readonly string[], value: string): Record<string, string> {
	return Object.fromEntries(names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, value]));
}

/** @returns the variables that send a command's traffic through the session's proxies, for every tool that can be told. */
export function proxyEnvironment(endpoints: ProxyEndpoints): Record<string, string> {
	const { user, password } = endpoints;
	const http = `http://${user}:${password}@127.0.0.1:${endpoints.httpPort}`;
	const socks = `socks5h://${user}:${password}@127.0.0.1:${endpoints.socksPort}`;
	const authorization = `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
	return {
		...bothCases(['HTTP_PROXY', 'HTTPS_PROXY', 'WS_PROXY', 'WSS_PROXY'], http),
		...bothCases(['ALL_PROXY', 'FTP_PROXY'], socks),
		...bothCases(['NO_PROXY'], NO_PROXY),
		NODE_USE_ENV_PROXY: '1',
		ELECTRON_GET_USE_PROXY: '1',
		npm_config_proxy: http,
		npm_config_https_proxy: http,
		npm_config_noproxy: NO_PROXY,
		YARN_HTTP_PROXY: http,
		YARN_HTTPS_PROXY: http,
		PIP_PROXY: http,
		CARGO_HTTP_PROXY: http,
		DOCKER_HTTP_PROXY: http,
		DOCKER_HTTPS_PROXY: http,
		DOCKER_NO_PROXY: NO_PROXY,
		// Above the user's own http.proxy, which the variables alone do not override.
		GIT_CONFIG_COUNT: '1',
		GIT_CONFIG_KEY_0: 'http.proxy',
		GIT_CONFIG_VALUE_0: http,
		GIT_HTTP_PROXY_AUTHMETHOD: 'basic',
		...(endpoints.bash
			? {
					BELAY_SSH_CONNECT: sshConnectScript(endpoints.httpPort, authorization),
					GIT_SSH_COMMAND: `ssh -o 'ProxyCommand=bash -c "$BELAY_SSH_CONNECT" belay "%h" "%p"'`,
				}
			: {}),
	};
}
