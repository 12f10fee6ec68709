import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { makeDirs, removeDirs, writeSettings } from './dirs.ts';
import { remoteUri, workbenchUrl } from './page.ts';
import { RESULTS, ROOT } from './paths.ts';
import { startServer } from './server.ts';

const TIMEOUT_MS = 8 * 60_000;
/** What the window says besides the tests' output. */
const LOG = path.join(RESULTS, 'host-suite.log');
const SAMPLE = path.join(ROOT, 'test/fixtures/sample-workspace');

/** Runs the bundled host tests in the server's extension host. Started by scripts/test.mjs, as a process of its own. */
async function main(): Promise<number> {
	fs.rmSync(LOG, { force: true });
	const dirs = makeDirs();
	fs.cpSync(SAMPLE, dirs.folder, { recursive: true });
	writeSettings(dirs, { 'security.workspace.trust.enabled': false });
	const server = await startServer({ dirs, driver: true });
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
		const exit = await whenReported(page);
		await page.goto(
			workbenchUrl(server.origin, dirs.folder, [
				['extensionDevelopmentPath', remoteUri(server.origin, ROOT)],
				['extensionTestsPath', remoteUri(server.origin, path.join(ROOT, 'dist/test/host/index.cjs'))],
			]),
		);
		return await exit.code.catch(async (error: unknown) => {
			await page.screenshot({ path: path.join(RESULTS, 'failed-host-suite.png') });
			throw error;
		});
	} finally {
		await browser.close();
		await server.stop();
		removeDirs(dirs);
	}
}

/** Installs the functions through which the workbench reports the tests' console and their end. */
async function whenReported(page: Page): Promise<{ readonly code: Promise<number> }> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	setTimeout(() => reject(new Error('The host tests did not end in time.')), TIMEOUT_MS).unref();
	page.once('crash', () => reject(new Error('The page crashed.')));
	await page.exposeFunction('codeAutomationExit', resolve);
	await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
		const text = args.map(String).join(' ');
		const mark = text.indexOf('[test] ');
		if (mark >= 0) {
			console.log(text.slice(mark + '[test] '.length));
		} else {
			fs.appendFileSync(LOG, `${text}\n`);
		}
	});
	// Nobody may be waiting for it yet when it fails.
	promise.catch(() => undefined);
	return { code: promise };
}

const exit = await main();
if (exit !== 0) {
	console.error(`What the window said besides: ${LOG}`);
}
process.exit(exit);
