import path from 'node:path';
import { DIST, ROOT } from './paths.mjs';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */

/** Large packages that are loaded on first use: they get a file of their own, so that activation does not parse them. */
const LAZY = ['openai'];

/** ESM packages ask for import.meta.url, which the CommonJS that VS Code loads has not. */
const IMPORT_META = {
	banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
	define: {
		'import.meta.url': 'importMetaUrl',
		'import.meta.dirname': '__dirname',
		// Libraries ask for it to know where they run; VS Code logs an error for each that does.
		navigator: 'undefined',
	},
};

/** @type {import('esbuild').Plugin} The addon is found beside the bundle, where copyNative() puts it. */
const nativeSqlite = {
	name: 'native-sqlite',
	setup(build) {
		build.onResolve({ filter: /vscode-sqlite3\.node$/ }, () => ({
			path: './native/vscode-sqlite3.node',
			external: true,
		}));
	},
};

/** @type {import('esbuild').Plugin} `await import('x')` of a package of LAZY loads dist/lazy/x.cjs. */
const lazyPackages = {
	name: 'lazy-packages',
	setup(build) {
		/** @type {Set<string>} */
		const used = new Set();
		build.onResolve({ filter: new RegExp(`^(${LAZY.join('|')})(/|$)`) }, ({ path: name, kind }) => {
			if (kind !== 'dynamic-import') {
				return undefined;
			}
			used.add(name);
			return { path: `./lazy/${lazyName(name)}.cjs`, external: true };
		});
		build.onEnd(async ({ errors }) => {
			if (errors.length === 0 && used.size > 0) {
				await build.esbuild.build(lazyBuild([...used]));
			}
		});
	},
};

/** @param {string} name a module such as openai */
function lazyName(name) {
	return name.replaceAll('/', '-');
}

/** @param {{ production: boolean }} mode @returns {BuildOptions} */
function common({ production }) {
	return {
		absWorkingDir: ROOT,
		bundle: true,
		legalComments: 'none',
		logLevel: 'warning',
		minify: production,
		sourcemap: !production,
	};
}

/** @param {{ production: boolean }} mode @returns {BuildOptions} */
function node(mode) {
	return { ...common(mode), ...IMPORT_META, platform: 'node', format: 'cjs', target: 'node22' };
}

/** @param {{ production: boolean }} mode @returns {BuildOptions} src/extension.ts -> dist/extension.cjs */
export function extensionBuild(mode) {
	return {
		...node(mode),
		entryPoints: ['src/extension.ts'],
		outfile: path.join(DIST, 'extension.cjs'),
		external: ['vscode'],
		// Keeps class names in messages and logs readable.
		keepNames: true,
		plugins: [nativeSqlite, lazyPackages],
	};
}

/** @param {string[]} names @returns {BuildOptions} the modules -> dist/lazy/*.cjs */
function lazyBuild(names) {
	return {
		...node({ production: true }),
		entryPoints: names.map((name) => ({ in: name, out: lazyName(name) })),
		outdir: path.join(DIST, 'lazy'),
		outExtension: { '.js': '.cjs' },
	};
}

/** @param {{ production: boolean }} mode @returns {BuildOptions} webview/main.tsx -> dist/webview/main.js and main.css */
export function webviewBuild(mode) {
	return {
		...common(mode),
		entryPoints: ['webview/main.tsx'],
		outdir: path.join(DIST, 'webview'),
		platform: 'browser',
		format: 'iife',
		target: 'es2022',
		tsconfig: 'webview/tsconfig.json',
		jsx: 'automatic',
		jsxImportSource: 'preact',
		alias: {
			react: 'preact/compat',
			'react-dom': 'preact/compat',
			'react/jsx-runtime': 'preact/jsx-runtime',
		},
		define: { 'process.env.NODE_ENV': JSON.stringify(mode.production ? 'production' : 'development') },
		// The icon font stays a file, beside the style sheet that names it.
		loader: { '.ttf': 'file' },
		assetNames: '[name]',
	};
}

/**
 * @param {string[]} files the tests and their index
 * @returns {BuildOptions} test/host/ -> dist/test/host/, for the extension host
 */
export function hostTestsBuild(files) {
	return {
		...node({ production: false }),
		entryPoints: files,
		outbase: 'test/host',
		outdir: path.join(DIST, 'test/host'),
		outExtension: { '.js': '.cjs' },
		external: ['vscode', 'mocha'],
		plugins: [nativeSqlite],
	};
}
