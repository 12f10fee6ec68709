import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger, StoreError, type Logger } from '../../engine/ports/index.ts';
import { markSuspect, openDatabase, type OpenOptions, type OpenReport } from '../database/openDatabase.ts';
import { SqliteStore } from '../store/sqliteStore.ts';
import { toStoreError } from '../storeErrors.ts';
import { askOwner } from './askOwner.ts';
import { takeGuard } from './guard.ts';
import { Ownership } from './ownership.ts';
import { readOwner, storagePaths, type Owner, type StoragePaths } from './ownerFiles.ts';

/** How long a reload waits for the host before it, which is closing. */
const DEFAULT_WAIT_MS = 5000;
/** For `onTakenOver`: below {@link DEFAULT_WAIT_MS}, so that the other side is still there. */
const HOOK_LIMIT_MS = 3000;
/** Between two looks at a guard whose owner has not published itself yet: it is about to. */
const PUBLISH_PAUSE_MS = 20;
/** Between two looks at a guard whose owner cannot be asked at all. */
const UNREACHABLE_PAUSE_MS = 1000;

export interface OwnedStoreOptions extends OpenOptions {
	/** Absolute; made when absent. See `sharedStorageDirectory` for second windows. */
	readonly directory: string;
	/** A turn runs here, or something else that must not be cut off. */
	readonly isBusy: () => boolean;
	/**
	 * Another process gets the database as soon as this returns: interrupt what runs (`forced`), write what is left,
	 * and tell the user. The store is closed after it.
	 */
	readonly onTakenOver: (how: { readonly forced: boolean }) => Promise<void> | void;
	/** Take the database also from an owner that is busy. */
	readonly force?: boolean;
	/** Milliseconds to wait for an owner's answer, and for one that is closing. */
	readonly waitMs?: number;
}

export interface OwnedStore {
	/** Closing it gives up the ownership. */
	readonly store: SqliteStore;
	/** What the user should know about the opening. */
	readonly report: OpenReport;
	/** Call it when `isBusy` has become false: windows that wait are told. */
	readonly notifyIdle: () => void;
}

/**
 * Opens the sessions in a directory, for this process alone. Where another process has them, it is asked for them.
 * @throws StoreError `busyElsewhere` where the owner is busy or does not answer; as `openDatabase` otherwise
 */
export async function openOwnedStore(options: OwnedStoreOptions): Promise<OwnedStore> {
	const paths = storagePaths(options.directory);
	try {
		await mkdir(options.directory, { recursive: true, mode: 0o700 });
		const ownership = await acquire(paths, options);
		return await openWith(ownership, paths, options);
	} catch (error) {
		throw toStoreError(error, paths.database);
	}
}

async function openWith(ownership: Ownership, paths: StoragePaths, options: OwnedStoreOptions): Promise<OwnedStore> {
	try {
		const { driver, report } = await openDatabase(paths.database, options);
		const store = new SqliteStore(driver, paths.database, {
			closed: () => ownership[Symbol.asyncDispose](),
			damaged: () => markSuspect(paths.database),
		});
		ownership.opened({
			isBusy: options.isBusy,
			handOver: async (forced) => {
				await runHook(() => options.onTakenOver({ forced }), options.logger ?? silentLogger);
				await store.close();
			},
		});
		return { store, report, notifyIdle: () => ownership.notifyIdle() };
	} catch (error) {
		await ownership[Symbol.asyncDispose]();
		throw error;
	}
}

/** The database is handed over whatever the hook does: the user has decided. */
async function runHook(hook: () => Promise<void> | void, logger: Logger): Promise<void> {
	const timer = new AbortController();
	try {
		await Promise.race([
			// A microtask later, so that a throw is a rejection.
			Promise.resolve().then(hook),
			sleep(HOOK_LIMIT_MS, undefined, { signal: timer.signal }).then(() => {
				logger.warn('Giving the sessions to another window took too long: what still runs is not saved.');
			}),
		]);
	} catch (error) {
		logger.error('Giving the sessions to another window was not clean.', error);
	} finally {
		timer.abort();
	}
}

async function acquire(paths: StoragePaths, options: OwnedStoreOptions): Promise<Ownership> {
	const deadline = AbortSignal.timeout(options.waitMs ?? DEFAULT_WAIT_MS);
	for (;;) {
		const owner = await readOwner(paths);
		if (owner !== undefined) {
			const answer = await askOwner(owner, options.force === true ? 'takeOver' : 'handOver', deadline);
			if (answer === 'busy' || answer === 'silent') {
				throw busyElsewhere(paths, owner, answer);
			}
		}
		const guard = await takeGuard(paths.guard, options);
		if (guard !== undefined) {
			const ownership = await Ownership.establish(paths, guard, owner, options.logger ?? silentLogger);
			if (ownership !== undefined) {
				return ownership;
			}
		}
		if (deadline.aborted) {
			throw busyElsewhere(paths, owner, 'unreachable');
		}
		await sleep(PUBLISH_PAUSE_MS);
	}
}

/**
 * Waits until the sessions in a directory may be asked for again: their owner has become idle, or is gone. Then call
 * `openOwnedStore`.
 * @throws the signal's reason when it is aborted
 */
export async function waitUntilFree(options: {
	readonly directory: string;
	readonly signal: AbortSignal;
}): Promise<void> {
	const { signal } = options;
	const paths = storagePaths(options.directory);
	for (;;) {
		signal.throwIfAborted();
		const owner = await readOwner(paths);
		const answer = owner === undefined ? 'gone' : await askOwner(owner, 'wait', signal);
		signal.throwIfAborted();
		if (answer === 'idle') {
			return;
		}
		const guard = await takeGuard(paths.guard, {});
		if (guard !== undefined) {
			await guard[Symbol.asyncDispose]();
			return;
		}
		// The owner is there, but cannot tell when it is done: looking is all that is left.
		await sleep(UNREACHABLE_PAUSE_MS, undefined, { signal }).catch(() => undefined);
	}
}

function busyElsewhere(
	paths: StoragePaths,
	owner: Owner | undefined,
	why: 'busy' | 'silent' | 'unreachable',
): StoreError {
	const who = owner === undefined ? 'another process' : `another window (process ${owner.pid})`;
	switch (why) {
		case 'busy':
			return new StoreError('busyElsewhere', `The sessions of this workspace are in use in ${who}.`, {
				remedy: 'Take over to interrupt the turn there, wait until it is done, or start an unsaved chat.',
			});
		case 'silent':
			return new StoreError('busyElsewhere', `The sessions are held by ${who}, which does not answer.`, {
				remedy: 'Close that window, or start an unsaved chat here.',
			});
		case 'unreachable':
			return new StoreError('busyElsewhere', `The session database is locked by ${who}: ${paths.database}`, {
				remedy:
					'Close the other window. If there is none, its disk may not support file locks: move it to a local disk.',
			});
	}
}
