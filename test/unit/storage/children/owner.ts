// Opens a directory's store and uses it as its standard input says, one JSON object a line.
import { createInterface } from 'node:readline';
import { StoreError } from '../../../../src/engine/ports/index.ts';
import { openOwnedStore, type OwnedStore } from '../../../../src/storage/index.ts';

export type Command =
	| { do: 'open'; directory: string; busy?: boolean; force?: boolean; waitMs?: number; driver?: 'native' | 'node' }
	| { do: 'use' | 'becomeIdle' }
	| { do: 'close'; as?: string };

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
let busy = false;
let owned: OwnedStore | undefined;

async function open(command: Extract<Command, { do: 'open' }>): Promise<void> {
	busy = command.busy ?? false;
	owned = await openOwnedStore({
		...command,
		isBusy: () => busy,
		onTakenOver: async ({ forced }) => {
			say({ takenOver: forced });
			await owned?.store.updateSession('s', { title: `written by ${process.pid} at the end` });
		},
	});
	say({ opened: process.pid });
}

async function obey(command: Command): Promise<void> {
	switch (command.do) {
		case 'open':
			return open(command);
		case 'use':
			say({ sessions: (await owned?.store.listSessions())?.length });
			return;
		case 'becomeIdle':
			busy = false;
			owned?.notifyIdle();
			return;
		case 'close':
			await owned?.store.close();
			say({ closed: command.as });
			return;
	}
}

createInterface({ input: process.stdin }).on('line', (line) => {
	obey(JSON.parse(line) as Command).catch((error: unknown) => {
		say({ refused: error instanceof StoreError ? error.code : String(error), message: String(error) });
	});
});
