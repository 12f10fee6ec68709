import { constants, copyFile, open, readFile, rename, rm } from 'node:fs/promises';
import type { DriverOptions } from '../sql/openDriver.ts';
import { SqlError, type SqlDriver, type SqlExecutor, type SqlRow, type SqlValue } from '../sql/sqlDriver.ts';
import { connect } from './connect.ts';
import { currentVersion, fileStamp, migrate, refuseNewer } from './migrate.ts';
import { ReadableRows, unlessDamaged } from './readableRows.ts';
import { indexMessages, restoreSessions } from './restoreRelations.ts';
import { latestVersion, SALVAGED_TABLES, type Migration } from './schema.ts';
import { exists, finishSetAside, rebuiltPath } from './setAside.ts';

/** Tables whose rows may have megabytes. */
const LARGE_ROWS: ReadonlySet<string> = new Set(['tool_outputs', 'blobs']);

/** What a recovery did, for the user. */
export interface RecoveryReport {
	/** Where the damaged database is kept; its `-wal` file, if it still has one, is beside it. */
	readonly setAside: string;
	readonly recovered: { readonly sessions: number; readonly events: number };
	/** About how many rows could not be read. `tables`: in which tables. */
	readonly lost: { readonly rows: number; readonly tables: readonly string[] };
}

export interface SalvageOptions extends DriverOptions {
	readonly migrations: readonly Migration[];
}

/**
 * Copies everything readable of a damaged database into a new one, then gives the damaged one another name and puts the
 * new one in its place. It reads from a copy, so that SQLite cannot change the damaged files. Killed half way, it starts
 * again at the next opening.
 * @throws SqlError or an error of `fs`, with everything as it was
 */
export async function salvage(path: string, options: SalvageOptions): Promise<RecoveryReport> {
	const copy = `${path}.salvage-copy`;
	const fresh = `${path}.rebuilding`;
	await removeDatabase(copy);
	await removeDatabase(fresh);
	try {
		for (const suffix of ['', '-wal']) {
			if (await exists(path + suffix)) {
				await copyFile(path + suffix, copy + suffix, constants.COPYFILE_FICLONE);
			}
		}
		const result = await rebuild(copy, fresh, options);
		await rename(fresh, rebuiltPath(path, fileStamp()));
		const setAside = (await finishSetAside(path)) ?? path;
		options.logger?.warn(`The damaged session database was set aside: ${setAside}`);
		return { setAside, ...result };
	} finally {
		await removeDatabase(copy);
		await removeDatabase(fresh);
	}
}

async function rebuild(
	copy: string,
	fresh: string,
	options: SalvageOptions,
): Promise<Omit<RecoveryReport, 'setAside'>> {
	const source = await openDamaged(copy, options);
	try {
		const version = await readableVersion(source);
		refuseNewer(copy, version ?? 0, latestVersion(options.migrations));
		const known = options.migrations.filter((step) => version === undefined || step.version <= version);
		const target = await connect(fresh, options);
		try {
			await migrate(target, fresh, known);
			const lost = source === undefined ? { rows: 0, tables: ['all'] } : await copyTables(source, target);
			await target.transaction(restoreSessions);
			await target.transaction(indexMessages);
			await target.exec('PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL');
			return { recovered: await count(target), lost };
		} finally {
			await target.close();
		}
	} finally {
		await source?.close().catch(() => undefined);
	}
}

/** @returns undefined where SQLite cannot make sense of any of it. */
async function openDamaged(copy: string, options: SalvageOptions): Promise<SqlDriver | undefined> {
	const opened = await unlessDamaged(connect(copy, options));
	if (opened !== undefined) {
		const tables = await unlessDamaged(opened.all("SELECT name FROM sqlite_schema WHERE name = 'rollout'"));
		if (tables?.length === 1) {
			return opened;
		}
		await opened.close();
	}
	await transplantFirstPage(copy, options);
	return unlessDamaged(connect(copy, options));
}

/**
 * The first page holds the header and the schema. The same steps make the same schema with the same root pages, so the
 * first page of a new, empty database can stand in for a damaged one.
 */
async function transplantFirstPage(copy: string, options: SalvageOptions): Promise<void> {
	const donor = `${copy}-donor`;
	await removeDatabase(donor);
	try {
		const driver = await connect(donor, options);
		await migrate(driver, donor, options.migrations).finally(() => driver.close());
		const content = await readFile(donor);
		// SQLite's file format, section 1.3: the page size is a big-endian number at offset 16.
		const pageSize = content.readUInt16BE(16);
		const page = content.subarray(0, pageSize);
		const file = await open(copy, 'r+');
		try {
			const { size } = await file.stat();
			page.writeUInt32BE(Math.floor(size / pageSize), 28);
			// No free list: SQLite must not hand out pages that it takes to be free by what another file says.
			page.writeUInt32BE(0, 32);
			page.writeUInt32BE(0, 36);
			await file.write(page, 0, pageSize, 0);
		} finally {
			await file.close();
		}
	} finally {
		await removeDatabase(donor);
	}
}

async function readableVersion(source: SqlDriver | undefined): Promise<number | undefined> {
	return source === undefined ? undefined : unlessDamaged(currentVersion(source));
}

async function copyTables(source: SqlDriver, target: SqlDriver): Promise<RecoveryReport['lost']> {
	// A session may be lost while its events are not: it is made again afterwards.
	await target.exec('PRAGMA foreign_keys = OFF');
	let rows = 0;
	const tables: string[] = [];
	for (const table of SALVAGED_TABLES) {
		const lost = await copyTable(source, target, table);
		if (lost > 0) {
			rows += lost;
			tables.push(table);
		}
	}
	return { rows, tables };
}

/** @returns about how many rows were lost. */
async function copyTable(source: SqlDriver, target: SqlDriver, table: string): Promise<number> {
	let lost = 0;
	for await (const batch of new ReadableRows(source, table, LARGE_ROWS.has(table) ? 4 : 500).batches()) {
		lost += batch.lost;
		lost += await target.transaction((tx) => insertAll(tx, table, batch.rows));
	}
	return lost;
}

async function insertAll(tx: SqlExecutor, table: string, rows: readonly SqlRow[]): Promise<number> {
	let lost = 0;
	for (const row of rows) {
		const columns = Object.keys(row).map((name) => `"${name}"`);
		const marks = columns.map(() => '?').join(', ');
		const values: SqlValue[] = Object.values(row);
		try {
			lost += 1 - (await tx.run(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, values));
		} catch (error) {
			// What damage made of a row need not fit its table any more.
			if (!(error instanceof SqlError) || !['CONSTRAINT', 'MISMATCH', 'MISUSE', 'ERROR'].includes(error.code)) {
				throw error;
			}
			lost += 1;
		}
	}
	return lost;
}

async function count(target: SqlDriver): Promise<RecoveryReport['recovered']> {
	const row = await target.get(
		'SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM rollout) AS events',
	);
	return { sessions: Number(row?.sessions), events: Number(row?.events) };
}

/** Removes a database of this module's own making. */
async function removeDatabase(path: string): Promise<void> {
	for (const suffix of ['', '-wal', '-shm', '-journal']) {
		await rm(path + suffix, { force: true });
	}
}
