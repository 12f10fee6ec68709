import fs from 'node:fs';
import path from 'node:path';
import { info, warn } from './log.mjs';
import { ROOT, TEST_RESULTS } from './paths.mjs';
import { exitCode } from './run.mjs';

const MOCHA = path.join(ROOT, 'node_modules/mocha/bin/mocha.js');
const REPORTER = path.join(ROOT, 'test/support/counting-reporter.ts');

/**
 * @typedef {object} Outcome
 * @property {string} suite
 * @property {number} passed
 * @property {number} failed
 * @property {string} [trouble] why the suite as a whole does not count as passed
 */

/**
 * Runs mocha on a suite's files.
 * @param {string} suite its folder below test/
 * @param {{ atLeast: number, minutes: number, files?: string[] }} options atLeast: fewer tests are a failure; files
 *   replaces the suite's own list
 * @returns {Promise<Outcome>}
 */
export function runMocha(suite, { atLeast, minutes, files = [] }) {
	const args = [MOCHA, '--config', `test/${suite}/.mocharc.json`, '--reporter', REPORTER];
	// Not in the configuration: mocha would add its files to those that are named.
	const chosen = files.length > 0 ? files : [`test/${suite}/**/*.test.ts`];
	return runSuite(suite, [...args, ...chosen], { atLeast: files.length > 0 ? 1 : atLeast, minutes });
}

/**
 * Runs a program that runs a suite and writes its counts to the file BELAY_TEST_RESULTS. Only that file counts: a
 * process that dies in mid suite may well exit with 0.
 * @param {string} suite
 * @param {string[]} args of node
 * @param {{ atLeast: number, minutes: number, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Outcome>}
 */
export async function runSuite(suite, args, { atLeast, minutes, env = {} }) {
	info(`\n=== ${suite} tests`);
	const results = path.join(TEST_RESULTS, `${suite}.json`);
	fs.mkdirSync(TEST_RESULTS, { recursive: true });
	fs.rmSync(results, { force: true });
	const { code } = await exitCode(process.execPath, args, {
		env: { ...process.env, ...env, BELAY_TEST_RESULTS: results },
		timeoutMs: minutes * 60_000,
	});
	const outcome = judge(suite, readCounts(results), code, atLeast);
	if (outcome.trouble) {
		warn(`${suite}: ${outcome.trouble}`);
	}
	return outcome;
}

/**
 * @param {string} suite
 * @param {{ passed: number, failed: number } | undefined} counts
 * @param {number | string} code
 * @param {number} atLeast
 * @returns {Outcome}
 */
function judge(suite, counts, code, atLeast) {
	if (!counts) {
		return { suite, passed: 0, failed: 1, trouble: `it ended (${code}) without a result` };
	}
	const { passed, failed } = counts;
	if (passed + failed < atLeast) {
		const trouble = `only ${passed + failed} tests ran, at least ${atLeast} are expected`;
		return { suite, passed, failed: Math.max(failed, 1), trouble };
	}
	if (code !== 0 && failed === 0) {
		return { suite, passed, failed: 1, trouble: `its tests passed, but it ended with ${code}` };
	}
	return { suite, passed, failed };
}

/** @param {string} file */
function readCounts(file) {
	try {
		const { passed, failed } = JSON.parse(fs.readFileSync(file, 'utf8'));
		return Number.isInteger(passed) && Number.isInteger(failed) ? { passed, failed } : undefined;
	} catch {
		return undefined;
	}
}
