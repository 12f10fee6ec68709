import * as vscode from 'vscode';

/** One command of the palette. */
export interface Command {
	/** As in package.json. */
	readonly id: string;
	execute(...args: readonly unknown[]): Promise<void> | void;
}

/** Registers commands; what one throws is shown as one message. */
export function registerCommands(commands: readonly Command[]): vscode.Disposable {
	return vscode.Disposable.from(
		...commands.map((command) =>
			vscode.commands.registerCommand(command.id, async (...args: readonly unknown[]) => {
				try {
					await command.execute(...args);
				} catch (error) {
					void vscode.window.showErrorMessage(`Belay: ${error instanceof Error ? error.message : String(error)}`);
				}
			}),
		),
	);
}
