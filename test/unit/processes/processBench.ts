import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { CommandEnd, CommandSpec, RunningCommand } from '../../../src/processes/index.ts';
import { CommandRunner, Reaper } from '../../../src/processes/index.ts';

/** The environment that the tests' commands get. */
export const ENV = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };

/** A runner with a folder of its own, for the tests of one file. */
export class ProcessBench implements AsyncDisposable {
	readonly folder = mkdtempSync(join(tmpdir(), 'belay-processes-'));
	readonly reaper = new Reaper();
	readonly runner = new CommandRunner({ reaper: this.reaper, spoolDirectory: join(this.folder, 'spool') });

	start(command: string, more: Partial<CommandSpec> = {}, signal?: AbortSignal): Promise<RunningCommand> {
		return this.runner.start({ command, cwd: this.folder, env: ENV, timeoutMs: 8000, ...more }, signal);
	}

	async run(
		command: string,
		more: Partial<CommandSpec> = {},
	): Promise<{ readonly end: CommandEnd; readonly text: string; readonly running: RunningCommand }> {
		const running = await this.start(command, more);
		const end = await running.finished;
		return { end, text: await running.fullText(), running };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.runner[Symbol.asyncDispose]();
		this.reaper[Symbol.dispose]();
		rmSync(this.folder, { recursive: true });
	}
}

/** Waits until something is true: looks again whenever other things had their turn. @throws after eight seconds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
	const deadline = Date.now() + 8000;
	while (!condition()) {
		assert.ok(Date.now() < deadline, `waited in vain for ${what}`);
		await setImmediate();
		await setTimeout(5);
	}
}

/** The processes that run (not those that only wait to be collected) in a process group, by /proc. */
export function membersOf(group: number): readonly number[] {
	return processes()
		.filter((stat) => stat.group === group)
		.map(({ pid }) => pid);
}

export function isRunning(pid: number): boolean {
	return processes().some((stat) => stat.pid === pid);
}

function processes(): readonly { readonly pid: number; readonly group: number }[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => {
			try {
				const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
				const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
				return state === 'Z' || state === 'X' ? [] : [{ pid: Number(name), group: Number(group) }];
			} catch {
				return [];
			}
		});
}
