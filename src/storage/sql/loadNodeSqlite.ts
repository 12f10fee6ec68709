import type * as sqlite from 'node:sqlite';

export type NodeSqlite = typeof sqlite;

/**
 * Node's own SQLite, without the warning that it is experimental: the user cannot do anything about it.
 * @throws where this Node has none
 */
export function loadNodeSqlite(): NodeSqlite {
	// eslint-disable-next-line @typescript-eslint/unbound-method -- called with `process` below, and put back as it was
	const original = process.emitWarning;
	// The call below is synchronous, so that no other warning can be lost meanwhile.
	process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
		if (!String(warning).includes('SQLite is an experimental feature')) {
			Reflect.apply(original, process, [warning, ...rest]);
		}
	};
	try {
		// Not `import`: bundlers do not all know the module, and this one is synchronous.
		const loaded = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
		if (loaded === undefined) {
			throw new Error('This version of Node has no SQLite.');
		}
		return loaded;
	} finally {
		process.emitWarning = original;
	}
}
