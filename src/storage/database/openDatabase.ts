import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DriverOptions } from '../sql/openDriver.ts';
import { SqlError, type SqlDriver } from '../sql/sqlDriver.ts';
import { toStoreError } from '../storeErrors.ts';
import { connect, quickCheck } from './connect.ts';
import { readSchemaVersion } from './header.ts';
import { fileStamp, migrate, refuseNewer, type MigrationReport } from './migrate.ts';
import { salvage, type RecoveryReport } from './salvage.ts';
import { latestVersion, MIGRATIONS, type Migration } from './schema.ts';
import { exists, finishSetAside, setAsidePath, walPath } from './setAside.ts';

export interface OpenReport {
	/** The database was damaged: what happened to it. */
	readonly recovery?: RecoveryReport;
	/** The database was of an older version. */
	readonly migration?: MigrationReport;
}

export interface OpenOptions extends DriverOptions {
	/** For tests. */
	readonly migrations?: readonly Migration[];
}

export interface OpenedDatabase {
	readonly driver: SqlDriver;
	readonly report: OpenReport;
}

/**
 * Opens the database at `path` with the newest schema; makes it, migrates it or recovers it where needed. The caller
 * must own `path`: see `openOwnedStore`.
 * @throws StoreError, with the database as it was
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<OpenedDatabase> {
	try {
		return await openOrRecover(path, { ...options, migrations: options.migrations ?? MIGRATIONS });
	} catch (error) {
		throw toStoreError(error, path);
	}
}

type Settled = OpenOptions & { readonly migrations: readonly Migration[] };

async function openOrRecover(path: string, options: Settled): Promise<OpenedDatabase> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const interrupted = await finishSetAside(path);
	if (interrupted !== undefined) {
		options.logger?.warn(`A recovery that was cut off is finished; the damaged database: ${interrupted}`);
	}
	refuseNewer(path, (await readSchemaVersion(path)) ?? 0, latestVersion(options.migrations));
	await keepOrphanedLog(path);
	await makePrivate(path);
	try {
		return await openSound(path, options);
	} catch (error) {
		if (!(error instanceof SqlError) || !error.isDamage) {
			throw error;
		}
		options.logger?.warn(`The session database is damaged and will be recovered: ${error.message}`);
		const recovery = await salvage(path, options);
		const { driver, report } = await openSound(path, options);
		return { driver, report: { ...report, recovery } };
	}
}

/** @throws SqlError, for which `isDamage` holds where the database needs to be recovered */
async function openSound(path: string, options: Settled): Promise<OpenedDatabase> {
	const check = (await exists(walPath(path))) || (await exists(suspectPath(path)));
	const driver = await connect(path, options);
	try {
		if (check) {
			await quickCheck(driver);
		}
		const migration = await migrate(driver, path, options.migrations);
		await rm(suspectPath(path), { force: true });
		return { driver, report: migration === undefined ? {} : { migration } };
	} catch (error) {
		await driver.close().catch(() => undefined);
		throw error;
	}
}

/** SQLite removes a log that has no database. It may be all that is left of one that someone moved or emptied. */
async function keepOrphanedLog(path: string): Promise<void> {
	const size = await stat(path).then(
		(found) => found.size,
		() => 0,
	);
	if (size === 0 && (await exists(walPath(path)))) {
		await rename(walPath(path), walPath(setAsidePath(path, fileStamp())));
	}
}

/** Only the user may read the sessions. SQLite gives the files beside it the same mode. */
async function makePrivate(path: string): Promise<void> {
	if (!(await exists(path))) {
		await (await open(path, 'a', 0o600)).close();
	}
	await chmod(path, 0o600);
}

/** Leaves a note that the database must be checked when it is opened next. */
export async function markSuspect(path: string): Promise<void> {
	await writeFile(suspectPath(path), '');
}

function suspectPath(path: string): string {
	return `${path}.suspect`;
}
