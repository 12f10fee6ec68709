import type { Logger } from '../../engine/ports/index.ts';
import {
	newToken,
	publishOwner,
	removeDeadSocket,
	withdrawOwner,
	type Owner,
	type StoragePaths,
} from './ownerFiles.ts';
import { OwnerServer } from './ownerServer.ts';

/** The opened store, as far as handing it over goes. */
export interface OpenedHooks {
	readonly isBusy: () => boolean;
	/** Resolves when the database is closed and this ownership given up. */
	readonly handOver: (forced: boolean) => Promise<void>;
}

/**
 * A directory's guard, lock file and socket, held by this process. Published before the database is opened, so that
 * others who come while it is being migrated or recovered wait for the answer.
 */
export class Ownership implements AsyncDisposable {
	readonly #paths: StoragePaths;
	readonly #guard: AsyncDisposable;
	readonly #owner: Owner;
	readonly #server: OwnerServer | undefined;
	readonly #opening: PromiseWithResolvers<OpenedHooks | undefined>;
	#handingOver: Promise<void> | undefined;
	#released: Promise<void> | undefined;

	private constructor(
		paths: StoragePaths,
		guard: AsyncDisposable,
		owner: Owner,
		server: OwnerServer | undefined,
		opening: PromiseWithResolvers<OpenedHooks | undefined>,
	) {
		this.#paths = paths;
		this.#guard = guard;
		this.#owner = owner;
		this.#server = server;
		this.#opening = opening;
	}

	/**
	 * @param dead whose lock file is replaced
	 * @returns undefined where another process has published itself in spite of the guard, which is given back then
	 */
	static async establish(
		paths: StoragePaths,
		guard: AsyncDisposable,
		dead: Owner | undefined,
		logger: Logger,
	): Promise<Ownership | undefined> {
		const token = newToken();
		const opening = Promise.withResolvers<OpenedHooks | undefined>();
		// Requests reach the object that is made below.
		const server = await OwnerServer.listen(token, (force) => ownership.#answer(force)).catch((error: unknown) => {
			logger.warn(`Other windows cannot ask for the sessions of this one: ${String(error)}`);
			return undefined;
		});
		const owner: Owner = { pid: process.pid, startedAt: Date.now(), token, socket: server?.path ?? null };
		const ownership = new Ownership(paths, guard, owner, server, opening);
		const published = await publishOwner(paths, owner).catch(async (error: unknown) => {
			await ownership[Symbol.asyncDispose]();
			throw error;
		});
		if (!published) {
			await ownership[Symbol.asyncDispose]();
			return undefined;
		}
		if (dead !== undefined) {
			await removeDeadSocket(dead);
		}
		return ownership;
	}

	/** From now on requests are answered. */
	opened(hooks: OpenedHooks): void {
		this.#opening.resolve(hooks);
	}

	notifyIdle(): void {
		this.#server?.notifyIdle();
	}

	/** Gives the directory back. To be called when the database is closed. */
	[Symbol.asyncDispose](): Promise<void> {
		this.#released ??= this.#release();
		return this.#released;
	}

	async #release(): Promise<void> {
		this.#opening.resolve(undefined);
		await withdrawOwner(this.#paths, this.#owner);
		await this.#guard[Symbol.asyncDispose]();
		// Not waited for: the request that led here is answered on a connection of this server.
		setImmediate(() => void this.#server?.[Symbol.asyncDispose]());
	}

	/** @returns `yours` also where the opening failed: there is nothing to hand over then. */
	async #answer(force: boolean): Promise<'yours' | 'busy'> {
		const hooks = await this.#opening.promise;
		if (hooks === undefined) {
			return 'yours';
		}
		if (this.#handingOver === undefined && !force && hooks.isBusy()) {
			return 'busy';
		}
		this.#handingOver ??= hooks.handOver(force);
		await this.#handingOver.catch(() => undefined);
		return 'yours';
	}
}
