import * as vscode from 'vscode';
import { probeSandbox } from '../sandbox/index.ts';

/** Why auto mode would still ask: found out by a trial run, once the panel or a command wants to know. */
export class SandboxLimit implements Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	#looked = false;
	#limit: string | null = null;

	readonly onDidChange = this.#changed.event;

	/** Null where a sandbox holds, or as long as that is not known. */
	get limit(): string | null {
		if (!this.#looked) {
			this.#looked = true;
			void this.#look();
		}
		return this.#limit;
	}

	[Symbol.dispose](): void {
		this.#changed.dispose();
	}

	async #look(): Promise<void> {
		const state = await probeSandbox();
		if (state.state === 'advisory') {
			this.#limit = vscode.l10n.t(
				'No sandbox is enforced here, so auto mode asks before changes as safe mode does. {0}',
				`${state.reason} ${state.remedy}`,
			);
			this.#changed.fire();
		}
	}
}
