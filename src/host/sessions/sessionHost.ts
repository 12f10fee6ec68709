import * as vscode from 'vscode';
import { type Logger, type Store, StoreError, type SessionParts, SessionManager } from '../../engine/index.ts';
import type { StorageState } from '../../protocol/index.ts';

/** An open store that this host owns. */
export interface OwnedStore {
	readonly store: Store;
	/** What had to be repaired, in words for the user. */
	readonly notices: readonly string[];
	/** Windows that wait for the store are told that nothing runs here now. */
	readonly notifyIdle: () => void;
}

/** How the store is opened: what it asks of its owner while it is open. */
export interface StoreOwner {
	readonly isBusy: () => boolean;
	/** Another host takes over: let go of everything that uses the store. It is closed afterwards. */
	readonly letGo: (forced: boolean) => Promise<void>;
}
export interface StoreOpener {
	/** @throws {StoreError} `busyElsewhere` when another host holds it and is working. `force` takes it all the same. */
	open(owner: StoreOwner, options: { force: boolean }): Promise<OwnedStore>;
	/** Settles when the store may be free. */
	waitUntilFree(signal: AbortSignal): Promise<void>;
	/** A store that nothing is left of when the window closes. */
	openUnsaved(): Promise<OwnedStore>;
}

type PartsWithoutStore = Omit<SessionParts, 'store'>;

/** The sessions of this window, and the store under them, opened when first needed. */
export class SessionHost implements AsyncDisposable {
	readonly #opener: StoreOpener;
	readonly #parts: PartsWithoutStore;
	readonly #logger: Logger;
	readonly #stateChanged = new vscode.EventEmitter<StorageState>();
	readonly #managerChanged = new vscode.EventEmitter<SessionManager>();
	readonly #closing = new AbortController();
	#state: StorageState = { state: 'opening' };
	#opened: Promise<{ manager: SessionManager; owned: OwnedStore }> | undefined;
	#manager: SessionManager | undefined;

	readonly onDidChangeState = this.#stateChanged.event;
	/** Told once for each manager: sessions opened from one are gone when the next is there. */
	readonly onDidOpen = this.#managerChanged.event;

	constructor(opener: StoreOpener, parts: PartsWithoutStore, logger: Logger) {
		this.#opener = opener;
		this.#parts = parts;
		this.#logger = logger;
	}

	get state(): StorageState {
		return this.#state;
	}

	get unsaved(): boolean {
		return this.#state.state === 'unsaved';
	}

	/** The manager, when the store is open already. */
	get manager(): SessionManager | undefined {
		return this.#manager;
	}

	/** @returns the sessions, opening the store first if need be. @throws {StoreError} when it can't be opened. */
	async ready(): Promise<SessionManager> {
		return (await this.#open(false)).manager;
	}

	/** @throws {StoreError} */
	async store(): Promise<Store> {
		return (await this.#open(false)).owned.store;
	}

	/** What the user chose when the sessions were held by another window. */
	async choose(choice: 'takeOver' | 'wait' | 'unsaved'): Promise<void> {
		switch (choice) {
			case 'takeOver':
				await this.#open(true);
				break;
			case 'wait':
				await this.#opener.waitUntilFree(this.#closing.signal);
				await this.#open(false);
				break;
			case 'unsaved':
				this.#opened = this.#assemble(await this.#opener.openUnsaved());
				await this.#opened;
				this.#setState({
					state: 'unsaved',
					message: vscode.l10n.t('This chat is not saved: it is gone when the window closes.'),
				});
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#closing.abort();
		const opened = await this.#opened?.catch(() => undefined);
		await opened?.manager.suspendAll();
		await opened?.owned.store.close();
	}

	async #open(force: boolean): Promise<{ manager: SessionManager; owned: OwnedStore }> {
		this.#opened ??= this.#openStore(force);
		try {
			return await this.#opened;
		} catch (error) {
			this.#opened = undefined;
			throw error;
		}
	}

	async #openStore(force: boolean): Promise<{ manager: SessionManager; owned: OwnedStore }> {
		this.#setState({ state: 'opening' });
		try {
			const owned = await this.#opener.open(
				{ isBusy: () => this.#manager?.busy === true, letGo: (forced) => this.#letGo(forced) },
				{ force },
			);
			const opened = await this.#assemble(owned);
			this.#setState({ state: 'open' });
			return opened;
		} catch (error) {
			this.#logger.error('The session store could not be opened', error);
			this.#setState({ state: 'busyElsewhere', message: explain(error) });
			throw error;
		}
	}

	// Not async in what it does: a promise is what `#opened` keeps.
	#assemble(owned: OwnedStore): Promise<{ manager: SessionManager; owned: OwnedStore }> {
		const manager = new SessionManager({ ...this.#parts, store: owned.store });
		this.#manager = manager;
		manager.listen((_, events) => {
			if (events.some(({ type }) => type === 'turnEnded') && !manager.busy) {
				owned.notifyIdle();
			}
		});
		this.#managerChanged.fire(manager);
		for (const notice of owned.notices) {
			void vscode.window.showWarningMessage(notice);
		}
		return Promise.resolve({ manager, owned });
	}

	async #letGo(forced: boolean): Promise<void> {
		const manager = this.#manager;
		this.#manager = undefined;
		this.#opened = undefined;
		if (forced) {
			await manager?.interruptAll();
		}
		await manager?.suspendAll();
		this.#setState({
			state: 'handedOver',
			message: vscode.l10n.t('Another window took these sessions over. They go on there.'),
		});
	}

	#setState(state: StorageState): void {
		this.#state = state;
		this.#stateChanged.fire(state);
	}
}

function explain(error: unknown): string {
	if (error instanceof StoreError) {
		return [error.message, error.remedy].filter((part) => part !== undefined).join(' ');
	}
	return error instanceof Error ? error.message : String(error);
}
