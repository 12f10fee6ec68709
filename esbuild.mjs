import fs from 'node:fs';
import { extensionBuild, webviewBuild } from './scripts/lib/bundles.mjs';
import { Stop } from './scripts/lib/log.mjs';
import { main } from './scripts/lib/main.mjs';
import { copyNative } from './scripts/lib/native.mjs';
import { DIST } from './scripts/lib/paths.mjs';
import { reportSizes } from './scripts/lib/sizes.mjs';

/**
 * Builds dist/: the extension, the webview, and the native parts beside them.
 * usage: node esbuild.mjs [--production] [--watch]
 */
await main(import.meta.url, async (argv) => {
	const { context } = await import('esbuild').catch(() => {
		throw new Stop('esbuild is not installed.', 'Run npm run setup first.');
	});
	const mode = { production: argv.includes('--production') };
	if (mode.production) {
		// No source map and no test of an earlier build is to end up in the package.
		fs.rmSync(DIST, { recursive: true, force: true });
	}
	copyNative();
	const contexts = await Promise.all([extensionBuild(mode), webviewBuild(mode)].map((options) => context(options)));
	if (argv.includes('--watch')) {
		await Promise.all(contexts.map((each) => each.watch()));
		return;
	}
	const results = await Promise.allSettled(contexts.map((each) => each.rebuild()));
	await Promise.all(contexts.map((each) => each.dispose()));
	if (results.some((result) => result.status === 'rejected')) {
		// esbuild has already printed where and why.
		throw new Stop('The build failed.');
	}
	reportSizes();
});
