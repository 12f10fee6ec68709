/**
 * Questions that wait for the user, each under an id of its own, so that parallel ones live side by side. An answer to
 * an id that is not known (answered before, or of a turn that ended) is ignored.
 */
export class Broker<Request, Answer> {
	readonly #pending = new Map<string, { request: Request; settle: (answer: Answer) => void }>();

	get size(): number {
		return this.#pending.size;
	}

	pending(): readonly Request[] {
		return [...this.#pending.values()].map(({ request }) => request);
	}

	/**
	 * Waits for the answer to a question.
	 * @param otherwise the answer when the signal is aborted first.
	 */
	async ask(id: string, request: Request, signal: AbortSignal, otherwise: Answer): Promise<Answer> {
		if (signal.aborted) {
			return otherwise;
		}
		return await new Promise<Answer>((resolve) => {
			const settle = (answer: Answer) => {
				signal.removeEventListener('abort', onAbort);
				this.#pending.delete(id);
				resolve(answer);
			};
			const onAbort = () => settle(otherwise);
			signal.addEventListener('abort', onAbort, { once: true });
			this.#pending.set(id, { request, settle });
		});
	}

	/** @returns false where nothing waits under that id. */
	answer(id: string, answer: Answer): boolean {
		const entry = this.#pending.get(id);
		entry?.settle(answer);
		return entry !== undefined;
	}
}
