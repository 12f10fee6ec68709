import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onStage } from '../support/panel.ts';
import { toolCall } from '../support/scriptedModel/index.ts';
import { until } from '../support/workbench/index.ts';

const run = (command: string, more: object = {}) => toolCall('Bash', { command, ...more });

// Commands that only look, as most of these do, run unasked.
describe('Commands in the panel', () => {
	it('show their output while they run, in the card and in the task terminal', async () => {
		// The command waits for a file that the test makes: what is seen before is seen while it runs.
		const command = 'echo first line; until [ -e go ]; do sleep 0.05; done; echo last line';
		await onStage('live-output', {}, async ({ workbench, model, panel }) => {
			model.reply([run(command)], 'It has run.');
			await panel.say('run it');
			await panel.frame.locator('.output', { hasText: 'first line' }).waitFor();
			assert.equal(await panel.frame.locator('.output', { hasText: /^last line$/m }).count(), 0);
			await panel.button('Show in terminal').click();
			await workbench.page.locator('.xterm-rows', { hasText: 'first line' }).waitFor();
			await workbench.screenshot('live-output');
			writeFileSync(join(workbench.dirs.folder, 'go'), '');
			await panel.text('It has run.').waitFor();
			await workbench.page.locator('.xterm-rows', { hasText: 'exit code 0' }).waitFor();
			assert.match(model.lastRequest.body.messages.at(-1)?.content ?? '', /first line\nlast line/);
		});
	});

	it('leave no process behind when the turn is stopped', async () => {
		await onStage('stop', {}, async ({ model, panel }) => {
			model.reply([run('touch started; (sleep 98765 & sleep 98765)')]);
			await panel.say('run it');
			await panel.allow('sleep 98765');
			await until(() => running('sleep 98765') === 2, 'both processes to run');
			await panel.button('Stop').first().click();
			await panel.text('stopped').waitFor();
			await until(() => running('sleep 98765') === 0, 'the command and its children to be gone');
		});
	});

	it('that are killed from their card tell the model so, and the turn goes on', async () => {
		await onStage('kill', {}, async ({ model, panel }) => {
			model.reply([run('echo started; sleep 1000')], 'So it was killed.');
			await panel.say('run it');
			await panel.button('Kill').click();
			await panel.text('So it was killed.').waitFor();
		});
	});

	it('go on in the background when they are moved there', async () => {
		await onStage('background', {}, async ({ model, panel, workbench }) => {
			model.reply([run('until [ -e go ]; do sleep 0.05; done')], 'Good, I go on.');
			await panel.say('run it');
			await panel.button('Move to background').click();
			await panel.text('Good, I go on.').waitFor();
			await panel.text('in background').waitFor();
			await workbench.screenshot('background');
			writeFileSync(join(workbench.dirs.folder, 'go'), '');
			await panel.text('exit 0').waitFor();
		});
	});

	it('are kept to the hosts that are allowed, and ask for others', async () => {
		await onStage('egress', {}, async ({ model, panel, workbench }) => {
			model.reply([run('curl -sS -m 20 http://blocked.example/')], 'No way out.');
			await panel.say('fetch it');
			await panel.allow('curl');
			const card = panel.approval('blocked.example:80');
			await card.waitFor();
			await workbench.screenshot('egress-question');
			await card.getByRole('button', { name: 'Deny', exact: true }).click();
			await panel.text('No way out.').waitFor();
			assert.match(model.lastRequest.body.messages.at(-1)?.content ?? '', /blocked\.example/);
			await workbench.command('Belay: Show Egress Log');
			await workbench.page.locator('.view-line', { hasText: 'blocked.example:80' }).first().waitFor();
		});
	});
});

/** How many processes of the machine have this command line: in a sandbox they have other numbers inside. */
function running(commandLine: string): number {
	return readdirSync('/proc').filter((pid) => {
		try {
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === commandLine;
		} catch {
			return false;
		}
	}).length;
}
