import path from 'node:path';

/** The repository's root folder. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Everything set-up makes or downloads, besides node_modules. Safe to delete as a whole. */
export const CACHE = path.join(ROOT, '.vscode-test');

export const DIST = path.join(ROOT, 'dist');
export const TEST_RESULTS = path.join(ROOT, 'test-results');

/** Node 24, for machines whose own Node is older. */
export const NODE_DIR = path.join(CACHE, 'node');

/** The VS Code server that stands in where desktop VS Code is not to be had. */
export const HOST_DIR = path.join(CACHE, 'host');
export const HOST_PACKAGE = path.join(HOST_DIR, 'package');

export const SAMPLE_FIXTURE = path.join(ROOT, 'test/fixtures/sample-workspace');
export const SAMPLE_WORKSPACE = path.join(CACHE, 'sample-workspace');
