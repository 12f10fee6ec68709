import type { FileHandle } from 'node:fs/promises';
import { bomLength, decodeBody, detectFormat, type TextFormat } from './encodings.ts';
import { openRegular } from './safeFiles.ts';

/** A stretch of lines of a file that is too large to be read whole. */
export type LineWindow =
	| {
			readonly kind: 'text';
			/** With line ends; cut where `maxBytes` was reached. */
			readonly text: string;
			readonly format: TextFormat;
			/** The file ends with this text. */
			readonly isEnd: boolean;
			/** The number of the file's lines before the text, where the file ended before the wanted line. */
			readonly linesBefore: number;
			readonly size: number;
			readonly mtimeMs: number;
	  }
	| { readonly kind: 'binary'; readonly size: number };

const LINE_FEED = 10;
const CHUNK_BYTES = 1024 * 1024;
/** Bytes at the start by which encoding and binary files are told. */
const SAMPLE_BYTES = 64 * 1024;

/**
 * Reads lines out of a file of any size, in memory of a few MB. Only LF and CRLF count as line ends.
 * @param startLine 1-based.
 * @throws {FileError} `directory`, `special`, `moved`; the system's error; the signal's reason.
 */
export async function readLineWindow(
	real: string,
	range: { readonly startLine: number; readonly lines: number; readonly maxBytes: number },
	signal: AbortSignal,
): Promise<LineWindow> {
	await using handle = await openRegular(real);
	const { size, mtimeMs } = await handle.stat();
	// One buffer for all chunks: memory that is new for each would be most of the work.
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	const sample = await readAt(handle, 0, buffer.subarray(0, SAMPLE_BYTES));
	const format = detectFormat(sample);
	if (format === undefined) {
		return { kind: 'binary', size };
	}
	const scanner = new LineScanner(format, range);
	let position = bomLength(format);
	while (!scanner.isDone) {
		signal.throwIfAborted();
		const chunk = await readAt(handle, position, buffer);
		if (chunk.length === 0) {
			break;
		}
		position += chunk.length;
		scanner.push(chunk);
	}
	return { kind: 'text', ...scanner.result(), format, size, mtimeMs };
}

/** Counts line feeds in bytes, and keeps the bytes of the wanted lines. */
class LineScanner {
	readonly #format: TextFormat;
	readonly #startLine: number;
	readonly #maxBytes: number;
	#skip: number;
	#want: number;
	readonly #kept: Buffer[] = [];
	#keptBytes = 0;
	isDone = false;

	constructor(format: TextFormat, range: { startLine: number; lines: number; maxBytes: number }) {
		this.#format = format;
		this.#startLine = range.startLine;
		this.#skip = range.startLine - 1;
		this.#want = range.lines;
		this.#maxBytes = range.maxBytes;
	}

	push(chunk: Buffer): void {
		let from = 0;
		for (; this.#skip > 0; this.#skip--) {
			const next = this.#afterFeed(chunk, from);
			if (next < 0) {
				return;
			}
			from = next;
		}
		let to = from;
		for (; this.#want > 0; this.#want--) {
			const next = this.#afterFeed(chunk, to);
			if (next < 0 || next - from > this.#maxBytes - this.#keptBytes) {
				to = next < 0 ? chunk.length : next;
				break;
			}
			to = next;
		}
		// A multiple of 4 divides no UTF-16 unit.
		const room = (this.#maxBytes - this.#keptBytes) & ~3;
		const kept = chunk.subarray(from, Math.min(to, from + room));
		this.#kept.push(Buffer.from(kept));
		this.#keptBytes += kept.length;
		this.isDone = this.#want === 0 || kept.length < chunk.length - from;
	}

	result() {
		return {
			text: decodeBody(Buffer.concat(this.#kept), this.#format.encoding),
			isEnd: !this.isDone,
			linesBefore: this.#startLine - 1 - this.#skip,
		};
	}

	/** Looks for single bytes, which is four times faster than for sequences. Chunks are even, and so are units' offsets. */
	#afterFeed(chunk: Buffer, from: number): number {
		for (let at = chunk.indexOf(LINE_FEED, from); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
			switch (this.#format.encoding) {
				case 'utf-16le':
					if (at % 2 === 0 && chunk[at + 1] === 0) {
						return at + 2;
					}
					break;
				case 'utf-16be':
					if (at % 2 === 1 && chunk[at - 1] === 0) {
						return at + 1;
					}
					break;
				default:
					return at + 1;
			}
		}
		return -1;
	}
}

async function readAt(handle: FileHandle, position: number, buffer: Buffer): Promise<Buffer> {
	const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
	return buffer.subarray(0, bytesRead);
}
