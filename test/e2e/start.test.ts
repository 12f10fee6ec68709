import assert from 'node:assert/strict';
import { until, withWorkbench } from '../support/workbench/index.ts';

describe('Belay in VS Code', () => {
	it('shows its panel when loaded from the repository, and again after a reload', async () => {
		await withWorkbench('start-dev', { files: { 'readme.txt': 'hello\n' } }, async (workbench) => {
			await workbench.openBelay();
			await workbench.screenshot('start-dev');
			await workbench.reload();
			await workbench.openBelay();
			assert.equal(workbench.hostPids().length, 1);
			assert.deepEqual(workbench.problems, []);
		});
	});

	it('shows its panel when installed from the package', async () => {
		await withWorkbench('start-vsix', { mode: 'vsix' }, async (workbench) => {
			await workbench.openBelay();
			await workbench.screenshot('start-vsix');
			assert.deepEqual(workbench.problems, []);
		});
	});

	it('comes back with a new extension host after the old one was killed', async () => {
		await withWorkbench('start-killed', { mode: 'vsix' }, async (workbench) => {
			await workbench.openBelay();
			const [victim] = await workbench.killHost();
			const next = await until(() => workbench.hostPids()[0], 'a new extension host');
			assert.notEqual(next, victim);
			await workbench.openBelay();
		});
	});
});
