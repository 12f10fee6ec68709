/**
 * Questions that wait for the user, each under an id of its own, so that parallel ones live side by side. An answer to
 * an id that is not known (answered before, or of a turn that ended) is ignored.
 */
export class Broker<Request, Answer> {
	readonly #pending = new Map<string, { request: Request; settle: (answer: Answer) => void }>();

	/** Ids that are about to be asked again, with the answer where it came first. */
	readonly #expected = new Map<string, { answer: Answer } | undefined>();

	get size(): number {
		return this.#pending.size;
	}

	pending(): readonly Request[] {
		return [...this.#pending.values()].map(({ request }) => request);
	}

	/** The user sees this question already: an answer that comes before it is put again is kept for it. */
	expect(id: string): void {
		this.#expected.set(id, undefined);
	}

	/**
	 * Waits for the answer to a question.
	 * @param otherwise the answer when the signal is aborted first.
	 */
	async ask(id: string, request: Request, signal: AbortSignal, otherwise: Answer): Promise<Answer> {
		if (signal.aborted) {
			return otherwise;
		}
		const early = this.#expected.get(id);
		this.#expected.delete(id);
		if (early !== undefined) {
			return early.answer;
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
		if (entry === undefined && this.#expected.has(id)) {
			this.#expected.set(id, { answer });
			return true;
		}
		return entry !== undefined;
	}
}
