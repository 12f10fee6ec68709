import { openDriver, type DriverOptions } from '../sql/openDriver.ts';
import { SqlError } from '../sql/sqlDriver.ts';

/**
 * Takes the kernel's lock on an otherwise empty SQLite file. The kernel gives it back when the process dies, however it
 * dies, so there is no stale lock and no process id to compare. A file of its own, since the database cannot be locked
 * while it is damaged or being replaced.
 * @returns undefined where another process holds it
 * @throws SqlError where the file cannot be used
 */
export async function takeGuard(path: string, options: DriverOptions): Promise<AsyncDisposable | undefined> {
	const driver = await openDriver(path, options);
	try {
		// Nothing is ever written in this transaction, so that the file stays empty.
		await driver.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
		return { [Symbol.asyncDispose]: () => driver.close() };
	} catch (error) {
		await driver.close();
		if (error instanceof SqlError && error.code === 'BUSY') {
			return undefined;
		}
		throw error;
	}
}
