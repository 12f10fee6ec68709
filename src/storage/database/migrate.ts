import { rename, rm } from 'node:fs/promises';
import { StoreError } from '../../engine/ports/index.ts';
import { SqlError, type SqlDriver, type SqlExecutor } from '../sql/sqlDriver.ts';
import { latestVersion, type Migration } from './schema.ts';

export interface MigrationReport {
	readonly from: number;
	readonly to: number;
	/** A copy of the database as it was before. */
	readonly backup: string;
}

/**
 * Brings a database to the newest version, each step in a transaction of its own. An older database is copied first.
 * @returns what was done to an older database; undefined for a new or a current one
 * @throws StoreError `newerSchema`; SqlError, also where the database has tables but not ours
 */
export async function migrate(
	driver: SqlDriver,
	path: string,
	migrations: readonly Migration[],
): Promise<MigrationReport | undefined> {
	const from = await currentVersion(driver);
	const to = latestVersion(migrations);
	refuseNewer(path, from, to);
	if (from === to) {
		return undefined;
	}
	const backup = from === 0 ? undefined : await backUp(driver, path, from);
	for (const step of migrations.filter(({ version }) => version > from)) {
		await driver.transaction((tx) => applyStep(tx, step));
	}
	// So that the version stands in the file itself, where readSchemaVersion looks.
	await driver.all('PRAGMA wal_checkpoint(TRUNCATE)');
	return backup === undefined ? undefined : { from, to, backup };
}

/** @throws StoreError `newerSchema` */
export function refuseNewer(path: string, found: number, known: number): void {
	if (found > known) {
		throw new StoreError(
			'newerSchema',
			`The session database was written by a newer version of Belay (schema ${found}, this version knows ${known}): ${path}`,
			{ remedy: 'Update Belay. The database was not changed.' },
		);
	}
}

/**
 * @returns 0 for an empty database
 * @throws SqlError `CORRUPT` where there are tables, but no version
 */
export async function currentVersion(executor: SqlExecutor): Promise<number> {
	const tables = await executor.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
	if (tables.length === 0) {
		return 0;
	}
	const row = tables.some(({ name }) => name === 'meta')
		? await executor.get("SELECT value FROM meta WHERE key = 'schema_version'")
		: undefined;
	const version = Number(row?.value);
	if (!Number.isInteger(version) || version < 1) {
		throw new SqlError('CORRUPT', 'The database does not tell its schema version.');
	}
	return version;
}

async function applyStep(tx: SqlExecutor, step: Migration): Promise<void> {
	await tx.exec(step.sql);
	await tx.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema_version', ?)", [String(step.version)]);
	await tx.exec(`PRAGMA user_version = ${step.version}`);
}

async function backUp(driver: SqlDriver, path: string, version: number): Promise<string> {
	const backup = `${path}.before-v${version + 1}-${fileStamp()}`;
	const unfinished = `${backup}.part`;
	await rm(unfinished, { force: true });
	await driver.run('VACUUM INTO ?', [unfinished]);
	await rename(unfinished, backup);
	return backup;
}

/** The time as part of a file's name, valid on every system: `20250131T235959123Z`. */
export function fileStamp(): string {
	return new Date().toISOString().replace(/[-:.]/g, '');
}
