import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onStage } from '../support/panel.ts';
import { toolCall } from '../support/scriptedModel/index.ts';

const write = (path: string) => toolCall('Write', { file_path: path, content: `made ${path}\n` });

describe('Approvals in the panel', () => {
	it('are given by mouse, by keyboard and by the palette, and nothing is done before', async () => {
		await onStage('approvals', {}, async ({ workbench, model, panel }) => {
			const file = (name: string) => join(workbench.dirs.folder, name);
			model.reply([write('mouse.txt')], [write('keys.txt')], [write('palette.txt')], 'All three are written.');
			await panel.say('write three files');

			await panel.approval('mouse.txt').waitFor();
			assert.equal(existsSync(file('mouse.txt')), false);
			await panel.allow('mouse.txt');

			const card = panel.approval('keys.txt');
			await card.waitFor();
			assert.equal(await readFile(file('mouse.txt'), 'utf8'), 'made mouse.txt\n');
			await card.focus();
			await card.press('y');

			await panel.approval('palette.txt').waitFor();
			await workbench.command('Belay: Allow What Waits');
			await panel.text('All three are written.').waitFor();
			assert.equal(await readFile(file('palette.txt'), 'utf8'), 'made palette.txt\n');
			await workbench.screenshot('approvals-given');
		});
	});

	it('that are denied with feedback tell the model what the user said', async () => {
		await onStage('denial', {}, async ({ workbench, model, panel }) => {
			model.reply([write('wrong.txt')], 'Understood.');
			await panel.say('write it');
			const card = panel.approval('wrong.txt');
			await card.getByRole('button', { name: 'Deny with feedback' }).click();
			await panel.frame.getByRole('textbox', { name: 'What should be done instead' }).fill('use notes.md, please');
			await panel.button('Deny and send').click();
			await panel.text('Understood.').waitFor();
			assert.match(model.lastRequest.body.messages.at(-1)?.content ?? '', /use notes\.md, please/);
			assert.equal(existsSync(join(workbench.dirs.folder, 'wrong.txt')), false);
		});
	});

	it('that wait survive a reload of the window, and the turn goes on after the answer', async () => {
		await onStage('approval-reload', {}, async ({ workbench, model, panel }) => {
			model.reply([write('later.txt')], 'Written after the reload.');
			await panel.say('write it');
			await panel.approval('later.txt').waitFor();
			await workbench.reload();
			await workbench.openBelay();
			await panel.allow('later.txt');
			await panel.text('Written after the reload.').waitFor();
			assert.equal(await readFile(join(workbench.dirs.folder, 'later.txt'), 'utf8'), 'made later.txt\n');
		});
	});
});
