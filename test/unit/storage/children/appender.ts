// Appends events to several databases for ever and says which are acknowledged. Arguments: driver, directories.
import { openOwnedStore } from '../../../../src/storage/index.ts';
import { message, session, warning } from '../events.ts';

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function append(directory: string, driver: 'native' | 'node'): Promise<void> {
	const { store, report } = await openOwnedStore({
		directory,
		driver,
		isBusy: () => true,
		onTakenOver: () => undefined,
	});
	if ((await store.getSession('s')) === undefined) {
		await store.createSession(session('s'));
	}
	let seq = await store.lastSeq('s');
	say({ directory, opened: seq, recovered: report.recovery !== undefined });
	for (let round = 0; ; round++) {
		// Several at once, so that kills hit groups too.
		const batch = Array.from({ length: 1 + (round % 4) }, () => {
			const events = [warning(++seq), message(++seq, `message ${seq}`)];
			const last = seq;
			return store.append('s', events, { flush: round % 16 === 0 }).then(() => say({ directory, acknowledged: last }));
		});
		await Promise.all(batch);
		// So that the others get their turn where the driver is synchronous.
		await new Promise((resolve) => setImmediate(resolve));
	}
}

const [driver, ...directories] = process.argv.slice(2);
for (const directory of directories) {
	void append(directory, driver as 'native' | 'node');
}
