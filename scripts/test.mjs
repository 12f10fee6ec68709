import fs from 'node:fs';
import path from 'node:path';
import { build } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runHostSuite } from './lib/host-suite.mjs';
import { info, Stop } from './lib/log.mjs';
import { main } from './lib/main.mjs';
import { ensurePackages, findChromium } from './lib/packages.mjs';
import { ROOT } from './lib/paths.mjs';
import { exitCode, run } from './lib/run.mjs';
import { ensureServerHost } from './lib/server-host.mjs';
import { runMocha } from './lib/suites.mjs';

const USAGE = `npm test [-- [suite ...] [file ...]]
  suites: check, unit, host, e2e; all of them, in this order, when none is named
  files:  test files of one suite, such as test/unit/egress/hostFilter.test.ts`;

/** By how much a suite may shrink unnoticed: raise these with the suites. */
const SUITES = {
	check: () => runCheck(),
	unit: (files) => runMocha('unit', { atLeast: 100, minutes: 15, files }),
	host: () => runHostSuite({ atLeast: 2, minutes: 10 }),
	e2e: (files) => runMocha('e2e', { atLeast: 3, minutes: 40, files }),
};

/** `npm test`: sets up what is missing, builds, runs the suites, and ends with `N passed, N failed`. */
await main(import.meta.url, async (argv) => {
	const { suites, files } = parse(argv);
	await prepare(suites);
	const outcomes = [];
	for (const suite of suites) {
		outcomes.push(await SUITES[suite](files.filter((file) => file.startsWith(`test/${suite}/`))));
	}
	return summarise(outcomes);
});

/** @param {string[]} argv */
function parse(argv) {
	const files = argv.filter((each) => each.endsWith('.test.ts')).map((file) => path.relative(ROOT, path.resolve(file)));
	const named = [...argv.filter((each) => !each.endsWith('.test.ts')), ...files.map((file) => file.split(path.sep)[1])];
	const unknown = named.find((each) => !(each in SUITES));
	const absent = files.find((file) => !fs.existsSync(path.join(ROOT, file)));
	if (unknown !== undefined || absent !== undefined) {
		throw new Stop(`There is no ${unknown === undefined ? 'file' : 'suite'} ${unknown ?? absent}.`, USAGE);
	}
	return { files, suites: Object.keys(SUITES).filter((suite) => named.length === 0 || named.includes(suite)) };
}

/** @param {string[]} suites */
async function prepare(suites) {
	const workbench = suites.includes('host') || suites.includes('e2e');
	await ensurePackages(['compiler', 'git', 'curl', 'bubblewrap', ...(workbench ? ['browser'] : [])]);
	await ensureDependencies();
	if (workbench) {
		const chromium = findChromium();
		if (!chromium) {
			throw new Stop('The host and e2e tests need a browser.', 'Install Chromium, or name its executable in CHROMIUM.');
		}
		process.env.CHROMIUM = chromium;
	}
	if (suites.includes('e2e')) {
		await ensureServerHost();
		// The package first: it makes a production build, which the one for development then replaces.
		await run(process.execPath, ['scripts/package.mjs']);
	}
	if (workbench) {
		await build();
	}
}

/** Types, lint, format and dead code. A failure counts as one failed test. */
async function runCheck() {
	info('\n=== check');
	const { code } = await exitCode('npm', ['run', '--silent', 'check']);
	return code === 0
		? { suite: 'check', passed: 0, failed: 0 }
		: { suite: 'check', passed: 0, failed: 1, trouble: 'see above' };
}

/** @param {import('./lib/suites.mjs').Outcome[]} outcomes */
function summarise(outcomes) {
	info('\n=== summary');
	for (const { suite, passed, failed, trouble } of outcomes) {
		const counts = suite === 'check' ? (failed ? 'failed' : 'passed') : `${passed} passed, ${failed} failed`;
		info(`${suite.padEnd(6)} ${counts.replace(', ', ' and ')}${trouble ? ` (${trouble})` : ''}`);
	}
	const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
	info(`${sum('passed')} passed, ${sum('failed')} failed`);
	return sum('failed') === 0 ? 0 : 1;
}
