import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stop, warn } from './log.mjs';
import { ensureNode24, nodeIsNewEnough, runAgain } from './node24.mjs';

/**
 * Runs a script's work under Node 24 and turns what it throws into a message and an exit code.
 * @param {string} url the script's import.meta.url
 * @param {(argv: string[]) => Promise<number | void>} work answers the exit code; nothing means 0
 */
export async function main(url, work) {
	try {
		if (nodeIsNewEnough()) {
			// npm, npx and the programs they start find this same Node.
			process.env.PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
			process.exitCode = (await work(process.argv.slice(2))) ?? 0;
		} else {
			process.exitCode = await runAgain(await ensureNode24(), fileURLToPath(url));
		}
	} catch (error) {
		if (!(error instanceof Stop)) {
			throw error;
		}
		warn(error.message);
		if (error.remedy) {
			warn(error.remedy);
		}
		process.exitCode = 1;
	}
}
