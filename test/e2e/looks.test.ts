import AxeBuilder from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { onStage } from '../support/panel.ts';
import { text, toolCall } from '../support/scriptedModel/index.ts';

const ANSWER = `Here is what I found in \`src/math.js:1\`:

- the sum is **wrong**
- the test is right

\`\`\`js
export const four = () => 2 + 2;
\`\`\`
`;

describe('The panel', () => {
	it('looks right in every theme and width, and is accessible', async () => {
		const files = { 'src/math.js': 'export const four = () => 2 + 2;\n' };
		await onStage('looks', { files }, async ({ workbench, model, panel }) => {
			const edit = { file_path: 'src/math.js', replacements: [{ old_str: '2 + 2', new_str: '4' }] };
			model.reply([text(ANSWER), toolCall('Read', { file_path: 'src/math.js' })], [toolCall('Edit', edit)]);
			await panel.say('What is wrong with the sum? Fix it, please.');
			await panel.approval('src/math.js').waitFor();
			for (const theme of ['light', 'high-contrast', 'dark'] as const) {
				await workbench.screenshot(`looks-${theme}`, { theme, size: { width: 1280, height: 800 } });
				await workbench.screenshot(`looks-${theme}-narrow`, { size: { width: 560, height: 800 } });
			}
			const { violations } = await new AxeBuilder({ page: workbench.page })
				.include(['iframe.webview[src*="belay.belay"]', '#active-frame', '#root'])
				// The window behind the frame paints its background, which axe takes for white: scripts/preview-panel.mjs measures it.
				.disableRules('color-contrast')
				.analyze();
			assert.deepEqual(
				violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
				[],
			);
		});
	});
});
