import * as vscode from 'vscode';
import { applyPatch, parsePatch, reversePatch } from 'diff';
import { readFile } from 'node:fs/promises';

const SCHEME = 'belay-diff';

/**
 * Opens an edit of the agent in VS Code's diff editor: the file as it is on the right, as it was before the edit on the
 * left. Where the file has changed since so that this can't be told, the recorded change itself is shown.
 */
export class EditDiff implements vscode.TextDocumentContentProvider, Disposable {
	readonly #texts = new Map<string, string>();
	readonly #registration: vscode.Disposable;

	constructor() {
		this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
		vscode.workspace.onDidCloseTextDocument(({ uri }) => {
			if (uri.scheme === SCHEME) {
				this.#texts.delete(uri.toString());
			}
		});
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.#texts.get(uri.toString()) ?? '';
	}

	/** @param path absolute. @param patch the whole unified diff. @param title the tab's. */
	async open(path: string, patch: string, title: string): Promise<void> {
		const file = vscode.Uri.file(path);
		const now = await currentText(file);
		const before = now === undefined ? undefined : textBefore(now, patch);
		if (before === undefined) {
			const recorded = this.#add(`${path}.diff`, patch);
			const document = await vscode.workspace.openTextDocument(recorded);
			await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, 'diff'), {
				preview: true,
			});
			return;
		}
		const left = this.#add(path, before);
		await vscode.commands.executeCommand('vscode.diff', left, file, title, { preview: true });
	}

	[Symbol.dispose](): void {
		this.#registration.dispose();
	}

	#add(path: string, text: string): vscode.Uri {
		const uri = vscode.Uri.from({ scheme: SCHEME, path, query: String(this.#texts.size + 1) });
		this.#texts.set(uri.toString(), text);
		return uri;
	}
}

async function currentText(file: vscode.Uri): Promise<string | undefined> {
	const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
	try {
		return open?.getText() ?? (await readFile(file.fsPath, 'utf8'));
	} catch {
		return undefined;
	}
}

function textBefore(now: string, patch: string): string | undefined {
	const [parsed] = parsePatch(patch);
	if (parsed === undefined) {
		return undefined;
	}
	const before = applyPatch(now, reversePatch(parsed), { autoConvertLineEndings: true });
	return before === false ? undefined : before;
}
