import type * as sqlite from '@vscode/sqlite3';

export type NativeSqlite = typeof sqlite.default;

/**
 * Loads `@vscode/sqlite3` with its binary, on the first call only: activation must not pay for it.
 * @throws where the binary is missing or was built for another platform
 */
export async function loadNativeSqlite(): Promise<NativeSqlite> {
	// A literal specifier, so that the bundler sees it and puts the binary beside the bundle.
	const imported = await import('@vscode/sqlite3');
	// A CommonJS module: Node and esbuild both hand its exports over as `default`.
	return imported.default;
}
