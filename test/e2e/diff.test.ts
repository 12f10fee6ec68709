import { onStage } from '../support/panel.ts';
import { toolCall } from '../support/scriptedModel/index.ts';

describe('An edit in the panel', () => {
	it('opens in the diff editor when asked to, and never by itself', async () => {
		const files = { 'src/math.js': 'export const four = () => 2 + 2;\n' };
		await onStage('open-diff', { files }, async ({ workbench, model, panel }) => {
			const edit = { file_path: 'src/math.js', replacements: [{ old_str: '2 + 2', new_str: '4' }] };
			model.reply([toolCall('Edit', edit)], 'It is changed.');
			await panel.say('change it');
			await panel.allow('src/math.js');
			await panel.text('It is changed.').waitFor();
			const { page } = workbench;
			if ((await page.locator('.monaco-editor').count()) > 0) {
				throw new Error('An editor was opened unasked');
			}
			await panel.button(/Edit src\/math\.js/).click();
			await panel.button('Open diff').click();
			await page.locator('.monaco-diff-editor .modified .view-line', { hasText: '=> 4;' }).waitFor();
			await page.locator('.monaco-diff-editor .original .view-line', { hasText: '=> 2 + 2;' }).waitFor();
			await workbench.screenshot('open-diff');
		});
	});
});
