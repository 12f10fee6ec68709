import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Dirs } from './dirs.ts';
import { hostPackage } from './paths.ts';
import { ownGroup, stopGroup } from './processes.ts';

/** A running VS Code server. */
export interface Server {
	readonly port: number;
	readonly origin: string;
	readonly pid: number;
	/** What it has printed so far. */
	log(): string;
	stop(): Promise<void>;
}

/** How to start a VS Code server. */
export interface ServerOptions {
	readonly dirs: Dirs;
	/** The smoke-test driver: needed for an extension under development, but keeps notification toasts from showing. */
	readonly driver: boolean;
	/** Fixed for restart tests: the workspace's storage depends on it. */
	readonly port?: number | undefined;
	readonly env?: NodeJS.ProcessEnv | undefined;
	/** code-server's own entry instead of the bare server: slower, but secrets outlive a reload. */
	readonly keepSecrets?: boolean | undefined;
	/** False opens the folder in restricted mode. */
	readonly trusted?: boolean | undefined;
}

const READY = /HTTP server listening on|Extension host agent listening on/;
const START_TIMEOUT_MS = 60_000;

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const server = createServer()
		.once('error', reject)
		.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
		});
	return promise;
}

/**
 * Starts a VS Code server and waits until it listens.
 * @throws Error with the server's log when it ends or stays silent
 */
export async function startServer(options: ServerOptions): Promise<Server> {
	const port = options.port ?? (await freePort());
	const { dirs } = options;
	const child = spawn(process.execPath, options.keepSecrets ? fullFlags(options, port) : bareFlags(options, port), {
		cwd: dirs.root,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: environment(dirs, options.env),
	});
	ownGroup(child);
	const log = collect(child);
	await listening(child, log);
	return {
		port,
		origin: `http://127.0.0.1:${port}`,
		pid: child.pid ?? 0,
		log,
		stop: () => stopGroup(child),
	};
}

function environment(dirs: Dirs, own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|VSCODE_|MOCHA|XDG_)/.test(name));
	return { ...Object.fromEntries(inherited), HOME: dirs.home, SHELL: '/bin/bash', EXTENSIONS_GALLERY: '{}', ...own };
}

function bareFlags({ dirs, driver, trusted = true }: ServerOptions, port: number): string[] {
	return [
		path.join(hostPackage(), 'lib/vscode/out/server-main.js'),
		...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
		...['--user-data-dir', dirs.data, '--server-data-dir', dirs.data, '--extensions-dir', dirs.extensions],
		...['--telemetry-level', 'off', '--disable-telemetry', '--disable-experiments'],
		// A page that was closed would keep its extension host for hours.
		...['--reconnection-grace-time', '2'],
		...(trusted ? ['--disable-workspace-trust'] : []),
		...(driver ? ['--enable-smoke-test-driver'] : []),
	];
}

function fullFlags({ dirs, driver, trusted = true }: ServerOptions, port: number): string[] {
	const config = path.join(dirs.root, 'config.yaml');
	fs.writeFileSync(config, '');
	return [
		path.join(hostPackage(), 'out/node/entry.js'),
		...['--config', config, '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none'],
		...['--user-data-dir', dirs.data, '--extensions-dir', dirs.extensions],
		...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
		...['--disable-proxy', '--ignore-last-opened', '--vscode-option', 'disable-experiments'],
		...['--reconnection-grace-time', '2'],
		...(trusted ? ['--disable-workspace-trust'] : []),
		...(driver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
	];
}

function collect(child: ChildProcess): () => string {
	let text = '';
	const add = (chunk: Buffer): void => {
		text += chunk.toString();
	};
	child.stdout?.on('data', add);
	child.stderr?.on('data', add);
	return () => text;
}

async function listening(child: ChildProcess, log: () => string): Promise<void> {
	const { promise, resolve, reject } = Promise.withResolvers<undefined>();
	const fail = (how: string): void => reject(new Error(`The VS Code server ${how}.\n${log()}`));
	const timer = setTimeout(() => fail('does not listen'), START_TIMEOUT_MS);
	child.once('error', (error) => fail(`cannot be started: ${error.message}`));
	child.once('exit', (code) => fail(`ended with ${String(code)}`));
	const look = (): void => {
		if (READY.test(log())) {
			resolve(undefined);
		}
	};
	child.stdout?.on('data', look);
	child.stderr?.on('data', look);
	try {
		await promise;
	} finally {
		clearTimeout(timer);
	}
}
