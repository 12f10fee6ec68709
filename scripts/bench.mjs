import { main } from './lib/main.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { build } from './lib/build.mjs';
import { run } from './lib/run.mjs';

/** `npm run bench`: measures, and prints tables. Nothing is asserted: compare the ratios of one run. */
await main(import.meta.url, async () => {
	await ensureDependencies();
	await build();
	await run(process.execPath, ['test/bench/steps.ts']);
});
