import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { findCodeCommand, findDesktopHost } from './lib/desktop-host.mjs';
import { info, Stop } from './lib/log.mjs';
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { CACHE } from './lib/paths.mjs';
import { portFrom } from './lib/ports.mjs';
import { ensureSampleWorkspace } from './lib/sample-workspace.mjs';
import { ensureServerHost } from './lib/server-host.mjs';
import { startDesktop } from './lib/start-desktop.mjs';
import { startServer, whenAnswering } from './lib/start-server.mjs';

const DEFAULT_PORT = 8123;
const HINT = "Belay is the icon of that name in the activity bar, at the window's left edge.";
const USAGE = `npm start -- [options]
  --server         VS Code in the browser, also where a desktop VS Code is to be had
  --port N         the browser's port (default: BELAY_PORT, else ${DEFAULT_PORT}); sessions are kept per port
  --folder PATH    open this folder instead of the sample workspace
  --check          start, wait for the workbench to answer, stop`;

/** `npm start`: sets up what is missing, builds, and opens a real VS Code with Belay on a sample workspace. */
await main(import.meta.url, async (argv) => {
	const options = parse(argv);
	if (options.help) {
		info(USAGE);
		return;
	}
	await ensurePackages(['compiler', 'git', 'bubblewrap']);
	await ensureDependencies();
	await build();
	const folder = options.folder ?? (await ensureSampleWorkspace());
	const desktop = options.server || options.check ? undefined : await findDesktop();
	if (desktop) {
		info(`Opening VS Code on ${folder}. ${HINT}`);
		await startDesktop(desktop, folder);
		return;
	}
	await serve(folder, options);
});

/** @param {string[]} argv */
function parse(argv) {
	try {
		const { values } = parseArgs({
			args: argv,
			options: {
				server: { type: 'boolean' },
				check: { type: 'boolean' },
				port: { type: 'string' },
				folder: { type: 'string' },
				help: { type: 'boolean' },
			},
		});
		const port = Number(values.port ?? (process.env.BELAY_PORT || DEFAULT_PORT));
		if (!Number.isInteger(port) || port < 1 || port > 65_535) {
			throw new Error('The port has to be a number from 1 to 65535.');
		}
		return { ...values, port };
	} catch (error) {
		throw new Stop(error.message, USAGE);
	}
}

async function findDesktop() {
	return process.env.VSCODE_PATH ? findDesktopHost() : (findCodeCommand() ?? findDesktopHost());
}

/**
 * @param {string} folder
 * @param {{ port: number, check?: boolean }} options
 */
async function serve(folder, options) {
	await ensureServerHost();
	const port = await portFrom(options.port);
	if (port !== options.port) {
		info(`Port ${options.port} is taken, using ${port}: sessions made on ${options.port} are not shown there.`);
	}
	const home = path.join(CACHE, options.check ? 'start-check' : 'start');
	const server = startServer({ port, folder, home });
	const interrupted = new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
			process.once(signal, resolve);
		}
	});
	try {
		await Promise.race([whenAnswering(server), interrupted]);
		if (options.check) {
			info(`VS Code answers at ${server.url}`);
			return;
		}
		info(`\n  VS Code with Belay:  ${server.url}\n\n  ${HINT}\n  Ctrl+C stops it.\n`);
		await Promise.race([interrupted, server.ended.then(() => Promise.reject(endedByItself(server)))]);
	} finally {
		await server.stop();
	}
}

/** @param {import('./lib/start-server.mjs').StartedServer} server */
function endedByItself(server) {
	return new Stop('VS Code has ended by itself.', `Its log is ${server.log}.`);
}
