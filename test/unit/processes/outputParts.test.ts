import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Clock } from '../../../src/engine/ports/index.ts';
import { OutputDeltas } from '../../../src/processes/outputDeltas.ts';
import { OutputSpool } from '../../../src/processes/outputSpool.ts';
import { PausableTimer } from '../../../src/processes/pausableTimer.ts';
import { ScreenText } from '../../../src/processes/screenText.ts';

/** A clock that is moved by hand. */
class HandClock implements Clock {
	#now = 0;
	#timers: { readonly at: number; readonly callback: () => void }[] = [];

	now(): number {
		return this.#now;
	}

	after(ms: number, callback: () => void): Disposable {
		const timer = { at: this.#now + ms, callback };
		this.#timers.push(timer);
		return { [Symbol.dispose]: () => (this.#timers = this.#timers.filter((other) => other !== timer)) };
	}

	advance(ms: number): void {
		const end = this.#now + ms;
		for (;;) {
			const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
			if (next === undefined) {
				break;
			}
			this.#timers = this.#timers.filter((timer) => timer !== next);
			this.#now = next.at;
			next.callback();
		}
		this.#now = end;
	}
}

describe('output deltas', () => {
	/** What a card makes of deltas: pieces of text, with gaps where the middle was left out. */
	class Card {
		pieces: { readonly at: number; readonly text: string }[] = [];
		readonly deltas: { readonly offset: number; readonly length: number }[] = [];

		readonly take = (offset: number, text: string) => {
			this.deltas.push({ offset, length: text.length });
			const kept = this.pieces
				.filter(({ at }) => at < offset)
				.map(({ at, text }) => ({ at, text: text.slice(0, offset - at) }));
			this.pieces = [...kept, { at: offset, text }];
		};

		get end(): number {
			const last = this.pieces.at(-1);
			return last === undefined ? 0 : last.at + last.text.length;
		}
	}

	const bench = () => {
		const clock = new HandClock();
		const deltas = new OutputDeltas(clock);
		let full = '';
		const screen = new ScreenText((text) => {
			full += text;
			deltas.committed(text);
		});
		deltas.attach(screen);
		const card = new Card();
		deltas.subscribe(card.take);
		const write = (text: string) => {
			screen.write(text);
			deltas.changed();
		};
		return { clock, deltas, card, write, text: () => full + screen.rest };
	};

	it('come together, at most one flush in 16 to 50 ms', () => {
		const { clock, card, write } = bench();
		for (let index = 0; index < 100; index++) {
			write('x');
			clock.advance(1);
		}
		clock.advance(50);
		assert.ok(card.deltas.length >= 2 && card.deltas.length <= 7, String(card.deltas.length));
		assert.equal(card.end, 100);
	});

	it('leave out the middle of a flood, with a jump of the offset, and at most 64 k characters are sent', () => {
		const { clock, card, write, text } = bench();
		write(`${'first line\n'.repeat(3)}${'y\n'.repeat(500_000)}last line`);
		clock.advance(50);
		assert.equal(card.deltas.length, 2);
		assert.ok(card.deltas.reduce((sum, { length }) => sum + length, 0) <= 64 * 1024);
		assert.equal(card.end, text().length);
		assert.ok((card.deltas[1]?.offset ?? 0) > (card.deltas[0]?.length ?? 0));
	});

	it('show what a terminal shows, but for what was left out (property)', () => {
		const texts = {
			...{
				word: 'ab',
				line: 'c\n',
				return: '\r',
				up: '\x1b[1A',
				erase: '\x1b[2K',
				below: '\x1b[J',
				lines: 'x\n'.repeat(100),
			},
			...{
				longRow: 'y'.repeat(20_000),
				middle: '\x1b[9000G',
				flood: 'z\n'.repeat(60_000),
				flood2: 'w\n'.repeat(30_000),
			},
		};
		const piece = fc.constantFrom(...(Object.keys(texts) as (keyof typeof texts)[]));
		fc.assert(
			fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 12 }), (pieces) => {
				const { clock, card, write, text } = bench();
				for (const [name, pause] of pieces) {
					write(texts[name]);
					clock.advance(pause ? 50 : 0);
				}
				clock.advance(50);
				const shown = text();
				assert.equal(card.end, shown.length);
				for (const { at, text: known } of card.pieces) {
					assert.ok(shown.startsWith(known, at), `differs after ${at} of ${shown.length}`);
				}
			}),
		);
	});
});

describe('the kept output', () => {
	let folder: string;
	before(() => {
		folder = mkdtempSync(join(tmpdir(), 'belay-spool-'));
	});
	after(() => rmSync(folder, { recursive: true }));

	it('is all of it, or its beginning and its end, in any sizes (property)', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 30 }), async (pieces) => {
				await using spool = new OutputSpool(folder, { memory: 20, head: 50, tail: 40 });
				pieces.forEach((text) => spool.append(text));
				await spool.drained();
				const whole = Buffer.from(pieces.join(''));
				const kept = await spool.text();
				if (whole.length <= 90) {
					assert.equal(kept, whole.toString());
					return;
				}
				const [, beginning = '', missing, end = ''] =
					/^([^]*)\n\[(\d+) bytes of output were left out here\]\n([^]*)$/.exec(kept) ?? [];
				assert.equal(Number(missing), whole.length - 90);
				assert.ok(whole.subarray(0, 50).toString().startsWith(beginning) && Buffer.byteLength(beginning) > 46);
				assert.ok(whole.subarray(-40).toString().endsWith(end) && Buffer.byteLength(end) > 36);
			}),
		);
		assert.deepEqual(readdirSync(folder), []);
	});

	it('says what was lost when the disk takes no more', async () => {
		const file = join(folder, 'file');
		writeFileSync(file, '');
		await using spool = new OutputSpool(join(file, 'below'), { memory: 10, head: 50, tail: 50 });
		spool.append('x'.repeat(30));
		assert.match(await spool.text(), /could not be kept: .*file/);
	});
});

describe('a timer that can be paused', () => {
	it('counts only the time in which nobody holds a pause', () => {
		const clock = new HandClock();
		let rang = 0;
		const timer = new PausableTimer(clock, 100, () => rang++);
		clock.advance(60);
		const [one, two] = [timer.pause(), timer.pause()];
		clock.advance(1000);
		one[Symbol.dispose]();
		one[Symbol.dispose]();
		clock.advance(1000);
		assert.equal(rang, 0);
		two[Symbol.dispose]();
		clock.advance(39);
		assert.equal(rang, 0);
		clock.advance(1);
		assert.equal(rang, 1);
		timer.pause()[Symbol.dispose]();
		clock.advance(1000);
		assert.equal(rang, 1);
	});
});
