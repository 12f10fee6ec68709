import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { decodeText, encodeText, UnencodableTextError } from '../../../src/files/encodings.ts';

describe('decodeText', () => {
	it('gives the same bytes back wherever it says that it is exact', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
				const decoded = decodeText(bytes);
				if (decoded.kind === 'text' && decoded.exact) {
					assert.ok(encodeText(decoded.text, decoded.format).equals(Buffer.from(bytes)));
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('gives back any text, in every format that can hold it', () => {
		const formats = fc.constantFrom(...['utf-8', 'utf-16le', 'utf-16be'].map((encoding) => ({ encoding, bom: true })), {
			encoding: 'utf-8',
			bom: false,
		});
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), formats, (raw, format) => {
				const text = raw.replaceAll('\0', '').replaceAll('\ufeff', '');
				const decoded = decodeText(encodeText(text, format));
				assert.deepEqual(decoded, { kind: 'text', text, format, exact: true });
			}),
		);
	});

	it('calls a file with a NUL byte binary', () => {
		assert.deepEqual(decodeText(Buffer.from('ab\0cd')), { kind: 'binary' });
		assert.deepEqual(decodeText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])), {
			kind: 'binary',
		});
		assert.deepEqual(decodeText(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])), { kind: 'binary' }, 'UTF-32');
	});

	it('keeps lone surrogates of UTF-16', () => {
		const bytes = Buffer.from([0xff, 0xfe, 0x61, 0, 0x3d, 0xd8, 0x62, 0]);
		const decoded = decodeText(bytes);
		assert.ok(decoded.kind === 'text' && decoded.exact);
		assert.ok(encodeText(decoded.text, decoded.format).equals(bytes));
	});

	it('says that damaged UTF-8 is not exact, and still shows it', () => {
		const damaged = Buffer.concat([
			Buffer.from('Grüße aus Köln, schöne Füße: über, süß, '.repeat(5)),
			Buffer.from([0xff, 0xc3]),
		]);
		const decoded = decodeText(damaged);
		assert.ok(decoded.kind === 'text' && !decoded.exact);
		assert.match(decoded.text, /^Grüße/);
	});

	it('says that an odd byte after UTF-16 is not exact', () => {
		const decoded = decodeText(Buffer.from([0xff, 0xfe, 0x61, 0, 0x62]));
		assert.ok(decoded.kind === 'text' && !decoded.exact);
	});
});

describe('encodeText', () => {
	it('names the character that the encoding has not', () => {
		assert.throws(
			() => encodeText('a→b', { encoding: 'ISO-8859-1', bom: false }),
			(error: Error) => {
				assert.ok(error instanceof UnencodableTextError);
				assert.match(error.message, /"→" \(U\+2192\)/);
				return true;
			},
		);
	});
});
