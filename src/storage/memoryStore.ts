import { connect } from './database/connect.ts';
import { migrate } from './database/migrate.ts';
import { MIGRATIONS } from './database/schema.ts';
import type { DriverOptions } from './sql/openDriver.ts';
import { SqliteStore } from './store/sqliteStore.ts';

const PATH = ':memory:';

/** A store that is gone when it is closed: for an unsaved chat, and for tests. */
export async function memoryStore(options: DriverOptions = {}): Promise<SqliteStore> {
	const driver = await connect(PATH, options);
	await migrate(driver, PATH, MIGRATIONS);
	return new SqliteStore(driver, PATH);
}
