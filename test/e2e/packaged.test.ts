import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelSettings, onStage, Panel } from '../support/panel.ts';
import { gate, ScriptedModel, text, toolCall } from '../support/scriptedModel/index.ts';
import { withWorkbench } from '../support/workbench/index.ts';

describe('The packaged extension in a clean host', () => {
	it('works without a key, and with nothing but what is in the package', async () => {
		const files = { 'notes.txt': 'The colour is red.\n' };
		await withWorkbench('packaged', { mode: 'vsix', files }, async (workbench) => {
			const panel = await Panel.open(workbench);
			// Search needs the packaged ripgrep; the store needs the packaged SQLite.
			await panel.say('search colour then replace red with blue in notes.txt');
			await panel.allow('notes.txt');
			await panel.text(/blue/).waitFor();
			await panel.frame.getByText('waiting for you').waitFor({ state: 'detached' });
			assert.equal(await readFile(join(workbench.dirs.folder, 'notes.txt'), 'utf8'), 'The colour is blue.\n');
			await workbench.screenshot('packaged');
		});
	});

	it('asks by a notification when its panel is hidden', async () => {
		await onStage('notification', { mode: 'vsix' }, async ({ workbench, model, panel }) => {
			// Asked when the panel is hidden, not a moment before.
			const hidden = gate();
			model.reply(
				[text('On it.'), hidden, toolCall('Write', { file_path: 'made.txt', content: 'made\n' })],
				'It is made.',
			);
			const { page } = workbench;
			await panel.say('make it');
			await panel.text('On it.').waitFor();
			await page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
			await page.locator('.explorer-viewlet, .explorer-folders-view').first().waitFor();
			hidden.open();
			const toast = page.locator('.notification-toast', { hasText: 'made.txt' });
			await toast.waitFor();
			await workbench.screenshot('notification');
			await toast.getByRole('button', { name: 'Allow once' }).click();
			await workbench.openBelay();
			await panel.text('It is made.').waitFor();
		});
	});

	it('is restarted by VS Code after its host was killed, with the conversation as it was', async () => {
		await onStage('killed-and-restarted', { mode: 'vsix' }, async ({ workbench, model, panel }) => {
			model.reply('I will remember.');
			await panel.say('remember this');
			await panel.text('I will remember.').waitFor();
			await workbench.killHost();
			model.reply('I remembered.');
			await panel.text('I will remember.').waitFor();
			await panel.say('what was it?');
			await panel.text('I remembered.').waitFor();
			assert.match(JSON.stringify(model.lastRequest.body.messages), /remember this/);
		});
	});

	it('uses a key and an address that are in the environment', async () => {
		await using model = await ScriptedModel.start();
		model.setModels(['gpt-5', 'text-embedding-3']).reply('Hello from the server.');
		const env = { OPENAI_API_KEY: 'sk-test-of-the-environment', OPENAI_BASE_URL: model.url };
		await withWorkbench('environment-key', { mode: 'vsix', env }, async (workbench) => {
			const panel = await Panel.open(workbench);
			await panel.button('Model: gpt-5').waitFor();
			await panel.say('hello');
			await panel.text('Hello from the server.').waitFor();
			assert.equal(model.lastRequest.headers.authorization, 'Bearer sk-test-of-the-environment');
			// The commands that the model runs never see it.
			model.reply([toolCall('Bash', { command: 'env; true', timeout: 20 })], 'Seen.');
			await panel.say('show the environment');
			await panel.text('Seen.').waitFor();
			assert.ok(!JSON.stringify(model.lastRequest.body.messages).includes('sk-test-of-the-environment'));
		});
	});
});

describe('A workspace that is not trusted', () => {
	it('gets plan mode: nothing is changed, and the panel says so', async () => {
		await using model = await ScriptedModel.start();
		model.reply([toolCall('Write', { file_path: 'no.txt', content: '' })], 'I would have written it.');
		const options = { trusted: false, settings: modelSettings(model) };
		await withWorkbench('untrusted', options, async (workbench) => {
			const panel = await Panel.open(workbench);
			await panel.say('write it');
			await panel.text('I would have written it.').waitFor();
			await panel.text('blocked').waitFor();
			await workbench.screenshot('untrusted');
		});
	});
});
