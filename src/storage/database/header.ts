import { open } from 'node:fs/promises';

/** SQLite's file format, section 1.3: the first 100 bytes. */
const HEADER_BYTES = 100;
const USER_VERSION_OFFSET = 60;
const MAGIC = 'SQLite format 3\0';

/**
 * Reads the schema version from a database file without SQLite, which would change the file beside it.
 * Never call it while this process has the database open: closing the file here would drop SQLite's lock on it.
 * @returns undefined where there is no file, an empty one, or one without SQLite's header
 * @throws an error of `fs` where the file cannot be read
 */
export async function readSchemaVersion(path: string): Promise<number | undefined> {
	let file;
	try {
		file = await open(path, 'r');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
		const isDatabase = bytesRead === HEADER_BYTES && buffer.toString('latin1', 0, MAGIC.length) === MAGIC;
		return isDatabase ? buffer.readUInt32BE(USER_VERSION_OFFSET) : undefined;
	} finally {
		await file.close();
	}
}
