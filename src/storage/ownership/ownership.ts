import type { Logger } from '../../engine/ports/index.ts';
import {
	newToken,
	publishOwner,
	removeDeadSocket,
	withdrawOwner,
	type Owner,
	type StoragePaths,
} from './ownerFiles.ts';
import type { Answer, Question } from './messages.ts';
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
	readonly #opening = Promise.withResolvers<OpenedHooks | undefined>();
	#owner: Owner | undefined;
	#server: OwnerServer | undefined;
	#handingOver: Promise<void> | undefined;
	#released: Promise<void> | undefined;

	private constructor(paths: StoragePaths, guard: AsyncDisposable) {
		this.#paths = paths;
		this.#guard = guard;
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
		const ownership = new Ownership(paths, guard);
		try {
			if (await ownership.#publish(dead, logger)) {
				return ownership;
			}
		} catch (error) {
			await ownership[Symbol.asyncDispose]();
			throw error;
		}
		await ownership[Symbol.asyncDispose]();
		return undefined;
	}

	async #publish(dead: Owner | undefined, logger: Logger): Promise<boolean> {
		const token = newToken();
		this.#server = await OwnerServer.listen(token, (ask) => this.#answer(ask)).catch((error: unknown) => {
			logger.warn(`Other windows cannot ask for the sessions of this one: ${String(error)}`);
			return undefined;
		});
		this.#owner = { pid: process.pid, startedAt: Date.now(), token, socket: this.#server?.path ?? null };
		const published = await publishOwner(this.#paths, this.#owner, dead);
		if (published && dead !== undefined) {
			await removeDeadSocket(dead);
		}
		return published;
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
		try {
			if (this.#owner !== undefined) {
				await withdrawOwner(this.#paths, this.#owner);
			}
		} finally {
			await this.#guard[Symbol.asyncDispose]();
			await this.#server?.[Symbol.asyncDispose]();
		}
	}

	/** @returns `yours` also where the opening failed: there is nothing to hand over then. */
	async #answer(ask: Question['ask']): Promise<Answer> {
		const hooks = await this.#opening.promise;
		if (hooks === undefined) {
			return 'yours';
		}
		if (this.#handingOver === undefined && ask !== 'takeOver' && hooks.isBusy()) {
			return 'busy';
		}
		if (ask === 'wait') {
			return 'idle';
		}
		this.#handingOver ??= hooks.handOver(ask === 'takeOver');
		await this.#handingOver.catch(() => undefined);
		return 'yours';
	}
}
