import assert from 'node:assert/strict';
import fc from 'fast-check';
import { STREAM_CASES } from './corpus/streams.ts';
import { runStream, type Seen } from './harness.ts';

const encoder = new TextEncoder();
const STREAMS = STREAM_CASES.map(({ sse }) => encoder.encode(sse)).filter((bytes) => bytes.length > 0);

/** What can happen to bytes on the way: cut off, a part lost, doubled or overwritten. */
type Damage = { readonly kind: 'cut' | 'lose' | 'double' | 'overwrite'; readonly at: number; readonly length: number };

const damage: fc.Arbitrary<Damage> = fc.record({
	kind: fc.constantFrom('cut', 'lose', 'double', 'overwrite'),
	at: fc.double({ min: 0, max: 1, noNaN: true }),
	length: fc.nat({ max: 40 }),
});

function apply(bytes: Uint8Array, { kind, at, length }: Damage): Uint8Array {
	const from = Math.floor(at * bytes.length);
	const to = Math.min(bytes.length, from + length);
	const [before, part, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
	switch (kind) {
		case 'cut':
			return before;
		case 'lose':
			return Buffer.concat([before, after]);
		case 'double':
			return Buffer.concat([before, part, part, after]);
		case 'overwrite':
			return Buffer.concat([before, Buffer.alloc(part.length, '}'), after]);
	}
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
	const places = [...new Set(cuts.map((cut) => Math.floor(cut * bytes.length)))].sort((a, b) => a - b);
	return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

/** Whatever came: calls are whole, the end comes once and last, and never with an error. */
function checkSound(seen: Seen): void {
	for (const call of seen.calls) {
		assert.doesNotThrow(() => JSON.parse(call.args) as unknown, call.args);
		assert.ok(call.name !== '' && call.callId !== '');
	}
	assert.equal(new Set(seen.calls.map((call) => call.callId)).size, seen.calls.length);
	const ends = seen.events.filter((event) => event.type === 'finished').length;
	assert.equal(ends, seen.error ? 0 : 1);
	assert.ok(seen.error || seen.events.at(-1)?.type === 'finished');
}

describe('streams, whatever happens to them', () => {
	const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

	it('damaged ones never hang, throw only model errors, and yield no half call', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...STREAMS),
				fc.array(damage, { minLength: 1, maxLength: 3 }),
				cuts,
				async (bytes, damages, places) => {
					// `collect` lets only ModelErrors pass.
					checkSound(await runStream(split(damages.reduce(apply, bytes), places)));
				},
			),
			{ numRuns: 2000 },
		);
	}).timeout(30_000);

	it('say the same however the network cuts them', async () => {
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...STREAMS), cuts, async (bytes, places) => {
				const [whole, pieces] = [await runStream([bytes]), await runStream(split(bytes, places))];
				assert.deepEqual(pieces.events, whole.events);
				assert.equal(pieces.error?.message, whole.error?.message);
			}),
			{ numRuns: 300 },
		);
	}).timeout(30_000);
});
