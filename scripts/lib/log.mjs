/** Something that set-up foresees and cannot do itself: shown as a message and a remedy, without a stack trace. */
export class Stop extends Error {
	/**
	 * @param {string} message what cannot be done
	 * @param {string} [remedy] what the reader can do about it
	 */
	constructor(message, remedy) {
		super(message);
		this.remedy = remedy;
	}
}

/** @param {string} text */
export function info(text) {
	process.stdout.write(`${text}\n`);
}

/** @param {string} text */
export function warn(text) {
	process.stderr.write(`! ${text}\n`);
}

/**
 * Says what is being done, does it, and says how long it took.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
	info(`> ${title} ...`);
	const start = performance.now();
	const result = await work();
	info(`  done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
	return result;
}
