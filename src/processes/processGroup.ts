import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../engine/ports/index.ts';

/** From SIGTERM to SIGKILL: enough for git to remove its locks. */
const GRACE_MS = 500;
/** After SIGKILL: a process in the middle of a system call needs a moment; one that hangs in the kernel is given up. */
const KILL_MS = 500;
/** Between two looks at whether a group is gone. */
const POLL_MS = 25;

/**
 * A process and all it started that did not leave its group (with `setsid`, as daemons do). On Windows, where there
 * are no groups, the tree of child processes.
 */
export class ProcessGroup {
	readonly id: number;
	readonly #clock: Clock;
	/** Set when nobody is left: the system may give the number to others from then on. */
	#gone = false;
	#termination: Promise<void> | undefined;

	/** @param id the number of the process that leads the group. */
	constructor(id: number, clock: Clock) {
		this.id = id;
		this.#clock = clock;
	}

	/** @returns whether a process of the group still runs. One that only waits to be collected does not. */
	isAlive(): boolean {
		if (!this.#gone) {
			this.#gone = !this.#signal(0) || !hasRunningMember(this.id);
		}
		return !this.#gone;
	}

	/** Ends the group: SIGTERM, and SIGKILL for what is left after 500 ms. Resolves when nobody is left, or was killed. */
	terminate(): Promise<void> {
		this.#termination ??= this.#terminate();
		return this.#termination;
	}

	async #terminate(): Promise<void> {
		if (process.platform === 'win32') {
			await new Promise<void>((resolve) => {
				execFile('taskkill', ['/pid', String(this.id), '/t', '/f'], () => resolve());
			});
			this.#gone = true;
			return;
		}
		this.#signal('SIGTERM');
		// A stopped process acts on a signal only when it goes on.
		this.#signal('SIGCONT');
		await this.#untilGone(GRACE_MS);
		if (this.isAlive()) {
			this.#signal('SIGKILL');
			await this.#untilGone(KILL_MS);
			this.#gone = true;
		}
	}

	async #untilGone(ms: number): Promise<void> {
		const deadline = this.#clock.now() + ms;
		while (this.isAlive() && this.#clock.now() < deadline) {
			await new Promise<void>((resolve) => {
				this.#clock.after(POLL_MS, resolve);
			});
		}
	}

	/** @returns false where the group has no process. */
	#signal(signal: NodeJS.Signals | 0): boolean {
		if (this.#gone) {
			return false;
		}
		try {
			process.kill(process.platform === 'win32' ? this.id : -this.id, signal);
			return true;
		} catch (error) {
			// EPERM: there is one, but of another user.
			return (error as NodeJS.ErrnoException).code === 'EPERM';
		}
	}
}

/**
 * Where nothing collects orphans (containers without an init), a killed group stays addressable for ever. Linux tells
 * the state of each process in /proc/<pid>/stat: "pid (name) state ppid pgrp ..." (proc_pid_stat(5)).
 */
function hasRunningMember(group: number): boolean {
	if (process.platform !== 'linux') {
		return true;
	}
	for (const entry of readdirSync('/proc')) {
		if (!/^\d+$/.test(entry)) {
			continue;
		}
		try {
			const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
			const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			if (pgrp === String(group) && state !== 'Z' && state !== 'X') {
				return true;
			}
		} catch {
			// It ended in the meantime.
		}
	}
	return false;
}
