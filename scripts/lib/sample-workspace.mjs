import fs from 'node:fs';
import { exitCode, which } from './run.mjs';
import { SAMPLE_FIXTURE, SAMPLE_WORKSPACE } from './paths.mjs';

const IDENTITY = ['-c', 'user.name=Belay', '-c', 'user.email=belay@example.invalid', '-c', 'commit.gpgsign=false'];

/**
 * Copies the sample workspace, once: what a person or the agent changed in it stays.
 * @returns {Promise<string>} the copy's folder
 */
export async function ensureSampleWorkspace() {
	if (fs.existsSync(SAMPLE_WORKSPACE)) {
		return SAMPLE_WORKSPACE;
	}
	fs.cpSync(SAMPLE_FIXTURE, SAMPLE_WORKSPACE, { recursive: true });
	if (which('git')) {
		const git = (...args) => exitCode('git', args, { cwd: SAMPLE_WORKSPACE, quiet: true });
		await git('init', '--quiet', '--initial-branch=main');
		await git('add', '--all');
		await git(...IDENTITY, 'commit', '--quiet', '--message', 'A small sample project');
	}
	return SAMPLE_WORKSPACE;
}
