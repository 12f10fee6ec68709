import { Buffer } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

/** How a text stands on the disk. `encoding` is a name that iconv-lite knows; `utf-8` and `utf-16le`/`be` are the common ones. */
export interface TextFormat {
	readonly encoding: string;
	readonly bom: boolean;
}

export const UTF8: TextFormat = { encoding: 'utf-8', bom: false };

export type DecodedFile =
	| {
			readonly kind: 'text';
			/** Without the byte order mark. */
			readonly text: string;
			readonly format: TextFormat;
			/** Encoding `text` again gives the very same bytes. An inexact text may be shown, never written. */
			readonly exact: boolean;
	  }
	| { readonly kind: 'binary' };

/** A text has characters that its file's encoding can't express. The message names one, and the remedy. */
export class UnencodableTextError extends Error {
	constructor(character: string, encoding: string) {
		const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
		super(
			`The file is in ${encoding}, which can't express "${character}" (U+${code}). ` +
				'Use other characters, or convert the file to UTF-8 first.',
		);
		this.name = 'UnencodableTextError';
	}
}

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16LE_BOM = Buffer.from([0xff, 0xfe]);
const UTF16BE_BOM = Buffer.from([0xfe, 0xff]);
/** Bytes that the guess of a legacy encoding looks at. More doesn't make it better, and costs 1 ms per 20 kB. */
const GUESS_BYTES = 64 * 1024;
/** As VS Code does: UTF-16 without a mark is recognised by where its zero bytes stand in the first bytes. */
const UTF16_SAMPLE_BYTES = 512;
/** The share of its units that have a zero byte, from which a file counts as UTF-16: mostly letters of European languages. */
const UTF16_ZEROS = 0.7;
/** So many good characters for each bad byte make a file UTF-8 with damage; in other encodings they are rare. */
const UTF8_GOOD_PER_BAD = 4;

/**
 * Decodes a whole file. Order (spec/libraries.md): byte order marks, UTF-16 without one, NUL means binary, strict
 * UTF-8, then the best guess among legacy encodings that gives the same bytes back.
 */
export function decodeText(bytes: Uint8Array): DecodedFile {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const format = detectFormat(buffer);
	if (format === undefined) {
		return { kind: 'binary' };
	}
	const text = decodeBody(buffer.subarray(bomLength(format)), format.encoding);
	if (format.encoding.startsWith('utf-16') && text.includes('\0')) {
		return { kind: 'binary' };
	}
	return { kind: 'text', text, format, exact: isExact(text, format, buffer) };
}

/**
 * Tells how a file's text is encoded, by its first bytes or all of them.
 * @returns undefined for a binary file.
 */
export function detectFormat(bytes: Uint8Array): TextFormat | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const marked = formatByMark(buffer);
	if (marked !== undefined) {
		return marked;
	}
	const wide = utf16WithoutMark(buffer);
	if (wide !== undefined) {
		return { encoding: wide, bom: false };
	}
	if (buffer.includes(0)) {
		return undefined;
	}
	return isUtf8(buffer) ? UTF8 : { encoding: guessLegacy(buffer) ?? 'utf-8', bom: false };
}

/**
 * Encodes a text as its file was.
 * @throws {UnencodableTextError} when the encoding can't express it.
 */
export function encodeText(text: string, format: TextFormat): Buffer {
	const body = encodeBody(text, format.encoding);
	if (
		format.encoding === 'utf-8' ? !text.isWellFormed() : !isUtf16(format.encoding) && !expresses(text, body, format)
	) {
		throw new UnencodableTextError(firstUnencodable(text, format.encoding), format.encoding);
	}
	return Buffer.concat([bomOf(format), body]);
}

/** @returns the number of bytes that the byte order mark takes. */
export function bomLength(format: TextFormat): number {
	return bomOf(format).length;
}

/** Decodes bytes without a byte order mark. Bytes that don't fit become U+FFFD. */
export function decodeBody(bytes: Uint8Array, encoding: string): string {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	switch (encoding) {
		case 'utf-8':
			return buffer.toString('utf8');
		// Buffer keeps lone surrogates, which TextDecoder would replace.
		case 'utf-16le':
			return buffer.toString('utf16le');
		case 'utf-16be':
			return Buffer.from(evenPart(buffer)).swap16().toString('utf16le');
		default:
			return iconv.decode(buffer, encoding, { stripBOM: false });
	}
}

function encodeBody(text: string, encoding: string): Buffer {
	switch (encoding) {
		case 'utf-8':
			return Buffer.from(text, 'utf8');
		case 'utf-16le':
			return Buffer.from(text, 'utf16le');
		case 'utf-16be':
			return Buffer.from(text, 'utf16le').swap16();
		default:
			return iconv.encode(text, encoding);
	}
}

function formatByMark(buffer: Buffer): TextFormat | undefined {
	if (startsWith(buffer, UTF8_BOM)) {
		return buffer.includes(0) ? undefined : { encoding: 'utf-8', bom: true };
	}
	// FF FE 00 00 is UTF-32: it falls through to the NUL check.
	if (startsWith(buffer, UTF16LE_BOM) && !(buffer.length >= 4 && buffer.readUInt16LE(2) === 0)) {
		return { encoding: 'utf-16le', bom: true };
	}
	return startsWith(buffer, UTF16BE_BOM) ? { encoding: 'utf-16be', bom: true } : undefined;
}

function utf16WithoutMark(buffer: Buffer): string | undefined {
	const sample = evenPart(buffer.subarray(0, UTF16_SAMPLE_BYTES));
	const zeros = [0, 0] as [number, number];
	for (const [index, byte] of sample.entries()) {
		if (byte === 0) {
			zeros[index % 2 === 0 ? 0 : 1]++;
		}
	}
	const [atEven, atOdd] = zeros;
	if ((atEven > 0 && atOdd > 0) || Math.max(atEven, atOdd) < (sample.length / 2) * UTF16_ZEROS || sample.length < 4) {
		return undefined;
	}
	const encoding = atOdd > 0 ? 'utf-16le' : 'utf-16be';
	return /[\u0000-\u0008\u000b\u000e-\u001f\ufffe\uffff]/.test(decodeBody(sample, encoding)) ? undefined : encoding;
}

function isUtf8(buffer: Buffer): boolean {
	try {
		// `stream`: a character that the end of a sample cuts in two is no fault.
		new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(buffer, { stream: true });
		return true;
	} catch {
		return false;
	}
}

/** @returns undefined where no encoding gives the bytes back, or where the file is UTF-8 with damage. */
function guessLegacy(buffer: Buffer): string | undefined {
	const firstHigh = buffer.findIndex((byte) => byte >= 0x80);
	const start = Math.max(0, firstHigh - 1024);
	const sample = buffer.subarray(start, start + GUESS_BYTES);
	if (isDamagedUtf8(sample)) {
		return undefined;
	}
	for (const { name } of chardet.analyse(sample)) {
		if (name !== 'ASCII' && !name.startsWith('UTF-') && iconv.encodingExists(name)) {
			const text = iconv.decode(buffer, name, { stripBOM: false });
			// C1 controls and private characters: the guess is wrong.
			if (
				!/[\u0080-\u009f\ufffd\ue000-\uf8ff]/.test(text.slice(0, GUESS_BYTES)) &&
				iconv.encode(text, name).equals(buffer)
			) {
				return name;
			}
		}
	}
	return undefined;
}

function isDamagedUtf8(sample: Buffer): boolean {
	const beyondAscii = sample.toString('utf8').match(/[^\u0000-\u007f]/gu) ?? [];
	const bad = beyondAscii.filter((character) => character === '\ufffd').length;
	return beyondAscii.length - bad >= bad * UTF8_GOOD_PER_BAD;
}

function isExact(text: string, format: TextFormat, buffer: Buffer): boolean {
	return encodeBody(text, format.encoding).equals(buffer.subarray(bomLength(format)));
}

function expresses(text: string, body: Buffer, format: TextFormat): boolean {
	return decodeBody(body, format.encoding) === text;
}

function firstUnencodable(text: string, encoding: string): string {
	for (const character of text) {
		const isLost =
			encoding === 'utf-8'
				? !character.isWellFormed()
				: decodeBody(encodeBody(character, encoding), encoding) !== character;
		if (isLost) {
			return character;
		}
	}
	return '\ufffd';
}

function bomOf(format: TextFormat): Buffer {
	if (!format.bom) {
		return Buffer.alloc(0);
	}
	return format.encoding === 'utf-8' ? UTF8_BOM : format.encoding === 'utf-16le' ? UTF16LE_BOM : UTF16BE_BOM;
}

function isUtf16(encoding: string): boolean {
	return encoding.startsWith('utf-16');
}

function evenPart(buffer: Buffer): Buffer {
	return buffer.subarray(0, buffer.length - (buffer.length % 2));
}

function startsWith(buffer: Buffer, mark: Buffer): boolean {
	return buffer.subarray(0, mark.length).equals(mark);
}
