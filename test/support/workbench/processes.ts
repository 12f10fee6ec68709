import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';

const GROUPS = new Set<number>();

// Servers run in groups of their own: what ends the tests early has to end them too.
process.on('exit', () => {
	for (const pid of GROUPS) {
		signalGroup(pid, 'SIGKILL');
	}
});
for (const [signal, code] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	process.once(signal, () => process.exit(code));
}

/** Ends the group of a detached child together with this process. */
export function ownGroup(child: ChildProcess): void {
	const { pid } = child;
	if (pid !== undefined) {
		GROUPS.add(pid);
		child.once('exit', () => GROUPS.delete(pid));
	}
}

/** Ends the group of a detached child, by force after five seconds, and waits for it. */
export async function stopGroup(child: ChildProcess): Promise<void> {
	const { pid } = child;
	if (pid === undefined || child.exitCode !== null || child.signalCode !== null) {
		return;
	}
	const gone = once(child, 'exit');
	signalGroup(pid, 'SIGTERM');
	const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), 5000);
	await gone;
	clearTimeout(timer);
	// Children that ignored the first signal would hold the temporary folders.
	signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// Already gone.
	}
}

interface ProcessEntry {
	readonly pid: number;
	readonly parent: number;
	readonly command: string;
}

/** The ids of the extension hosts that a server has running, oldest first. */
export function extensionHostPids(server: number): number[] {
	return descendants(server)
		.filter((entry) => entry.command.includes('--type=extensionHost'))
		.map((entry) => entry.pid)
		.sort((a, b) => a - b);
}

function descendants(root: number): ProcessEntry[] {
	const all = fs
		.readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => readProcess(Number(pid)));
	const family = new Set([root]);
	for (let size = 0; size !== family.size;) {
		size = family.size;
		for (const entry of all) {
			if (family.has(entry.parent)) {
				family.add(entry.pid);
			}
		}
	}
	return all.filter((entry) => entry.pid !== root && family.has(entry.pid));
}

function readProcess(pid: number): ProcessEntry[] {
	try {
		const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
		const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
		return [{ pid, parent, command: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
	} catch {
		// It ended while the list was read.
		return [];
	}
}
