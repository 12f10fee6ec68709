import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { makeDirs, removeDirs, writeSettings, type Dirs } from './dirs.ts';
import { installVsix, linkExtensions } from './extensions.ts';
import type { Size, WorkbenchOptions } from './options.ts';
import {
	notifications,
	openContainer,
	remoteUri,
	runCommand,
	webviewFrame,
	workbenchReady,
	workbenchUrl,
} from './page.ts';
import { packagedVsix, RESULTS, ROOT } from './paths.ts';
import { watchProblems } from './problems.ts';
import { extensionHostPids } from './processes.ts';
import { startServer, type Server } from './server.ts';
import { changeSettings, HELPER_EXTENSION, settingsRequestFile } from './live-settings.ts';
import { THEMES, type Settings, type Theme } from './settings.ts';
import { until } from './until.ts';

const EXTENSION_ID = 'belay.belay';
const CONTAINER = 'Belay';
const DEFAULT_SIZE: Size = { width: 1280, height: 800 };

/** A real VS Code in a browser with Belay in it. Start it with `await using`, which stops and removes everything. */
export class Workbench {
	readonly dirs: Dirs;
	readonly page: Page;
	/** What the page has complained about so far, the workbench's own noise left out. */
	readonly problems: readonly string[];
	readonly #options: WorkbenchOptions;
	readonly #browser: Browser;
	readonly #context: BrowserContext;
	#server: Server;

	private constructor(options: WorkbenchOptions, dirs: Dirs, server: Server, context: BrowserContext, page: Page) {
		this.#options = options;
		this.dirs = dirs;
		this.#server = server;
		this.#context = context;
		this.#browser = context.browser()!;
		this.page = page;
		this.problems = watchProblems(page);
	}

	/**
	 * Starts a server and a browser, opens the folder, and waits until the workbench is restored.
	 * @throws Error when one of them does not start
	 */
	static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
		const dirs = await prepare(options);
		const server = await startServer(serverOptions(options, dirs));
		const browser = await launchBrowser().catch(async (error: unknown) => {
			await server.stop();
			throw error;
		});
		const context = await browser.newContext({ viewport: options.size ?? DEFAULT_SIZE });
		const workbench = new Workbench(options, dirs, server, context, await context.newPage());
		try {
			await workbench.open();
			return workbench;
		} catch (error) {
			await workbench.saveEvidence('start').catch(() => undefined);
			await workbench[Symbol.asyncDispose]();
			throw error;
		}
	}

	/** The server's address. The folder's page is at `this.url`. */
	get origin(): string {
		return this.#server.origin;
	}

	get port(): number {
		return this.#server.port;
	}

	get url(): string {
		const { mode, extensionPath = ROOT } = this.#options;
		const development = ['extensionDevelopmentPath', remoteUri(this.origin, extensionPath)] as const;
		return workbenchUrl(this.origin, this.dirs.folder, mode === 'vsix' ? [] : [development]);
	}

	/** Goes to the workbench's page and waits until it is restored. */
	async open(): Promise<void> {
		await this.page.goto(this.url);
		await workbenchReady(this.page, hasDriver(this.#options));
	}

	/** Reloads the window. In dev mode this is also what starts a new extension host after a kill. */
	async reload(): Promise<void> {
		await this.page.reload();
		await workbenchReady(this.page, hasDriver(this.#options));
	}

	/** Stops the server and starts it again on the same port and folders; the browser keeps its state. */
	async restartServer(): Promise<void> {
		const { port } = this;
		await this.page.goto('about:blank');
		await this.#server.stop();
		this.#server = await startServer({ ...serverOptions(this.#options, this.dirs), port });
		await this.open();
	}

	/** Opens another window of the same browser on the same folder. */
	async secondPage(): Promise<Page> {
		const page = await this.#context.newPage();
		await page.goto(this.url);
		await workbenchReady(page, hasDriver(this.#options));
		return page;
	}

	/** Shows Belay's view and waits for its document; answers the same as `panel()`. */
	async openBelay(): Promise<FrameLocator> {
		await openContainer(this.page, CONTAINER, this.panel().locator('body'));
		return this.panel();
	}

	/** The document of Belay's webview. */
	panel(): FrameLocator {
		return webviewFrame(this.page, EXTENSION_ID);
	}

	/** Runs a command by its title in the palette, category included: `Belay: New Session`. */
	async command(title: string): Promise<void> {
		await runCommand(this.page, title);
	}

	/** The texts of the notifications that have not been dismissed. */
	async notifications(): Promise<string[]> {
		return notifications(this.page);
	}

	/**
	 * Changes user settings in the running window; null removes one.
	 * @throws Error when the workbench refuses one, as it does with names it does not know
	 */
	async settings(settings: Settings): Promise<void> {
		await changeSettings(this.dirs, settings);
	}

	/** Switches the colour theme and waits until the workbench shows it. */
	async theme(theme: Theme): Promise<void> {
		const { name, className } = THEMES[theme];
		await this.settings({ 'workbench.colorTheme': name });
		await this.page.locator(`.monaco-workbench.${className}`).first().waitFor();
	}

	/** The ids of the extension hosts that run. */
	hostPids(): number[] {
		return extensionHostPids(this.#server.pid);
	}

	/** Kills the extension hosts as a crash would, and waits until they are gone. Answers the ids they had. */
	async killHost(): Promise<number[]> {
		const victims = this.hostPids();
		for (const pid of victims) {
			process.kill(pid, 'SIGKILL');
		}
		await until(() => this.hostPids().every((pid) => !victims.includes(pid)), 'the killed extension hosts to be gone');
		return victims;
	}

	/** Saves a picture of the window as test-results/<name>.png. */
	async screenshot(name: string, options: { readonly theme?: Theme; readonly size?: Size } = {}): Promise<string> {
		if (options.size) {
			await this.page.setViewportSize(options.size);
		}
		if (options.theme) {
			await this.theme(options.theme);
		}
		const file = path.join(RESULTS, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
		await this.page.screenshot({ path: file, animations: 'disabled' });
		return file;
	}

	/** Saves what helps to understand a failure: a picture, the server's log, the page's complaints. */
	async saveEvidence(name: string): Promise<void> {
		const picture = await this.screenshot(`failed-${name}`);
		const log = [...this.problems, '', this.#server.log()].join('\n');
		fs.writeFileSync(picture.replace(/png$/, 'log'), log);
	}

	/** Closes the browser, stops the server and what it started, removes the folders. */
	async [Symbol.asyncDispose](): Promise<void> {
		await this.#browser.close();
		await this.#server.stop();
		if (!this.#options.dirs) {
			removeDirs(this.dirs);
		}
	}
}

/**
 * Runs a test's body with a workbench, and saves evidence in test-results when the body throws.
 * @param name of the evidence
 */
export async function withWorkbench(
	name: string,
	options: WorkbenchOptions,
	body: (workbench: Workbench) => Promise<void>,
): Promise<void> {
	await using workbench = await Workbench.start(options);
	try {
		await body(workbench);
	} catch (error) {
		await workbench.saveEvidence(name).catch(() => undefined);
		throw error;
	}
}

async function prepare(options: WorkbenchOptions): Promise<Dirs> {
	if (options.dirs) {
		return options.dirs;
	}
	const dirs = makeDirs(options.folder);
	try {
		await fill(dirs, options);
		return dirs;
	} catch (error) {
		removeDirs(dirs);
		throw error;
	}
}

async function fill(dirs: Dirs, options: WorkbenchOptions): Promise<void> {
	for (const [name, text] of Object.entries(options.files ?? {})) {
		const file = path.join(dirs.folder, name);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, text);
	}
	writeSettings(dirs, { 'security.workspace.trust.enabled': options.trusted === false, ...options.settings });
	if (options.mode === 'vsix') {
		await installVsix(dirs, options.vsix ?? packagedVsix());
	}
	linkExtensions(dirs, [HELPER_EXTENSION, ...(options.extraExtensions ?? [])]);
}

/** Toasts show only without the driver, and an extension under development loads only with it. */
function hasDriver(options: WorkbenchOptions): boolean {
	return options.mode !== 'vsix';
}

function serverOptions(options: WorkbenchOptions, dirs: Dirs): Parameters<typeof startServer>[0] {
	const { port, env, keepSecrets, trusted } = options;
	return {
		dirs,
		driver: hasDriver(options),
		port,
		env: { BELAY_TEST_SETTINGS: settingsRequestFile(dirs), ...env },
		keepSecrets,
		trusted,
	};
}
