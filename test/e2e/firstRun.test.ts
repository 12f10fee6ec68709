import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withWorkbench } from '../support/workbench/index.ts';

const PROJECT = {
	'package.json': '{ "name": "sample", "private": true, "scripts": { "test": "node --test" } }\n',
	'src/math.js': 'export const four = () => 2 + 2;\n',
	'src/math.test.js':
		"import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { four } from './math.js';\ntest('four', () => assert.equal(four(), 4));\n",
};

describe('A first run without a key', () => {
	it('edits a file after an approval, runs a command, and has everything after a reload', async () => {
		await withWorkbench('first-run', { mode: 'dev', files: PROJECT }, async (wb) => {
			const panel = await wb.openBelay();
			const composer = panel.getByRole('textbox', { name: /message/i });
			await composer.waitFor();
			await wb.screenshot('first-run-empty');
			await composer.fill('replace 2 + 2 with 4 in src/math.js');
			await composer.press('Enter');
			const allow = panel.getByRole('button', { name: /allow once/i });
			await allow.waitFor();
			await wb.screenshot('first-run-approval');
			await allow.click();
			await panel
				.getByText(/Edited src\/math\.js/)
				.first()
				.waitFor();
			assert.equal(await readFile(join(wb.dirs.folder, 'src/math.js'), 'utf8'), 'export const four = () => 4;\n');

			await composer.fill('run npm test');
			await composer.press('Enter');
			await allow.waitFor();
			await allow.click();
			await panel
				.getByText(/exit code 0/)
				.first()
				.waitFor();
			await wb.screenshot('first-run-done');

			await wb.reload();
			const again = await wb.openBelay();
			await again.getByText('run npm test').first().waitFor();
			await again
				.getByText(/exit code 0/)
				.first()
				.waitFor();
			await wb.screenshot('first-run-reloaded');
		});
	});
});
