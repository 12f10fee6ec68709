import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import * as nodePath from 'node:path';

/** ripgrep could not do what it was asked. The message is its own, without its advice on its options. */
export class RipgrepError extends Error {
	constructor(message: string) {
		super(message);
		this.name = 'RipgrepError';
	}
}

export interface RipgrepOptions {
	readonly cwd: string;
	readonly signal: AbortSignal;
	/** What ends a record: `\n` for matches, `\0` for file names. */
	readonly separator: '\n' | '\0';
}

/** Bytes of one record that are kept: a match in a line of a minified bundle needs no more. */
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_STDERR_BYTES = 8 * 1024;

/**
 * Looks for the ripgrep binary: `native/rg` in one of the directories (the packaged extension), else the npm package of
 * this platform as seen from them (a checkout).
 * @param directories absolute: where the bundle lies.
 * @returns its path, or undefined where there is none.
 */
export function findRipgrep(directories: readonly string[]): string | undefined {
	const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
	for (const directory of directories) {
		const bundled = nodePath.join(directory, 'native', name);
		if (isExecutable(bundled)) {
			return bundled;
		}
	}
	for (const directory of directories) {
		try {
			const from = createRequire(nodePath.join(directory, 'index.js'));
			return from.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
		} catch {
			// Not installed as seen from there.
		}
	}
	return undefined;
}

/** Runs the ripgrep binary. */
export class Ripgrep {
	readonly #binary: string | undefined;

	/** @param binary what {@link findRipgrep} found. */
	constructor(binary: string | undefined) {
		this.#binary = binary;
	}

	/**
	 * Runs a search, and yields its records as they come. Leaving the loop kills it; no process is left behind.
	 * @throws {RipgrepError} when it fails without a record; the signal's reason when aborted.
	 */
	async *records(args: readonly string[], { cwd, signal, separator }: RipgrepOptions): AsyncGenerator<string> {
		if (this.#binary === undefined) {
			throw new RipgrepError(
				'The search program (ripgrep) is missing from this installation. Reinstall the extension.',
			);
		}
		signal.throwIfAborted();
		const child = spawn(this.#binary, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
		const ended = new Promise<number | Error>((resolve) => {
			child.once('error', resolve);
			child.once('close', (code) => resolve(code ?? -1));
		});
		const kill = () => child.kill('SIGKILL');
		signal.addEventListener('abort', kill, { once: true });
		let stderr = '';
		child.stderr.setEncoding('utf8').on('data', (text: string) => {
			stderr = stderr.length < MAX_STDERR_BYTES ? stderr + text : stderr;
		});
		let count = 0;
		try {
			for await (const record of splitRecords(child.stdout as AsyncIterable<Buffer>, separator)) {
				signal.throwIfAborted();
				count++;
				yield record;
			}
			const end = await ended;
			signal.throwIfAborted();
			// 1: nothing found; 2: something went wrong, maybe with one file of many.
			if (end instanceof Error || (count === 0 && end !== 0 && end !== 1 && stderr.trim() !== '')) {
				throw new RipgrepError(end instanceof Error ? end.message : shortMessage(stderr));
			}
		} finally {
			signal.removeEventListener('abort', kill);
			kill();
			await ended;
		}
	}
}

async function* splitRecords(chunks: AsyncIterable<Buffer>, separator: string): AsyncGenerator<string> {
	const end = separator.charCodeAt(0);
	let pending: Buffer[] = [];
	let pendingBytes = 0;
	const keep = (part: Buffer) => {
		if (pendingBytes < MAX_RECORD_BYTES) {
			pending.push(part.subarray(0, MAX_RECORD_BYTES - pendingBytes));
			pendingBytes += part.length;
		}
	};
	const take = () => {
		const record = Buffer.concat(pending).toString('utf8');
		pending = [];
		pendingBytes = 0;
		return record;
	};
	for await (const chunk of chunks) {
		let from = 0;
		for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, from)) {
			keep(chunk.subarray(from, at));
			yield take();
			from = at + 1;
		}
		keep(chunk.subarray(from));
	}
	if (pendingBytes > 0) {
		yield take();
	}
}

function shortMessage(stderr: string): string {
	return stderr
		.replace(/^rg: /gm, '')
		.replace(/\n\s*\n[\s\S]*--(?:multiline|fixed-strings|pcre2|engine)[\s\S]*$/, '')
		.trim();
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
