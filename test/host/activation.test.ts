import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Manifest {
	readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('activation', () => {
	it('activates and registers every command that the manifest declares', async () => {
		const extension = vscode.extensions.getExtension('belay.belay');
		assert.ok(extension, 'belay.belay is not installed');
		await extension.activate();
		assert.equal(extension.isActive, true);
		const registered = new Set(await vscode.commands.getCommands(true));
		const { contributes } = extension.packageJSON as Manifest;
		const missing = contributes.commands.map(({ command }) => command).filter((command) => !registered.has(command));
		assert.deepEqual(missing, []);
	});

	it('opens its view', async () => {
		await vscode.commands.executeCommand('workbench.view.extension.belay');
	});
});
