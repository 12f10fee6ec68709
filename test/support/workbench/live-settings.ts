import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Dirs } from './dirs.ts';
import { ROOT } from './paths.ts';
import type { Settings } from './settings.ts';
import { until } from './until.ts';

/** The extension that changes settings from inside the workbench. */
export const HELPER_EXTENSION = path.join(ROOT, 'test/fixtures/workbench-helper');

/** The file through which the helper is told what to change. */
export function settingsRequestFile(dirs: Dirs): string {
	return path.join(dirs.root, 'settings-request.json');
}

/**
 * Changes user settings of a running workbench, and waits until it has taken them.
 * @param settings null removes a setting
 * @throws Error when the workbench refuses one, as it does with names it does not know
 */
export async function changeSettings(dirs: Dirs, settings: Settings): Promise<void> {
	const file = settingsRequestFile(dirs);
	const id = randomUUID();
	// Renamed into place: the helper is not to read half a request.
	fs.writeFileSync(`${file}.new`, JSON.stringify({ id, settings: Object.entries(settings) }));
	fs.renameSync(`${file}.new`, file);
	const answer = await until(() => answerTo(id, `${file}.done`), 'the settings to be changed', { timeoutMs: 30_000 });
	if (answer.error !== undefined) {
		throw new Error(answer.error);
	}
}

interface Answer {
	readonly id: string;
	readonly error?: string;
}

function answerTo(id: string, file: string): Answer | undefined {
	const answer = JSON.parse(fs.readFileSync(file, 'utf8')) as Answer;
	return answer.id === id ? answer : undefined;
}
