import { readFileSync } from 'node:fs';

/**
 * The unix sockets of this network namespace that have a name in the file system: agents of ssh and gpg, Docker, VS Code.
 * A read-only mount does not keep a command from connecting to them, so each has to be covered. Those that sandboxed
 * commands made themselves belong to another network namespace and are not listed.
 * @returns absolute paths; sockets bound with a relative name cannot be found this way.
 * @throws the system's error: without the list nothing may run.
 */
export function boundSockets(): string[] {
	return parseUnixTable(readFileSync('/proc/net/unix', 'utf8'));
}

/** @param table of `/proc/net/unix`: a heading, then seven columns and the name, where there is one. */
export function parseUnixTable(table: string): string[] {
	const names = table.split('\n').flatMap((line) => {
		const name = /^(?:\S+\s+){6}\d+ (\/.*)$/.exec(line)?.[1];
		return name === undefined ? [] : [name];
	});
	return [...new Set(names)];
}
