import { dirname } from 'node:path';
import { isWithin, lookAt, realPath } from './paths.ts';

/** What one command sees of the file system. All paths absolute and real, all of them exist. */
export interface MountPlan {
	readonly writable: readonly string[];
	readonly pinned: readonly string[];
	readonly readOnly: readonly string[];
	/** Folders and files that are empty for the command. */
	readonly hidden: readonly string[];
	/** Sockets that cannot be connected to. */
	readonly sockets: readonly string[];
	/** The session's own folder for `/tmp`, and the one for `/var/tmp`. */
	readonly tmp: string;
	readonly varTmp: string;
	/** An empty file, which stands for hidden ones. */
	readonly emptyFile: string;
}

interface Mount {
	readonly at: string;
	/** Of two at the same place the higher one wins. */
	readonly rank: number;
	/** What was there before cannot be seen any more. */
	readonly covers: boolean;
	readonly args: readonly string[];
}

/** Where systems keep the sockets of their services and agents. */
const RUNTIME_FOLDERS = ['/run', '/var/run'];

/**
 * Parts of /proc that are about the computer, not about processes. Root may write to them even without capabilities,
 * and bubblewrap (0.8) does not keep it from that: /proc/sys/kernel/core_pattern names a program that the kernel runs.
 */
const KERNEL_SETTINGS = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'scsi', 'acpi', 'driver', 'tty', 'mtrr'].map(
	(name) => `/proc/${name}`,
);

/**
 * @returns bwrap's arguments. Everything is read-only but what the plan makes writable; outer mounts come first, so that
 * a workspace in /tmp, or a hidden folder in a writable one, is what it should be.
 */
export function mountArguments(plan: MountPlan): string[] {
	const shells = [...systemMounts(plan), ...plan.writable.map((at) => bind(at, 1))];
	const hidden = plan.hidden.map((at) => hide(at, plan.emptyFile));
	const outer = [...shells, ...hidden.filter(({ covers }) => covers)];
	const inner = [
		...plan.pinned.map((at) => bind(at, 2)),
		...plan.readOnly.map((at): Mount => ({ at, rank: 3, covers: false, args: ['--ro-bind', at, at] })),
		...hidden,
		...plan.sockets.map((at): Mount => ({ at, rank: 5, covers: false, args: ['--ro-bind', '/dev/null', at] })),
	].filter((mount) => !isCovered(mount, outer));
	const mounts = [...shells, ...inner].sort((a, b) => depth(a.at) - depth(b.at) || a.rank - b.rank);
	const folders = inner.filter(({ covers }) => covers).map(({ at }) => at);
	return [
		...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
		...KERNEL_SETTINGS.filter((at) => lookAt(at) !== undefined).flatMap((at) => ['--ro-bind', at, at]),
		...mounts.flatMap(({ args }) => args),
		...nixSystem(),
		...folders.flatMap((at) => ['--remount-ro', at]),
	];
}

function systemMounts({ tmp, varTmp }: MountPlan): Mount[] {
	const own = (at: string, from: string): Mount => ({ at, rank: 0, covers: true, args: ['--bind', from, at] });
	const mounts = [
		own(realPath('/tmp') ?? '/tmp', tmp),
		...(realPath('/var/tmp') === '/var/tmp' ? [own('/var/tmp', varTmp)] : []),
		...RUNTIME_FOLDERS.filter((at) => realPath(at) === at).map((at): Mount => ({
			at,
			rank: 0,
			covers: true,
			args: ['--tmpfs', at],
		})),
	];
	return mounts;
}

function bind(at: string, rank: number): Mount {
	return { at, rank, covers: false, args: ['--bind', at, at] };
}

function hide(at: string, emptyFile: string): Mount {
	return lookAt(at)?.isDirectory() === true
		? { at, rank: 4, covers: true, args: ['--tmpfs', at] }
		: { at, rank: 4, covers: false, args: ['--ro-bind', emptyFile, at] };
}

/** @returns whether the innermost folder around the mount is one that nothing can be seen of. */
function isCovered(mount: Mount, outer: readonly Mount[]): boolean {
	const around = outer
		.filter((each) => each.at !== mount.at && isWithin(mount.at, each.at))
		.sort((a, b) => depth(b.at) - depth(a.at) || b.rank - a.rank);
	return around[0]?.covers === true;
}

/** On NixOS the programs are reached through a link in /run. */
function nixSystem(): string[] {
	const link = '/run/current-system';
	const target = lookAt(link)?.isSymbolicLink() === true ? realPath(link) : undefined;
	return target === undefined ? [] : ['--symlink', target, link];
}

function depth(path: string): number {
	return path === '/' ? 0 : path.split('/').length;
}

/** @returns the path if it exists, and what it leads to where it is a link. */
export function existing(paths: readonly string[]): string[] {
	return [...new Set(paths.map(realPath).filter((path) => path !== undefined))];
}

/** @returns those whose folder and self still exist: names of sockets stay listed when their files are gone. */
export function existingSockets(paths: readonly string[]): string[] {
	return paths.filter((path) => lookAt(path)?.isSocket() === true && realPath(dirname(path)) === dirname(path));
}
