import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { openDatabase, type OpenOptions, type OpenReport } from '../../../src/storage/database/openDatabase.ts';
import { SqliteStore } from '../../../src/storage/store/sqliteStore.ts';

export const DRIVERS = ['native', 'node'] as const;

/** A directory that is gone after the tests of the `describe` in which this is called. */
export function temporaryDirectories(): () => Promise<string> {
	const made: string[] = [];
	after(async () => {
		await Promise.all(made.map((path) => rm(path, { recursive: true, force: true })));
	});
	return async () => {
		const path = await mkdtemp(join(tmpdir(), 'belay-storage-test-'));
		made.push(path);
		return path;
	};
}

export async function openStore(
	path: string,
	options: OpenOptions = {},
): Promise<{ store: SqliteStore; report: OpenReport }> {
	const { driver, report } = await openDatabase(path, options);
	return { store: new SqliteStore(driver, path), report };
}

/**
 * Bundles the programs under `children/` once, as the extension is bundled: they start in half the time, and the bundled
 * code is what is tested. @returns the directory
 */
async function bundleChildren(): Promise<string> {
	const outdir = await mkdtemp(join(tmpdir(), 'belay-storage-children-'));
	process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
	const native = createRequire(import.meta.url).resolve('@vscode/sqlite3');
	await build({
		entryPoints: ['appender', 'owner'].map((name) => join(import.meta.dirname, 'children', `${name}.ts`)),
		bundle: true,
		platform: 'node',
		format: 'cjs',
		outExtension: { '.js': '.cjs' },
		outdir,
		alias: { '@vscode/sqlite3': native },
		external: [native],
	});
	return outdir;
}
let bundled: Promise<string> | undefined;

/** A program under `children/`, which speaks JSON lines. */
export class Child {
	readonly process: ChildProcess;
	readonly ended: Promise<void>;
	lines: unknown[] = [];
	readonly #news = new EventEmitter().setMaxListeners(0);
	#over = false;

	private constructor(directory: string, program: string, args: readonly string[]) {
		this.process = spawn(process.execPath, [join(directory, `${program}.cjs`), ...args], {
			stdio: ['pipe', 'pipe', 'inherit'],
			// Sockets of killed programs go with the directory.
			env: { ...process.env, TMPDIR: directory },
		});
		const reader = createInterface({ input: this.process.stdout! });
		reader.on('line', (line) => {
			// A killed program may have written half a line.
			if (line.endsWith('}')) {
				this.lines.push(JSON.parse(line));
				this.#news.emit('news');
			}
		});
		this.ended = Promise.all([once(this.process, 'exit'), once(reader, 'close')]).then(() => {
			this.#over = true;
			this.#news.emit('news');
		});
	}

	static async start(program: 'appender' | 'owner', args: readonly string[] = []): Promise<Child> {
		bundled ??= bundleChildren();
		return new Child(await bundled, program, args);
	}

	/** Waits for a line. @throws where the program ends without it */
	async line<T = unknown>(fits: (line: T) => boolean = () => true): Promise<T> {
		for (;;) {
			const found = (this.lines as T[]).find(fits);
			if (found !== undefined) {
				return found;
			}
			if (this.#over) {
				throw new Error(`The program ended; it said ${JSON.stringify(this.lines)}`);
			}
			await once(this.#news, 'news');
		}
	}

	send(message: object): void {
		this.process.stdin!.write(`${JSON.stringify(message)}\n`);
	}

	async kill(): Promise<void> {
		this.process.kill('SIGKILL');
		await this.ended;
	}

	get isOver(): boolean {
		return this.#over;
	}
}
