import assert from 'node:assert/strict';
import { onStage, Panel } from '../support/panel.ts';
import { gate, text, toolCall } from '../support/scriptedModel/index.ts';

describe('Sessions', () => {
	it('take a message that is sent while a turn runs, and show where it went', async () => {
		const middle = gate();
		await onStage('steering', {}, async ({ model, panel, workbench }) => {
			model.reply([text('I am working on the first thing'), middle, text('.')], 'Both are done.');
			await panel.say('do the first thing');
			await panel.text('I am working').waitFor();
			await panel.say('and the second');
			await panel.text('and the second').waitFor();
			await workbench.screenshot('steering');
			middle.open();
			await panel.text('Both are done.').waitFor();
			assert.equal(model.requests.length, 2);
			assert.equal(model.lastRequest.body.messages.at(-1)?.content, 'and the second');
		});
	});

	it('keep what was said when the window is reloaded in mid stream, and go on when asked to', async () => {
		const middle = gate();
		await onStage('reload-in-stream', {}, async ({ model, panel, workbench }) => {
			model.reply([text('Once upon a time there was a'), middle]);
			await panel.say('tell me a story');
			await panel.text('Once upon a time there was a').waitFor();
			await workbench.reload();
			await workbench.openBelay();
			await panel.text('Once upon a time there was a').waitFor();
			await panel.text('tell me a story').waitFor();
			await workbench.screenshot('reload-in-stream');
			model.reply('The end.');
			await panel.button('Continue').click();
			await panel.text('The end.').waitFor();
		});
	});

	it('lose nothing when the extension host is killed in mid turn', async () => {
		const middle = gate();
		await onStage('killed-host', {}, async ({ model, panel, workbench }) => {
			model.reply(
				[text('I look at the file. '), toolCall('List', {}, { id: 'list' })],
				[text('I have seen the list, and'), middle],
			);
			await panel.say('look around');
			await panel.text('I have seen the list, and').waitFor();
			// What is shown is saved at the latest a quarter of a second later: the next event says that time has passed.
			await panel.frame.locator('body').evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
			await workbench.killHost();
			await workbench.reload();
			const again = await Panel.open(workbench);
			await again.text('look around').waitFor();
			await again.text('I look at the file.').waitFor();
			await again.text('I have seen the list, and').waitFor();
			model.reply('Now it is done.');
			await again.button('Continue').click();
			await again.text('Now it is done.').waitFor();
			const told = JSON.stringify(model.lastRequest.body.messages);
			assert.ok(told.includes('I look at the file.') && told.includes('I have seen the list, and'));
		});
	});

	it('run side by side, each with its own conversation', async () => {
		const first = gate();
		await onStage('two-sessions', {}, async ({ model, panel, workbench }) => {
			model.handle(({ body }) =>
				body.messages.at(-1)?.content === 'first question'
					? [text('The first answer begins'), first, text(' and ends.')]
					: 'The second answer.',
			);
			await panel.say('first question');
			await panel.text('The first answer begins').waitFor();
			await workbench.command('Belay: New Session');
			await panel.text('What should be done').waitFor();
			await panel.say('second question');
			await panel.text('The second answer.').waitFor();
			assert.equal(await panel.frame.getByText('first question').filter({ visible: true }).count(), 0);
			first.open();
			await panel.button('Sessions').first().click();
			await workbench.screenshot('session-list');
			await panel.text('first question').click();
			await panel.text('The first answer begins and ends.').waitFor();
		});
	});
});
