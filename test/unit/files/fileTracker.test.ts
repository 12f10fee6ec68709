import assert from 'node:assert/strict';
import { type FileStamp, FileTracker } from '../../../src/files/fileTracker.ts';

const stamp = (hash: string | undefined, size = 1, mtimeMs = 1): FileStamp => ({ hash, size, mtimeMs });
const A = stamp('a');
const B = stamp('b');

describe('FileTracker', () => {
	it('tells a file that changed since it was read from one that was only touched', () => {
		const tracker = new FileTracker();
		assert.equal(tracker.freshness('/f', A), 'unread');
		tracker.noteRead('/f', A, 'all', true);
		assert.equal(tracker.freshness('/f', stamp('a', 1, 99)), 'fresh');
		assert.equal(tracker.freshness('/f', stamp('b', 1, 1)), 'changed');
	});

	it('goes by size and time for a file that was too large to be read whole', () => {
		const tracker = new FileTracker();
		tracker.noteRead('/f', stamp(undefined, 5, 5), '1', false);
		assert.equal(tracker.freshness('/f', stamp(undefined, 5, 5)), 'fresh');
		assert.equal(tracker.freshness('/f', stamp('x', 5, 6)), 'changed');
	});

	it('knows what it wrote itself', () => {
		const tracker = new FileTracker();
		tracker.noteRead('/f', A, 'all', true);
		tracker.noteWritten('/f', B, { before: A, isWhole: false });
		assert.equal(tracker.freshness('/f', B), 'fresh');
		assert.ok(tracker.knowsWhole('/f', B));
		assert.ok(!tracker.wasShown('/f', 'all', B));
	});

	it('does not know all of a file of which it read a part', () => {
		const tracker = new FileTracker();
		tracker.noteRead('/f', A, '1-2', false);
		assert.ok(!tracker.knowsWhole('/f', A));
		tracker.noteRead('/f', A, 'all', true);
		tracker.noteRead('/f', A, '1-2', false);
		assert.ok(tracker.knowsWhole('/f', A));
		tracker.noteRead('/f', B, '1-2', false);
		assert.ok(!tracker.knowsWhole('/f', B), 'it changed, and only a part was read again');
	});

	it('forgets what stands in the history, but not what it read', () => {
		const tracker = new FileTracker();
		tracker.noteRead('/f', A, 'all', true);
		assert.ok(tracker.wasShown('/f', 'all', A));
		tracker.forgetReads();
		assert.ok(!tracker.wasShown('/f', 'all', A));
		assert.equal(tracker.freshness('/f', B), 'changed');
	});

	describe('owns', () => {
		it('a file that it made, for as long as nobody else changes it', () => {
			const tracker = new FileTracker();
			tracker.noteWritten('/f', A, { before: undefined, isWhole: true });
			assert.ok(tracker.owns('/f', A));
			tracker.noteWritten('/f', B, { before: A, isWhole: true });
			assert.ok(tracker.owns('/f', B));
			assert.ok(!tracker.owns('/f', stamp('c')));
			tracker.noteWritten('/f', stamp('d'), { before: stamp('c'), isWhole: true });
			assert.ok(!tracker.owns('/f', stamp('d')), "the user's change is in it");
		});

		it('no file that was there before', () => {
			const tracker = new FileTracker();
			tracker.noteWritten('/f', B, { before: A, isWhole: true });
			assert.ok(!tracker.owns('/f', B));
		});

		it('nothing that was deleted, and nothing that is made again by others', () => {
			const tracker = new FileTracker();
			tracker.noteWritten('/d/f', A, { before: undefined, isWhole: true });
			tracker.noteDeleted('/d');
			assert.ok(!tracker.owns('/d/f', A));
		});

		it('its files after a restart, unless they changed meanwhile', () => {
			const before = new FileTracker();
			before.noteWritten('/f', A, { before: undefined, isWhole: true });
			const after = new FileTracker(before.ownedFiles());
			assert.ok(after.owns('/f', A));
			assert.ok(!after.owns('/f', B));
			assert.ok(!new FileTracker([{ path: '/f', hash: undefined }]).owns('/f', stamp(undefined)));
		});
	});
});
