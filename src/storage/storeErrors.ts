import { StoreError } from '../engine/ports/index.ts';
import { SqlError } from './sql/sqlDriver.ts';

const SPACE = 'Free some disk space, then try again. Nothing that was saved is lost.';
const ACCESS = 'Check that the folder exists, is writable and is on a disk that works, then reload the window.';
const RELOAD = 'Reload the window: Belay then repairs the database and keeps the damaged one under another name.';
const ELSEWHERE = 'Close the other window that uses these sessions, or take them over from it.';

/** What a failure of SQLite or of the file system at `path` means to the user. Other errors are bugs: `io`, as they are. */
export function toStoreError(error: unknown, path: string): StoreError {
	if (error instanceof StoreError) {
		return error;
	}
	const options = (remedy?: string) => ({ remedy, cause: error });
	const detail = error instanceof Error ? error.message : String(error);
	const code = error instanceof SqlError ? error.code : (error as NodeJS.ErrnoException | undefined)?.code;
	switch (code) {
		case 'FULL':
		case 'ENOSPC':
		case 'EDQUOT':
			return new StoreError('full', `The disk is full, so the sessions could not be saved: ${path}`, options(SPACE));
		case 'CORRUPT':
		case 'NOTADB':
			return new StoreError('corrupt', `The session database is damaged: ${path} (${detail})`, options(RELOAD));
		case 'BUSY':
		case 'LOCKED':
			return new StoreError('busyElsewhere', `Another process uses the session database: ${path}`, options(ELSEWHERE));
		case 'CONSTRAINT':
		case 'MISMATCH':
		case 'TOOBIG':
		case 'RANGE':
		case 'MISUSE':
			return new StoreError('invalid', `The session database does not take this: ${detail}`, options());
		default:
			return new StoreError('io', `The session database could not be used: ${path} (${detail})`, options(ACCESS));
	}
}
