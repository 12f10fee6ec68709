import fs from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter from '../support/counting-reporter.ts';

/**
 * What VS Code calls in its extension host when it runs the tests.
 * @throws Error when a test fails; the results file holds the counts
 */
export async function run(): Promise<void> {
	// The window's console holds much else: the mark lets the runner tell the tests' lines.
	Mocha.reporters.Base.consoleLog = (...args: unknown[]) => console.log(`[test] ${format(...args)}`);
	const mocha = new Mocha({ timeout: 30_000, forbidOnly: true, forbidPending: true, reporter: CountingReporter });
	// Bundled to CommonJS, where this names the folder of the bundles.
	const folder = import.meta.dirname;
	for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (name.endsWith('.test.cjs')) {
			mocha.addFile(path.join(folder, name));
		}
	}
	const { promise, resolve } = Promise.withResolvers<number>();
	mocha.run(resolve);
	const failures = await promise;
	if (failures > 0) {
		throw new Error(`${failures} host tests failed.`);
	}
}
