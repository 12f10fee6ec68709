export type { OpenReport } from './database/openDatabase.ts';
export type { RecoveryReport } from './database/salvage.ts';
export { memoryStore } from './memoryStore.ts';
export { openOwnedStore, waitUntilFree, type OwnedStore, type OwnedStoreOptions } from './ownership/openOwnedStore.ts';
export { sharedStorageDirectory } from './sharedStorageDirectory.ts';
export type { MessageMatch, SqliteStore } from './store/sqliteStore.ts';
export type { SnippetPart } from './store/searchQuery.ts';
