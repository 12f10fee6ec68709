import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
	applyOutput,
	NO_OUTPUT,
	OUTPUT_LIMIT,
	outputLength,
	outputParts,
	type OutputText,
} from '../../../../webview/state/outputText.ts';

/** What a reader who keeps everything would have: undefined where nothing was sent. */
function model(deltas: readonly (readonly [number, string])[]): (string | undefined)[] {
	const all: (string | undefined)[] = [];
	for (const [offset, text] of deltas) {
		all.length = offset;
		all.push(...text.split(''));
	}
	return all;
}

function shown(output: OutputText): (string | undefined)[] {
	return outputParts(output).flatMap((part) =>
		'text' in part ? part.text.split('') : Array.from({ length: part.omitted }, () => undefined),
	);
}

describe('applyOutput', () => {
	it('replaces from the offset on, and shows holes as such', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.nat(40), fc.string({ minLength: 1, maxLength: 10 })), { maxLength: 10 }),
				(deltas) => {
					const output = deltas.reduce<OutputText>(
						(state, [offset, text]) => applyOutput(state, offset, text),
						NO_OUTPUT,
					);
					assert.deepEqual(shown(output), [...model(deltas)]);
				},
			),
		);
	});

	it('keeps the last 64 k characters of a flood', () => {
		let output: OutputText = NO_OUTPUT;
		for (let index = 0; index < 300; index++) {
			output = applyOutput(output, index * 1000, String(index % 10).repeat(1000));
		}
		assert.equal(outputLength(output), 300_000);
		const parts = outputParts(output);
		assert.deepEqual(parts[0], { omitted: 300_000 - OUTPUT_LIMIT });
		assert.equal('text' in (parts[1] ?? {}) && (parts[1] as { text: string }).text.length, OUTPUT_LIMIT);
	});

	it('shows as much as the card asks for, from the end', () => {
		assert.deepEqual(outputParts(applyOutput(NO_OUTPUT, 0, 'abcdef'), 2), [{ omitted: 4 }, { text: 'ef' }]);
	});
});
