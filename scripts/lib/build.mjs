import { step } from './log.mjs';
import { run } from './run.mjs';

/**
 * Builds dist/.
 * @param {{ production?: boolean }} [options]
 * @returns {Promise<void>}
 * @throws {Stop} when it does not compile
 */
export async function build({ production = false } = {}) {
	await step('Building', () => run(process.execPath, ['esbuild.mjs', ...(production ? ['--production'] : [])]));
}
