import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestEgress } from './support.ts';
import { mirrorServer, run, startEgress, tcpServer, webServer } from './support.ts';

/** Programs that really send traffic, with nothing but the environment that a command gets. */
describe('real clients', () => {
	let dir = '';
	before(() => {
		dir = mkdtempSync(join(tmpdir(), 'belay-egress-'));
	});
	after(() => rmSync(dir, { recursive: true, force: true }));

	const inShell = (own: TestEgress, command: string, more: Record<string, string> = {}) =>
		run(
			'bash',
			['--norc', '-c', command],
			{ HOME: dir, ...own.egress.environment({ itemId: 'call-1' }), ...more },
			dir,
		);

	it('curl: plain, through a tunnel, through SOCKS, and asking for the authentication first', async () => {
		await using mirror = await mirrorServer();
		await using own = await startEgress({ allow: [`github.com:${mirror.port}`] });
		const url = `http://github.com:${mirror.port}/x`;
		const ways = [
			'',
			'--proxytunnel',
			'--proxy "$ALL_PROXY"',
			'--proxy-anyauth -d body',
			'--proxy-anyauth -p',
			'--http1.0',
		];
		await Promise.all(
			ways.map(async (way) => {
				const { code, stdout, stderr } = await inShell(own, `curl -sS ${way} ${url}`);
				assert.equal(code, 0, `${way}: ${stderr}`);
				assert.match(stdout, /"url":"\/x"/, way);
				assert.doesNotMatch(stdout, /proxy/i, way);
			}),
		);
		await own.egress[Symbol.asyncDispose]();
		assert.ok(own.rows.every((row) => row.itemId === 'call-1' && row.verdict === 'allowed'));
		assert.deepEqual(new Set(own.rows.map((row) => row.protocol)), new Set(['http', 'connect', 'socks5']));
	});

	it('curl: https with the certificate of the host itself, never one of ours', async () => {
		execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
			'-subj', '/CN=github.com', '-addext', 'subjectAltName=DNS:github.com', '-keyout', join(dir, 'key.pem'), '-out', join(dir, 'ca.pem'),
		], { stdio: 'ignore' }); // prettier-ignore
		const cert = readFileSync(join(dir, 'ca.pem'));
		const server = createHttps({ key: readFileSync(join(dir, 'key.pem')), cert }, (request, response) =>
			response.end(`secret ${request.url ?? ''}`),
		).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		await using own = await startEgress({ allow: [`github.com:${port}`] });
		for (const proxy of ['', '--proxy "$ALL_PROXY"']) {
			const { stdout, stderr } = await inShell(own, `curl -sS ${proxy} --cacert ca.pem https://github.com:${port}/x`);
			assert.equal(stdout, 'secret /x', stderr);
		}
		const node = `fetch('https://github.com:${port}/n').then((r) => r.text()).then(console.log)`;
		const { stdout, stderr } = await inShell(own, `"$NODE" -e "${node}"`, {
			NODE: process.execPath,
			NODE_EXTRA_CA_CERTS: join(dir, 'ca.pem'),
		});
		assert.equal(stdout, 'secret /n\n', stderr);
		server.closeAllConnections();
		server.close();
	});

	it('curl and node: a denied host, with the reason where the client shows it', async () => {
		await using own = await startEgress();
		const [plain, secure, node] = await Promise.all([
			inShell(own, 'curl -sS http://evil.example/'),
			inShell(own, 'curl -sS https://evil.example/'),
			inShell(own, `"$NODE" -e "fetch('https://evil.example/')"`, { NODE: process.execPath }),
		]);
		assert.match(plain.stdout, /blocked the connection to evil\.example:80/);
		assert.match(secure.stderr, /403/);
		assert.notEqual(node.code, 0);
		assert.match(node.stderr, /403/);
	});

	it('reaches servers of this machine directly', async () => {
		await using mirror = await mirrorServer();
		await using own = await startEgress();
		const node = `Promise.all(['localhost', '127.0.0.1'].map((host) => fetch('http://' + host + ':${mirror.port}/')))`;
		const results = await Promise.all([
			inShell(own, `curl -sS4 http://localhost:${mirror.port}/`),
			inShell(own, `curl -sS4 http://127.0.0.1:${mirror.port}/`),
			inShell(own, `"$NODE" -e "${node}"`, { NODE: process.execPath }),
		]);
		assert.deepEqual(
			results.map(({ code }) => code),
			[0, 0, 0],
		);
		await own.egress[Symbol.asyncDispose]();
		assert.deepEqual(own.rows, []);
	});

	it('git: clone and push over http, whatever proxy the user’s own configuration names', async () => {
		const git = (args: string[], cwd = dir) =>
			execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
				cwd,
				stdio: 'pipe',
				env: { PATH: process.env.PATH, HOME: dir },
			});
		git(['init', '-q', '-b', 'main', 'source']);
		writeFileSync(join(dir, 'source/file'), randomBytes(300_000));
		git(['add', '.'], join(dir, 'source'));
		git(['commit', '-qm', 'one'], join(dir, 'source'));
		writeFileSync(join(dir, '.gitconfig'), '[http]\n\tproxy = http://127.0.0.1:1\n[user]\n\tname = t\n\temail = t@t\n');
		await using server = await webServer((request, response) => gitBackend(dir, request, response));
		await using own = await startEgress({ allow: [`github.com:${server.port}`] });
		const url = `http://github.com:${server.port}/source/.git`;
		const cloned = await inShell(
			own,
			`git clone -q ${url} copy && cd copy && date > new && git add new && git commit -qm two && git push -q origin HEAD:two`,
		);
		rmSync(join(dir, '.gitconfig'));
		assert.equal(cloned.code, 0, cloned.stderr);
		assert.match(git(['log', '--format=%s', 'two'], join(dir, 'source')).toString(), /^two\none\n$/);
		const denied = await inShell(own, `git clone -q https://evil.example/x.git`);
		assert.match(denied.stderr, /403/);
	});

	it('git over ssh: the connection goes through the proxy', async () => {
		let banner = '';
		await using server = await tcpServer((socket) => {
			socket.write('SSH-2.0-test\r\n');
			socket.once('data', (chunk) => {
				banner = chunk.toString('latin1');
				socket.end();
			});
		});
		await using own = await startEgress({ allow: [`github.com:${server.port}`] });
		const { code } = await inShell(own, `git clone -q ssh://git@github.com:${server.port}/x.git`);
		assert.notEqual(code, 0);
		assert.match(banner, /^SSH-2\.0-OpenSSH/);
		const denied = await inShell(own, 'git clone -q ssh://git@evil.example/x.git');
		assert.match(denied.stderr, /Belay blocked the connection to evil\.example:22/);
		await own.egress[Symbol.asyncDispose]();
		assert.deepEqual(
			own.rows.map((row) => row.verdict),
			['allowed', 'denied'],
		);
	});

	it('npm: view from a registry', async () => {
		await using registry = await webServer((_request, response) => {
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					name: 'thing',
					'dist-tags': { latest: '4.5.6' },
					versions: { '4.5.6': { name: 'thing', version: '4.5.6' } },
				}),
			);
		});
		await using own = await startEgress({ allow: [`registry.npmjs.org:${registry.port}`] });
		const command = `npm view thing version --registry http://registry.npmjs.org:${registry.port}/ --no-update-notifier`;
		const { stdout, stderr } = await inShell(own, command);
		assert.equal(stdout.trim(), '4.5.6', stderr);
		await own.egress[Symbol.asyncDispose]();
		assert.deepEqual(new Set(own.rows.map((row) => row.host)), new Set(['registry.npmjs.org']));
	});
});

/** The CGI program that ships with git, for one request. */
function gitBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
	const [path = '', query = ''] = (request.url ?? '').split('?');
	const child = spawn('git', ['http-backend'], {
		env: {
			PATH: process.env.PATH,
			GIT_PROJECT_ROOT: root,
			GIT_HTTP_EXPORT_ALL: '1',
			PATH_INFO: path,
			QUERY_STRING: query,
			REQUEST_METHOD: request.method,
			CONTENT_TYPE: request.headers['content-type'] ?? '',
			HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
			GIT_CONFIG_COUNT: '1',
			GIT_CONFIG_KEY_0: 'http.receivepack',
			GIT_CONFIG_VALUE_0: 'true',
		},
	});
	request.pipe(child.stdin);
	const chunks: Buffer[] = [];
	child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
	child.on('close', () => {
		const output = Buffer.concat(chunks);
		const end = output.indexOf('\r\n\r\n');
		for (const line of output.subarray(0, end).toString().split('\r\n')) {
			const [name = '', value = ''] = line.split(': ');
			if (name === 'Status') {
				response.statusCode = Number.parseInt(value, 10);
			} else {
				response.setHeader(name, value);
			}
		}
		response.end(output.subarray(end + 4));
	});
}
