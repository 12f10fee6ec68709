import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type DecodedFile, decodeText } from './encodings.ts';
import { FileError } from './fileErrors.ts';
import type { FileStamp } from './fileTracker.ts';
import { openRegular } from './safeFiles.ts';

/** Bytes up to which a file is edited. Above, a program does it better. */
export const MAX_EDIT_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

export interface WholeFile {
	readonly content: DecodedFile;
	readonly stamp: FileStamp;
}

/**
 * Reads a whole regular file.
 * @param maxBytes more than that is refused, also where the size that the system tells is not true (`/proc`).
 * @throws {FileError} `tooLarge`, `directory`, `special`, `moved`; the system's error.
 */
export async function readWhole(real: string, maxBytes: number): Promise<WholeFile> {
	await using handle = await openRegular(real);
	const stats = await handle.stat();
	if (stats.size > maxBytes) {
		throw tooLarge(real, stats.size, maxBytes);
	}
	const bytes = await readUpTo(handle, maxBytes + 1, stats.size);
	if (bytes.length > maxBytes) {
		throw tooLarge(real, bytes.length, maxBytes);
	}
	const content = decodeText(bytes);
	return {
		content,
		stamp: {
			hash: content.kind === 'text' ? textHash(content.text) : hash('sha256', bytes),
			size: stats.size,
			mtimeMs: stats.mtimeMs,
		},
	};
}

/** The hash of a {@link FileStamp} for a text. */
export function textHash(text: string): string {
	return hash('sha256', text);
}

/** @returns `2.1 GB`, `40 kB`, `7 bytes`. */
export function sizeInWords(bytes: number): string {
	const units = ['kB', 'MB', 'GB', 'TB'];
	let value = bytes;
	let unit = 'bytes';
	for (const next of units) {
		if (value < 1000) {
			break;
		}
		value /= 1000;
		unit = next;
	}
	return unit === 'bytes' ? `${value} bytes` : `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

async function readUpTo(handle: FileHandle, limit: number, likely: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let total = 0;
	while (total < limit) {
		const room = Math.min(limit - total, Math.max(CHUNK_BYTES, likely - total));
		const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(room), 0, room, null);
		if (bytesRead === 0) {
			break;
		}
		chunks.push(buffer.subarray(0, bytesRead));
		total += bytesRead;
	}
	return Buffer.concat(chunks);
}

function tooLarge(real: string, size: number, maxBytes: number): FileError {
	return new FileError(
		'tooLarge',
		`${real} has ${sizeInWords(size)}: more than the ${sizeInWords(maxBytes)} that can be done at once.`,
	);
}
