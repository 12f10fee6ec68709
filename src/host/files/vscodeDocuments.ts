import * as vscode from 'vscode';
import type { OpenDocument, OpenDocuments, TextSplice } from '../../files/index.ts';

/** The editors' documents of this window. */
export const vscodeDocuments: OpenDocuments = {
	get(path: string): OpenDocument | undefined {
		const document = find(path);
		return document === undefined
			? undefined
			: { text: document.getText(), isDirty: document.isDirty, version: document.version };
	},

	async replace(path: string, splice: TextSplice, { expected, save }): Promise<'applied' | 'refused'> {
		const document = find(path);
		if (document?.version !== expected) {
			return 'refused';
		}
		const range = new vscode.Range(document.positionAt(splice.start), document.positionAt(splice.end));
		const edit = new vscode.WorkspaceEdit();
		edit.replace(document.uri, range, splice.text);
		if (!(await vscode.workspace.applyEdit(edit))) {
			return 'refused';
		}
		if (save) {
			// Whether that worked is seen in the buffer, which stays dirty where it did not.
			await document.save();
		}
		return 'applied';
	},
};

function find(path: string): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		({ uri, isClosed }) => !isClosed && uri.scheme === 'file' && uri.fsPath === path,
	);
}
