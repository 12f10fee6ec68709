import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Sizes in bytes of UTF-8. */
export interface SpoolLimits {
	/** Up to this much is kept in memory, and no file is made. */
	readonly memory: number;
	/** Of more than `head + tail`, the middle is left out. DESIGN.md, Commands: 10 MB in all. */
	readonly head: number;
	readonly tail: number;
}
const DEFAULT_LIMITS: SpoolLimits = { memory: 1024 * 1024, head: 5 * 1024 * 1024, tail: 5 * 1024 * 1024 };

/**
 * Keeps a command's output: small ones in memory, larger ones in a file of a fixed size, of which the first part holds
 * the beginning and the second is a ring that holds the end. Where the system allows it the file has no name while it
 * is open, so a killed host leaves nothing behind.
 */
export class OutputSpool implements AsyncDisposable {
	readonly #directory: string;
	readonly #limits: SpoolLimits;
	#memory: Buffer[] = [];
	#total = 0;
	#backlog = 0;
	#file: Promise<FileHandle> | undefined;
	#path: string | undefined;
	#writing: Promise<void> = Promise.resolve();
	#written = 0;
	#error: Error | undefined;
	#disposed = false;

	constructor(directory: string, limits: SpoolLimits = DEFAULT_LIMITS) {
		this.#directory = directory;
		this.#limits = limits;
	}

	/** Bytes that are not yet on the disk although they should be: the writer is to wait when this grows. */
	get backlog(): number {
		return this.#backlog;
	}

	append(text: string): void {
		const bytes = Buffer.from(text);
		this.#total += bytes.length;
		if (this.#error !== undefined || this.#disposed || bytes.length === 0) {
			return;
		}
		if (this.#file === undefined && this.#total <= this.#limits.memory) {
			this.#memory.push(bytes);
			return;
		}
		const waiting = [...this.#memory, bytes];
		this.#memory = [];
		this.#file ??= this.#create();
		for (const chunk of waiting) {
			this.#backlog += chunk.length;
			this.#writing = this.#writing.then(() => this.#write(chunk));
		}
	}

	/** Waits until all that was appended is kept. */
	async drained(): Promise<void> {
		await this.#writing;
	}

	/** @returns all of it; of more than the limits allow, beginning and end with a line that says how much is missing. */
	async text(): Promise<string> {
		await this.#writing;
		if (this.#file === undefined || this.#error !== undefined) {
			const note = this.#error === undefined ? '' : `\n[The rest could not be kept: ${this.#error.message}]\n`;
			return Buffer.concat(this.#memory).toString('utf8') + note;
		}
		const file = await this.#file;
		const { head, tail } = this.#limits;
		const beginning = await readAt(file, 0, Math.min(this.#written, head));
		const inRing = Math.max(0, this.#written - head);
		if (inRing <= tail) {
			return Buffer.concat([beginning, await readAt(file, head, inRing)]).toString('utf8');
		}
		const seam = inRing % tail;
		const end = Buffer.concat([await readAt(file, head + seam, tail - seam), await readAt(file, head, seam)]);
		const missing = inRing - tail;
		return `${wholeCharacters(beginning)}\n[${missing} bytes of output were left out here]\n${wholeCharacters(end)}`;
	}

	async #create(): Promise<FileHandle> {
		await mkdir(this.#directory, { recursive: true, mode: 0o700 });
		const path = join(this.#directory, `output-${randomUUID()}`);
		const file = await open(path, 'wx+', 0o600);
		if (process.platform === 'win32') {
			this.#path = path;
		} else {
			await unlink(path);
		}
		return file;
	}

	async #write(chunk: Buffer): Promise<void> {
		try {
			const file = await this.#file;
			const { head, tail } = this.#limits;
			for (let done = 0; done < chunk.length && file !== undefined;) {
				const inRing = this.#written - head;
				const position = inRing < 0 ? this.#written : head + (inRing % tail);
				const room = inRing < 0 ? head - this.#written : tail - (inRing % tail);
				const length = Math.min(room, chunk.length - done);
				await file.write(chunk, done, length, position);
				this.#written += length;
				done += length;
			}
		} catch (error) {
			this.#error ??= error instanceof Error ? error : new Error(String(error));
		} finally {
			this.#backlog -= chunk.length;
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#disposed = true;
		await this.#writing;
		this.#memory = [];
		try {
			await (await this.#file)?.close();
			if (this.#path !== undefined) {
				await unlink(this.#path);
			}
		} catch {
			// A file that was never made, or is gone, needs no removal.
		}
	}
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
	const buffer = Buffer.alloc(length);
	let done = 0;
	while (done < length) {
		const { bytesRead } = await file.read(buffer, done, length - done, position + done);
		if (bytesRead === 0) {
			break;
		}
		done += bytesRead;
	}
	return buffer.subarray(0, done);
}

/** Text of bytes that may begin or end within a character: such a part is dropped. */
function wholeCharacters(bytes: Buffer): string {
	let start = 0;
	while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) {
		start++;
	}
	return new TextDecoder().decode(bytes.subarray(start), { stream: true });
}
