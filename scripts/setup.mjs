import { ensureDependencies } from './lib/dependencies.mjs';
import { findDesktopHost } from './lib/desktop-host.mjs';
import { info } from './lib/log.mjs';
import { main } from './lib/main.mjs';
import { ensurePackages } from './lib/packages.mjs';
import { ensureSampleWorkspace } from './lib/sample-workspace.mjs';
import { ensureServerHost } from './lib/server-host.mjs';

/** `npm run setup`: everything `npm start` and `npm test` need. Doing it again does only what is missing. */
await main(import.meta.url, async () => {
	await ensurePackages(['compiler', 'git', 'curl', 'bubblewrap', 'browser']);
	await ensureDependencies();
	const desktop = process.platform === 'win32' ? await findDesktopHost() : undefined;
	if (!desktop) {
		await ensureServerHost();
	}
	await ensureSampleWorkspace();
	info('Everything is set up.');
});
