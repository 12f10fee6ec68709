import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';

/**
 * Reads `+group` and `-group` lines; at the end of its input (this host has ended, however) it kills the groups that
 * are left. POSIX sh only. Signals to the host must not end it before it has done its work.
 */
const SCRIPT = `
trap '' HUP INT TERM QUIT PIPE
groups=' '
while read -r line; do
	group=\${line#?}
	case $line in
	+*) groups="$groups$group " ;;
	-*) groups="\${groups%% $group *} \${groups#* $group }" ;;
	esac
done
for group in $groups; do kill -s TERM -- -"$group"; kill -s CONT -- -"$group"; done
[ "$groups" = ' ' ] || sleep 0.5
for group in $groups; do kill -s KILL -- -"$group"; done
`;

/**
 * Makes sure that no command outlives the extension host, even when it is killed with SIGKILL: one tiny `sh`, started
 * with the first command, whose input ends when this process does. One for each host process. Does nothing on Windows.
 */
export class Reaper implements Disposable {
	readonly #groups = new Set<number>();
	#helper: ChildProcess | undefined;
	#disposed = false;

	/** Kills the process group when this host ends, unless the result is disposed first. */
	watch(group: number): Disposable {
		this.#groups.add(group);
		if (this.#helper === undefined) {
			this.#start();
		} else {
			this.#tell(`+${group}`);
		}
		return {
			[Symbol.dispose]: () => {
				if (this.#groups.delete(group)) {
					this.#tell(`-${group}`);
				}
			},
		};
	}

	#start(): void {
		if (process.platform === 'win32' || this.#disposed) {
			return;
		}
		const helper = spawn('/bin/sh', ['-c', SCRIPT], {
			stdio: ['pipe', 'ignore', 'ignore'],
			// A group of its own: what ends the host's group must not end it.
			detached: true,
			cwd: '/',
			env: { PATH: '/usr/bin:/bin' },
		});
		const startedAt = Date.now();
		helper.on('exit', () => {
			if (this.#helper === helper) {
				this.#helper = undefined;
				// One that ends at once would do so again and again: the next command tries it.
				if (this.#groups.size > 0 && Date.now() - startedAt > 1000) {
					this.#start();
				}
			}
		});
		// It could not be started: the next command tries again.
		helper.on('error', () => {
			this.#helper = undefined;
		});
		helper.stdin.on('error', () => undefined);
		helper.unref();
		this.#helper = helper;
		for (const group of this.#groups) {
			this.#tell(`+${group}`);
		}
	}

	#tell(line: string): void {
		this.#helper?.stdin?.write(`${line}\n`);
	}

	/** Kills what is still watched. */
	[Symbol.dispose](): void {
		this.#disposed = true;
		this.#helper?.stdin?.end();
		this.#helper = undefined;
	}
}
