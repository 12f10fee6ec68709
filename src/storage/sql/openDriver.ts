import { silentLogger, type Logger } from '../../engine/ports/index.ts';
import { loadNativeSqlite, type NativeSqlite } from './loadNativeSqlite.ts';
import { loadNodeSqlite } from './loadNodeSqlite.ts';
import { NativeConnection } from './nativeConnection.ts';
import { NodeConnection } from './nodeConnection.ts';
import { QueuedDriver } from './queuedDriver.ts';
import type { SqlDriver } from './sqlDriver.ts';

export interface DriverOptions {
	/** Default: `native` where its binary loads, `node` otherwise. */
	readonly driver?: SqlDriver['kind'] | undefined;
	readonly logger?: Logger | undefined;
}

/**
 * Opens a database file, which is created when absent, or `:memory:`.
 * @throws SqlError where the file cannot be opened; what loading threw where neither library is there
 */
export async function openDriver(path: string, options: DriverOptions = {}): Promise<SqlDriver> {
	const native = options.driver === 'node' ? undefined : await tryLoadNative(options);
	return new QueuedDriver(
		native === undefined ? new NodeConnection(loadNodeSqlite(), path) : await NativeConnection.open(native, path),
	);
}

async function tryLoadNative(options: DriverOptions): Promise<NativeSqlite | undefined> {
	try {
		return await loadNativeSqlite();
	} catch (error) {
		if (options.driver === 'native') {
			throw error;
		}
		const logger = options.logger ?? silentLogger;
		logger.info(`@vscode/sqlite3 did not load (${String(error)}); node:sqlite is used instead.`);
		return undefined;
	}
}
