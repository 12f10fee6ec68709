import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Both ends of a pipe, as numbers of open files. */
export interface Pipe {
	/** Does not block. */
	readonly read: number;
	readonly write: number;
}

/** Made at a time: two for each command. */
const BATCH = 8;
/** With fewer left, the next ones are made in good time. */
const LOW = 4;

/**
 * Real pipes for the output of commands. Those of Node are sockets, which cannot be opened by name: with them,
 * `echo x > /dev/stderr` and `tee /dev/stdout` fail. Node has no call for pipes, so they are made as named ones, a few
 * at a time, and lose their names as soon as they are open.
 */
export class PipePool implements Disposable {
	readonly #directory: string;
	readonly #pipes: Pipe[] = [];
	#making: Promise<void> | undefined;
	#disposed = false;

	/** @param directory where the names stand for a moment; made when it is needed. */
	constructor(directory: string) {
		this.#directory = directory;
	}

	/** @returns undefined where the system has no such pipes: Node's have to do. The caller closes both ends. */
	async take(): Promise<Pipe | undefined> {
		if (process.platform === 'win32') {
			return undefined;
		}
		if (this.#pipes.length === 0) {
			await this.#make();
		}
		const pipe = this.#pipes.pop();
		if (pipe !== undefined && this.#pipes.length < LOW) {
			void this.#make();
		}
		return pipe;
	}

	async #make(): Promise<void> {
		this.#making ??= this.#makeBatch()
			// Whatever is wrong (no mkfifo, a file system without them): Node's own pipes are nearly as good.
			.catch(() => undefined)
			.finally(() => {
				this.#making = undefined;
			});
		await this.#making;
	}

	async #makeBatch(): Promise<void> {
		await mkdir(this.#directory, { recursive: true, mode: 0o700 });
		const names = Array.from({ length: BATCH }, () => join(this.#directory, `pipe-${randomUUID()}`));
		await promisify(execFile)('mkfifo', ['-m', '600', ...names], { env: { PATH: '/usr/bin:/bin' } });
		for (const name of names) {
			// The reading end first, without blocking: the writing end can only be opened when there is a reader.
			const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
			const write = openSync(name, constants.O_WRONLY);
			unlinkSync(name);
			this.#pipes.push({ read, write });
		}
		if (this.#disposed) {
			this[Symbol.dispose]();
		}
	}

	[Symbol.dispose](): void {
		this.#disposed = true;
		for (const { read, write } of this.#pipes.splice(0)) {
			closeSync(read);
			closeSync(write);
		}
	}
}
