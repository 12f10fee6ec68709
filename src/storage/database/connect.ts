import type { DriverOptions } from '../sql/openDriver.ts';
import { openDriver } from '../sql/openDriver.ts';
import { SqlError, type SqlDriver } from '../sql/sqlDriver.ts';

/**
 * Exclusive before the first access: then no other process can open the database, and no shared memory is used.
 * `fullfsync` is macOS's way to reach the disk itself. Deleted text is overwritten, not only unlinked.
 */
const SETTINGS = `
PRAGMA busy_timeout = 1000;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA journal_size_limit = 16777216;
PRAGMA synchronous = NORMAL;
PRAGMA fullfsync = ON;
PRAGMA checkpoint_fullfsync = ON;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA cell_size_check = ON;
`;

/** Opens a database with the settings of a store. @throws SqlError, `NOTADB` or `CORRUPT` for a damaged one */
export async function connect(path: string, options: DriverOptions): Promise<SqlDriver> {
	const driver = await openDriver(path, options);
	try {
		await driver.exec(SETTINGS);
		await driver.all('SELECT count(*) FROM sqlite_schema');
		return driver;
	} catch (error) {
		await driver.close().catch(() => undefined);
		throw error;
	}
}

/** @throws SqlError `CORRUPT` with the first findings of SQLite's own check */
export async function quickCheck(driver: SqlDriver): Promise<void> {
	const rows = await driver.all('PRAGMA quick_check(5)');
	const findings = rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
	if (findings.length > 0) {
		throw new SqlError('CORRUPT', findings.join('; '));
	}
}
