import type {
	Event,
	ModelChoice,
	Op,
	PanelSettings,
	SessionSettings,
	StorageState,
	ToHost,
	ToPanel,
} from '../../protocol/index.ts';
import { PROTOCOL_VERSION } from '../../protocol/index.ts';
import { SessionClosedError, type Session, type SessionManager, type Store } from '../../engine/index.ts';
import type { PanelController } from './chatViewProvider.ts';
import { EventFeed } from './eventFeed.ts';

/** How many of a session's newest events the panel is sent at first, and more at a time when it asks. */
const PAGE_EVENTS = 600;
const LIST_DELAY_MS = 50;
const LIST_CHANGES: ReadonlySet<Event['type']> = new Set<Event['type']>([
	'turnStarted',
	'turnEnded',
	'titleChanged',
	'approvalRequested',
	'approvalResolved',
	'questionAsked',
	'questionAnswered',
]);

/** What the panel needs of the window around it. */
export interface PanelHost {
	sessions(): Promise<SessionManager>;
	store(): Promise<Store>;
	readonly storage: StorageState;
	readonly unsaved: boolean;
	onStorageChanged(listener: (state: StorageState) => void): Disposable;
	chooseStorage(choice: 'takeOver' | 'wait' | 'unsaved'): Promise<void>;
	settings(): PanelSettings;
	onSettingsChanged(listener: () => void): Disposable;
	strings(): Record<string, string>;
	models(): Promise<{ models: ModelChoice[]; defaultModel: ModelChoice | null }>;
	onModelsChanged(listener: () => void): Disposable;
	chooseModel(): Promise<ModelChoice | undefined>;
	setUp(way: 'key' | 'localServer' | 'practice'): Promise<ModelChoice | undefined>;
	newSessionSettings(): Promise<SessionSettings>;
	/** The session that is shown now, for commands and for the next time that the panel comes up. */
	shown(sessionId: string | undefined): void;
	/** The session that was shown last: a panel's own memory is lost when a page ends in a hurry. */
	lastShown(): string | undefined;
	act(action: PanelAction): Promise<void>;
	log(level: 'warn' | 'error', message: string): void;
}
/** What is done outside the panel. */
export type PanelAction = Extract<
	ToHost,
	{ type: 'openFile' | 'openDiff' | 'showTerminal' | 'showOutput' | 'openLink' | 'copy' }
>;

/** Answers one panel: shows it a session and passes its wishes on. */
export class SessionPanel implements PanelController {
	readonly #host: PanelHost;
	readonly #post: (message: ToPanel) => void;
	readonly #feed: EventFeed;
	readonly #resources = new DisposableStack();
	#watched: SessionManager | undefined;
	#listTimer: ReturnType<typeof setTimeout> | undefined;

	constructor(host: PanelHost, post: (message: ToPanel) => void) {
		this.#host = host;
		this.#post = post;
		this.#feed = this.#resources.use(new EventFeed(post));
		this.#resources.use(host.onSettingsChanged(() => this.#post({ type: 'settings', settings: host.settings() })));
		this.#resources.use(host.onModelsChanged(() => void this.#sendModels()));
		this.#resources.use(host.onStorageChanged((storage) => this.#storageChanged(storage)));
	}

	/** The session that is shown. */
	get sessionId(): string | undefined {
		return this.#feed.sessionId;
	}

	async receive(message: ToHost): Promise<void> {
		switch (message.type) {
			case 'ready': {
				await this.#ready(message.sessionId);
				return;
			}
			case 'submit': {
				await this.#submit(message);
				return;
			}
			case 'newSession': {
				this.close();
				return;
			}
			case 'openSession': {
				await this.open(message.sessionId);
				return;
			}
			case 'resync': {
				await this.open(message.sessionId);
				return;
			}
			case 'loadOlder': {
				await this.#older(message.sessionId, message.beforeSeq);
				return;
			}
			case 'deleteSession': {
				await this.#delete(message.sessionId);
				return;
			}
			case 'chooseModel': {
				await this.useModel(await this.#host.chooseModel());
				return;
			}
			case 'setUp': {
				await this.useModel(await this.#host.setUp(message.way));
				return;
			}
			case 'storageChoice': {
				await this.#host.chooseStorage(message.choice);
				return;
			}
			case 'log': {
				this.#host.log(message.level, message.message);
				return;
			}
			default: {
				await this.#host.act(message);
				return;
			}
		}
	}

	/** Shows a session from its newest events. */
	async open(sessionId: string): Promise<void> {
		const session = await (await this.#sessions()).open(sessionId);
		if (session === undefined) {
			this.close();
			return;
		}
		// Head and place are taken in one instant; what happens from here on reaches the panel through the feed.
		const { seq } = session;
		const head = session.head(this.#host.unsaved);
		this.#feed.show(sessionId, seq);
		this.#host.shown(sessionId);
		await session.settled();
		const page = await (await this.#host.store()).readEvents(sessionId, { before: seq + 1, limit: PAGE_EVENTS });
		if (this.#feed.sessionId === sessionId) {
			this.#post({ type: 'opened', head, events: [...page.events], hasOlder: page.more });
			this.#feed.release();
		}
	}

	/** Shows the empty state: the next message starts a new session. */
	close(): void {
		this.#feed.show(undefined, 0);
		this.#host.shown(undefined);
		this.#post({ type: 'closed' });
	}

	/** Submits an op to the session that is shown, or to a new one. */
	async submit(op: Op): Promise<void> {
		const session = await this.#sessionFor(this.#feed.sessionId ?? null);
		await session.submit(op);
	}

	/** Gives the session that is shown another model; new sessions get it anyway. */
	async useModel(choice: ModelChoice | undefined): Promise<void> {
		const { sessionId } = this;
		if (choice === undefined) {
			return;
		}
		if (sessionId !== undefined) {
			await this.submit({
				type: 'updateSettings',
				settings: { providerId: choice.providerId, model: choice.model },
			});
		}
	}

	[Symbol.dispose](): void {
		clearTimeout(this.#listTimer);
		this.#resources.dispose();
	}

	async #ready(sessionId: string | undefined): Promise<void> {
		this.#post({
			type: 'hello',
			version: PROTOCOL_VERSION,
			settings: this.#host.settings(),
			strings: this.#host.strings(),
			models: [],
			defaultModel: null,
		});
		this.#post({ type: 'storage', storage: this.#host.storage });
		const models = this.#sendModels();
		await this.#showSessions(sessionId);
		await models;
	}

	async #showSessions(sessionId: string | undefined): Promise<void> {
		try {
			await this.#sessions();
		} catch {
			// What is wrong, and what can be done, is in the storage state.
			return;
		}
		await this.#sendList();
		const shown = sessionId ?? this.#feed.sessionId ?? this.#host.lastShown();
		if (shown === undefined) {
			this.close();
		} else {
			await this.open(shown);
		}
	}

	#storageChanged(storage: StorageState): void {
		this.#post({ type: 'storage', storage });
		if (storage.state === 'open' || storage.state === 'unsaved') {
			void this.#showSessions(this.#feed.sessionId);
		}
	}

	async #sessions(): Promise<SessionManager> {
		const manager = await this.#host.sessions();
		if (manager !== this.#watched) {
			this.#watched = manager;
			this.#resources.use(
				manager.listen((sessionId, events) => {
					this.#feed.push(sessionId, events);
					if (events.some(({ type }) => LIST_CHANGES.has(type))) {
						this.#listTimer ??= setTimeout(() => void this.#sendList(), LIST_DELAY_MS);
					}
				}),
			);
		}
		return manager;
	}

	async #sendList(): Promise<void> {
		clearTimeout(this.#listTimer);
		this.#listTimer = undefined;
		const sessions = await (await this.#sessions()).list();
		this.#post({ type: 'sessions', sessions: [...sessions] });
	}

	async #sendModels(): Promise<void> {
		this.#post({ type: 'models', ...(await this.#host.models()) });
	}

	async #submit({ requestId, sessionId, op }: Extract<ToHost, { type: 'submit' }>): Promise<void> {
		try {
			const session = await this.#sessionFor(sessionId);
			await session.submit(op);
			this.#post({ type: 'submitted', requestId, error: null });
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			this.#post({ type: 'submitted', requestId, error: message });
			if (!(error instanceof SessionClosedError)) {
				throw error;
			}
		}
	}

	async #sessionFor(sessionId: string | null): Promise<Session> {
		const manager = await this.#sessions();
		const known = sessionId === null ? undefined : await manager.open(sessionId);
		if (known !== undefined) {
			return known;
		}
		if (sessionId !== null) {
			throw new SessionClosedError();
		}
		const session = await manager.create(await this.#host.newSessionSettings());
		await this.open(session.id);
		return session;
	}

	async #older(sessionId: string, beforeSeq: number): Promise<void> {
		const page = await (await this.#host.store()).readEvents(sessionId, { before: beforeSeq, limit: PAGE_EVENTS });
		this.#post({ type: 'older', sessionId, events: [...page.events], hasOlder: page.more });
	}

	async #delete(sessionId: string): Promise<void> {
		if (this.#feed.sessionId === sessionId) {
			this.close();
		}
		await (await this.#sessions()).delete(sessionId);
		await this.#sendList();
	}
}
