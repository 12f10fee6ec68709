import fs from 'node:fs';
import path from 'node:path';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { info, step, Stop } from './lib/log.mjs';
import { main } from './lib/main.mjs';
import { TARGET } from './lib/native.mjs';
import { ROOT } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { size } from './lib/sizes.mjs';

const LIMIT = 6e6;

/** `npm run package`: belay-<platform>-<version>.vsix, with the native parts of this platform. */
await main(import.meta.url, async () => {
	await ensureDependencies();
	await build({ production: true });
	const { name, version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
	const vsix = path.join(ROOT, `${name}-${TARGET}-${version}.vsix`);
	const vsce = path.join(ROOT, 'node_modules/@vscode/vsce/vsce');
	await step('Packaging', () =>
		run(
			process.execPath,
			[
				vsce,
				'package',
				'--target',
				TARGET,
				'--no-dependencies',
				'--allow-missing-repository',
				'--no-rewrite-relative-links',
				'--out',
				vsix,
			],
			{ quiet: true },
		),
	);
	const bytes = fs.statSync(vsix).size;
	info(`${path.basename(vsix)}: ${size(bytes)} (at most ${size(LIMIT)})`);
	if (bytes > LIMIT) {
		fs.rmSync(vsix);
		throw new Stop('The package is too large.', 'The sizes above show what has grown.');
	}
});
