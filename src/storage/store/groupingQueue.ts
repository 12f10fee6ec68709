/** Runs jobs one after the other; appends that wait next to each other are handed over together. */
export class GroupingQueue<A> {
	readonly #runAppends: (group: readonly A[]) => Promise<void>;
	readonly #maxGroup: number;
	#jobs: Job<A>[] = [];
	#running: Promise<void> | undefined;

	/** `runAppends` settles each entry of its group itself and never rejects. */
	constructor(runAppends: (group: readonly A[]) => Promise<void>, maxGroup: number) {
		this.#runAppends = runAppends;
		this.#maxGroup = maxGroup;
	}

	append(entry: A): void {
		this.#jobs.push({ type: 'append', entry });
		this.#start();
	}

	run<T>(work: () => Promise<T>): Promise<T> {
		const done = Promise.withResolvers<T>();
		// Never rejects, also where `work` throws before it returns a promise: the jobs behind it must run.
		const job = async () => {
			try {
				done.resolve(await work());
			} catch (error) {
				done.reject(error);
			}
		};
		this.#jobs.push({ type: 'other', job });
		this.#start();
		return done.promise;
	}

	#start(): void {
		this.#running ??= this.#drain();
	}

	async #drain(): Promise<void> {
		// The callers of this moment first get to add theirs.
		await Promise.resolve();
		while (this.#jobs.length > 0) {
			const group = this.#takeAppends();
			if (group.length > 0) {
				await this.#runAppends(group);
				continue;
			}
			const job = this.#jobs.shift();
			if (job?.type === 'other') {
				await job.job();
			}
		}
		this.#running = undefined;
	}

	#takeAppends(): readonly A[] {
		const group: A[] = [];
		for (const job of this.#jobs) {
			if (job.type !== 'append' || group.length === this.#maxGroup) {
				break;
			}
			group.push(job.entry);
		}
		this.#jobs.splice(0, group.length);
		return group;
	}
}

type Job<A> =
	{ readonly type: 'append'; readonly entry: A } | { readonly type: 'other'; readonly job: () => Promise<void> };
