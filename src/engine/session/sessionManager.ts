import type { Event, SessionSettings, SessionSummary } from '../../protocol/index.ts';
import type { Session } from './session.ts';
import { createSession, resumeSession, type SessionParts } from './sessionFactory.ts';

type EventListener = (sessionId: string, events: readonly Event[]) => void;

/** The sessions of one window: those that are open, and those that are only stored. */
export class SessionManager {
	readonly #parts: SessionParts;
	readonly #open = new Map<string, Promise<Session>>();
	readonly #sessions = new Map<string, Session>();
	readonly #listeners = new Set<EventListener>();

	constructor(parts: SessionParts) {
		this.#parts = parts;
	}

	/** A turn runs, or waits for the user, in any session. */
	get busy(): boolean {
		return [...this.#sessions.values()].some((session) => session.busy);
	}

	/** How many questions wait for the user, in all open sessions. */
	waiting(): number {
		return [...this.#sessions.values()].reduce((sum, session) => sum + session.waiting, 0);
	}

	/** Makes a session. @throws {StoreError} when it cannot be stored. */
	async create(settings: SessionSettings): Promise<Session> {
		const session = await createSession(this.#parts, settings);
		this.#open.set(session.id, Promise.resolve(session));
		return this.#watch(session);
	}

	/** Opens a stored session, once, whoever asks. @returns undefined where there is none of that id. */
	async open(sessionId: string): Promise<Session | undefined> {
		const known = this.#open.get(sessionId);
		if (known !== undefined) {
			return await known;
		}
		const row = await this.#parts.store.getSession(sessionId);
		if (row === undefined) {
			return undefined;
		}
		const opening =
			this.#open.get(sessionId) ?? resumeSession(this.#parts, row).then((session) => this.#watch(session));
		this.#open.set(sessionId, opening);
		try {
			return await opening;
		} catch (error) {
			this.#open.delete(sessionId);
			throw error;
		}
	}

	/** @returns an open session. */
	get(sessionId: string): Session | undefined {
		return this.#sessions.get(sessionId);
	}

	/** Newest first. */
	async list(): Promise<readonly SessionSummary[]> {
		const rows = await this.#parts.store.listSessions({ archived: false });
		return rows.map(({ sessionId, title, createdAt, updatedAt, archived, state }) => ({
			sessionId,
			title,
			createdAt,
			updatedAt,
			archived,
			state: stateNow(state, this.#sessions.get(sessionId)),
		}));
	}

	/** Stops what runs in a session, and removes it with all that belongs to it. */
	async delete(sessionId: string): Promise<void> {
		const session = await this.#open.get(sessionId);
		await session?.suspend();
		this.#open.delete(sessionId);
		this.#sessions.delete(sessionId);
		await this.#parts.store.deleteSession(sessionId);
	}

	/** @param listener gets the events of every open session, after they are stored. */
	listen(listener: EventListener): Disposable {
		this.#listeners.add(listener);
		return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
	}

	/** Stops every running turn, as the user's Stop does. */
	async interruptAll(): Promise<void> {
		await Promise.all([...this.#sessions.values()].map((session) => session.interrupt()));
	}

	/** Lets go of every session, each left as it is in the store. */
	async suspendAll(): Promise<void> {
		const opening = [...this.#open.values()];
		this.#open.clear();
		this.#sessions.clear();
		const opened = await Promise.allSettled(opening);
		for (const result of opened) {
			if (result.status === 'fulfilled') {
				await result.value.suspend();
			}
		}
	}

	#watch(session: Session): Session {
		this.#sessions.set(session.id, session);
		session.listen((events) => {
			for (const listener of this.#listeners) {
				listener(session.id, events);
			}
		});
		return session;
	}
}

/** A session that is open knows best; what the store calls running is so only while this host runs it. */
function stateNow(stored: SessionSummary['state'], live: Session | undefined): SessionSummary['state'] {
	if (live?.busy === true) {
		return live.waiting > 0 ? 'waiting' : 'running';
	}
	return stored === 'running' ? 'interrupted' : stored;
}
