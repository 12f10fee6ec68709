import * as vscode from 'vscode';
import type { Logger } from '../../engine/index.ts';
import { memoryStore, openOwnedStore, waitUntilFree, type OpenReport } from '../../storage/index.ts';
import type { OwnedStore, StoreOpener, StoreOwner } from './sessionHost.ts';

/** Opens the sessions of a folder for this process alone. */
export class OwnedStoreOpener implements StoreOpener {
	readonly #directory: string;
	readonly #logger: Logger;

	/** @param directory absolute. */
	constructor(directory: string, logger: Logger) {
		this.#directory = directory;
		this.#logger = logger;
	}

	async open(owner: StoreOwner, { force }: { force: boolean }): Promise<OwnedStore> {
		const { store, report, notifyIdle } = await openOwnedStore({
			directory: this.#directory,
			isBusy: owner.isBusy,
			onTakenOver: ({ forced }) => owner.letGo(forced),
			force,
			logger: this.#logger,
		});
		return { store, notices: noticesOf(report), notifyIdle };
	}

	async waitUntilFree(signal: AbortSignal): Promise<void> {
		await waitUntilFree({ directory: this.#directory, signal });
	}

	async openUnsaved(): Promise<OwnedStore> {
		return { store: await memoryStore({ logger: this.#logger }), notices: [], notifyIdle: () => undefined };
	}
}

function noticesOf({ recovery }: OpenReport): readonly string[] {
	if (recovery === undefined) {
		return [];
	}
	const { setAside, recovered, lost } = recovery;
	return [
		vscode.l10n.t(
			'The session database was damaged. {0} sessions with {1} events were recovered; about {2} rows could not be read. The damaged file is kept as {3}.',
			recovered.sessions,
			recovered.events,
			lost.rows,
			setAside,
		),
	];
}
