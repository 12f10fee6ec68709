import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Settings } from '../../src/host/settings.ts';

const configuration = () => vscode.workspace.getConfiguration('belay');

describe('Settings', () => {
	it('of trust and addresses are not taken from the workspace', async () => {
		const settings = new Settings(() => undefined);
		for (const [key, value] of [
			['trust.defaultMode', 'auto'],
			['egress.allow', ['evil.example']],
			['models.default', 'evil/model'],
		] as const) {
			await assert.rejects(async () => await configuration().update(key, value, vscode.ConfigurationTarget.Workspace));
		}
		assert.equal(settings.defaultTrustMode, 'safe');
		assert.ok(!settings.egressAllow.includes('evil.example'));
		assert.equal(settings.defaultModel, '');
	});

	it('that do not fit are named, and the rest is used', async () => {
		const complaints: string[] = [];
		const settings = new Settings((message) => complaints.push(message));
		const good = { id: 'mine', label: 'Mine', baseUrl: 'http://127.0.0.1:9/v1', needsKey: false };
		await configuration().update('models.providers', [{ id: 'Bad Id' }, good], vscode.ConfigurationTarget.Global);
		try {
			assert.deepEqual(settings.providers, [good]);
			assert.match(complaints.join(), /Entry 1 of the setting belay\.models\.providers/);
		} finally {
			await configuration().update('models.providers', undefined, vscode.ConfigurationTarget.Global);
		}
	});
});
