import assert from 'node:assert/strict';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { decodeText, encodeText } from '../../../src/files/encodings.ts';
import { applyReplacements, type Replacement } from '../../../src/files/textEdits.ts';
import { EDIT_CASES } from './editCorpus.ts';

/** A file's bytes, made by other code than the one under test. */
function bytesOf(text: string, encoding = 'utf-8'): Buffer {
	const [name = '', mark] = encoding.split('+');
	return iconv.encode(mark === undefined ? text : `\ufeff${text}`, name, { addBOM: false });
}

function edit(
	bytes: Buffer,
	replacements: readonly Replacement[],
): { bytes: Buffer; notes: readonly string[] } | string {
	const decoded = decodeText(bytes);
	assert.ok(decoded.kind === 'text' && decoded.exact, 'decoded without loss');
	const outcome = applyReplacements(decoded.text, replacements);
	if (!outcome.ok) {
		return outcome.error;
	}
	try {
		return { bytes: encodeText(outcome.text, decoded.format), notes: outcome.notes };
	} catch (error) {
		return (error as Error).message;
	}
}

const one = (oldText: string, newText: string, replaceAll = false): Replacement[] => [{ oldText, newText, replaceAll }];

describe('applyReplacements', () => {
	describe('on a corpus of files', () => {
		for (const { name, file, encoding, edits, after, note } of EDIT_CASES) {
			it(name, () => {
				const replacements = edits.map(([oldText, newText, all]) => ({ oldText, newText, replaceAll: all === 'all' }));
				const result = edit(bytesOf(file, encoding), replacements);
				if (after instanceof RegExp) {
					assert.ok(typeof result === 'string', 'it should have failed');
					assert.match(result, after);
					return;
				}
				assert.ok(typeof result !== 'string', typeof result === 'string' ? result : undefined);
				assert.ok(result.bytes.equals(bytesOf(after, encoding)), JSON.stringify(result.bytes.toString().slice(0, 300)));
				assert.match(result.notes.join('\n'), note ?? /(?:)/);
			});
		}
		it('has at least 60 rows', () => assert.ok(EDIT_CASES.length >= 60));
	});

	describe('always', () => {
		const piece = fc.string({
			unit: fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r\n', '\r', 'é', '漢', '😀', '$&', '&amp;'),
			maxLength: 30,
		});
		const encodings = fc.constantFrom('utf-8', 'utf-8+bom', 'utf-16le+bom', 'utf-16be+bom');

		it('changes only the bytes of its span', () => {
			fc.assert(
				fc.property(piece, piece, piece, encodings, (before, replacement, after, encoding) => {
					// Marks that stand nowhere else make the match exact, and the place known.
					const result = edit(bytesOf(`${before}<<old>>${after}`, encoding), one('<<old>>', `<<${replacement}>>`));
					assert.ok(typeof result !== 'string');
					const head = bytesOf(`${before}<<`, encoding);
					const tail = bytesOf(`>>${after}`, encoding.replace('+bom', ''));
					assert.ok(result.bytes.subarray(0, head.length).equals(head), 'the bytes before');
					assert.ok(result.bytes.subarray(-tail.length).equals(tail), 'the bytes after');
				}),
				{ numRuns: 500 },
			);
		});

		it('takes no line end into a file that has only one kind', () => {
			const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 5 }), {
				minLength: 1,
				maxLength: 8,
			});
			fc.assert(
				fc.property(
					lines,
					lines,
					fc.constantFrom('\n', '\r\n'),
					fc.constantFrom('\n', '\r\n'),
					(file, next, own, given) => {
						const text = ['<<', ...file, '>>', 'end', ''].join(own);
						const outcome = applyReplacements(
							text,
							one(['<<', ...file, '>>'].join(given), ['[[', ...next, ']]'].join(given)),
						);
						assert.ok(outcome.ok);
						assert.equal(outcome.text, ['[[', ...next, ']]', 'end', ''].join(own));
					},
				),
			);
		});

		it('leaves a text as it is when old and new are the same', () => {
			fc.assert(
				fc.property(piece, fc.nat(), fc.nat(), (text, from, length) => {
					const start = from % (text.length + 1);
					const part = text.slice(start, start + (length % (text.length + 1)));
					const outcome = applyReplacements(text, one(part, part, true));
					assert.ok(!outcome.ok || outcome.text === text);
				}),
				{ numRuns: 500 },
			);
		});
	});

	it('does not take longer than the size of the file asks for when nothing is like it', () => {
		const text = Array.from({ length: 60_000 }, (_, index) => `\tconst value${index} = compute(${index});`).join(
			'\r\n',
		);
		// About 0.2 s alone; comparing every line with every other would take minutes.
		const started = performance.now();
		assert.ok(!applyReplacements(text, one('function somethingElse() {\n\treturn;\n}', '')).ok);
		assert.ok(performance.now() - started < 5000);
	});
});
