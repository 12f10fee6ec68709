import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DIST, ROOT, SAMPLE_FIXTURE } from './paths.mjs';

/** Runs the bundled host tests in the desktop VS Code whose executable is the first argument. */
const { runTests } = await import('@vscode/test-electron');
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'wb-'));
const folder = path.join(root, 'folder');
fs.cpSync(SAMPLE_FIXTURE, folder, { recursive: true });
try {
	process.exitCode = await runTests({
		vscodeExecutablePath: process.argv[2],
		extensionDevelopmentPath: ROOT,
		extensionTestsPath: path.join(DIST, 'test/host/index.cjs'),
		extensionTestsEnv: { BELAY_TEST_RESULTS: process.env.BELAY_TEST_RESULTS },
		launchArgs: [
			folder,
			`--user-data-dir=${path.join(root, 'data')}`,
			`--extensions-dir=${path.join(root, 'exts')}`,
			'--disable-workspace-trust',
			'--skip-welcome',
			'--skip-release-notes',
		],
	});
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
	process.exitCode = 1;
} finally {
	fs.rmSync(root, { recursive: true, force: true });
}
