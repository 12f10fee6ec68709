import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, EventOf, EventType, Op } from '../../../src/protocol/index.ts';
import { SessionManager, systemClock, type Clock, type Session, type Store } from '../../../src/engine/index.ts';
import { ModelRegistry } from '../../../src/models/registry.ts';
import { openDatabase } from '../../../src/storage/database/openDatabase.ts';
import { SqliteStore } from '../../../src/storage/store/sqliteStore.ts';
import { ScriptedModel } from '../scriptedModel/index.ts';
import { recordingLogger } from './recordingLogger.ts';
import { TestTools, type TestTool } from './testTools.ts';

export interface TestBenchOptions {
	readonly tools?: Readonly<Record<string, TestTool>>;
	readonly clock?: Clock;
	readonly trusted?: boolean;
}

/**
 * Sessions on a real SQLite file and a scripted model over real HTTP. `restart` is what a killed host and its successor
 * do: the old sessions are dropped as they are, and new ones read the same file.
 */
export class TestBench implements AsyncDisposable {
	readonly model: ScriptedModel;
	readonly log = recordingLogger();
	readonly #folder: string;
	readonly #options: TestBenchOptions;
	tools: TestTools;
	store: Store;
	manager: SessionManager;
	trusted: boolean;

	private constructor(model: ScriptedModel, folder: string, store: Store, options: TestBenchOptions) {
		this.model = model;
		this.#folder = folder;
		this.#options = options;
		this.store = store;
		this.trusted = options.trusted ?? true;
		this.tools = new TestTools(options.tools ?? {});
		this.manager = this.#createManager();
	}

	static async start(options: TestBenchOptions = {}): Promise<TestBench> {
		const folder = await mkdtemp(join(tmpdir(), 'belay-engine-'));
		return new TestBench(await ScriptedModel.start(), folder, await openStore(folder), options);
	}

	async session(settings: { trustMode?: 'plan' | 'safe' | 'auto' } = {}): Promise<Recorded> {
		const session = await this.manager.create({
			providerId: 'test',
			model: 'scripted',
			trustMode: settings.trustMode ?? 'safe',
		});
		return new Recorded(session);
	}

	async open(sessionId: string): Promise<Recorded> {
		const session = await this.manager.open(sessionId);
		if (session === undefined) {
			throw new Error(`No session ${sessionId}`);
		}
		return new Recorded(session);
	}

	/** Events of the store, as another host would read them. */
	async stored(sessionId: string): Promise<readonly Event[]> {
		const { events } = await this.store.readEvents(sessionId, { after: 0 });
		return events as readonly Event[];
	}

	async restart(): Promise<void> {
		await this.manager.suspendAll();
		await this.store.close();
		this.store = await openStore(this.#folder);
		this.tools = new TestTools(this.#options.tools ?? {});
		this.manager = this.#createManager();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.manager.suspendAll();
		await this.store.close();
		await this.model[Symbol.asyncDispose]();
		await rm(this.#folder, { recursive: true, force: true });
	}

	#createManager(): SessionManager {
		let ids = 0;
		return new SessionManager({
			store: this.store,
			models: new ModelRegistry({
				providers: [{ id: 'test', label: 'Test', baseUrl: this.model.url }],
				practice: false,
			}),
			clock: this.#options.clock ?? systemClock,
			newId: (prefix) => `${prefix}_${(ids++).toString()}_${crypto.randomUUID().slice(0, 4)}`,
			logger: this.log,
			place: { cwd: '/workspace', roots: ['/workspace'], isTrusted: () => this.trusted },
			createTools: () => this.tools,
		});
	}
}

async function openStore(folder: string): Promise<Store> {
	const path = join(folder, 'sessions.db');
	const { driver } = await openDatabase(path);
	return new SqliteStore(driver, path);
}

/** A session with all that it delivered. */
export class Recorded {
	readonly session: Session;
	readonly events: Event[] = [];
	readonly #waiting = new Set<() => void>();

	constructor(session: Session) {
		this.session = session;
		session.listen((events) => {
			this.events.push(...events);
			for (const wake of [...this.#waiting]) {
				wake();
			}
		});
	}

	async submit(op: Op): Promise<string> {
		return await this.session.submit(op);
	}

	async say(text: string): Promise<string> {
		return await this.submit({ type: 'userTurn', text });
	}

	/** Waits for the first event of a type (that also passes `test`) that is delivered, before or after now. */
	async event<T extends EventType>(type: T, test: (event: EventOf<T>) => boolean = () => true): Promise<EventOf<T>> {
		const find = () => this.of(type).find(test);
		for (;;) {
			const found = find();
			if (found !== undefined) {
				return found;
			}
			await new Promise<void>((resolve) => {
				const wake = () => {
					this.#waiting.delete(wake);
					resolve();
				};
				this.#waiting.add(wake);
			});
		}
	}

	/** Waits for the `count`th end of a turn. */
	async ended(count = 1): Promise<EventOf<'turnEnded'>> {
		return await this.event('turnEnded', () => this.of('turnEnded').length >= count).then(
			() => this.of('turnEnded')[count - 1]!,
		);
	}

	of<T extends EventType>(type: T): EventOf<T>[] {
		return this.events.filter((event): event is EventOf<T> => event.type === type);
	}

	types(): EventType[] {
		return this.events.map(({ type }) => type);
	}
}
