// Draws the panel in a headless Chromium with a fake host, in every theme and width, and checks it with axe.
// node scripts/preview-panel.mjs [--only=scenario,...] [--theme=dark,...] [--width=320,...] [--no-axe]
// Pictures and axe.json go to test-results/panel/.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { NOW } from '../webview/preview/fixtures.ts';
import { SCENARIOS } from '../webview/preview/scenarios.ts';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const OUT = path.join(ROOT, 'test-results/panel');
const ORIGIN = 'https://panel.preview';
const HEIGHT = 720;
// As strict as the host's: no unsafe-inline, no unsafe-eval. The nonce for styles is for the toolkit alone: it tries out
// `:focus-visible` in a style element and takes the nonce from <meta property="csp-nonce">.
const CSP = `default-src 'none'; script-src 'nonce-preview'; style-src ${ORIGIN} 'nonce-preview'; font-src ${ORIGIN}; img-src ${ORIGIN}`;

/** @param {string} name @param {string[]} fallback */
function option(name, fallback) {
	const given = process.argv.find((argument) => argument.startsWith(`--${name}=`));
	return given ? given.slice(name.length + 3).split(',') : fallback;
}

async function bundle() {
	const result = await esbuild.build({
		absWorkingDir: ROOT,
		entryPoints: ['webview/main.tsx'],
		outdir: '/',
		bundle: true,
		minify: true,
		format: 'iife',
		target: 'es2024',
		write: false,
		jsx: 'automatic',
		jsxImportSource: 'preact',
		alias: { react: 'preact/compat', 'react-dom': 'preact/compat' },
		loader: { '.ttf': 'file' },
		assetNames: '[name]',
		logLevel: 'warning',
	});
	const files = new Map();
	for (const file of result.outputFiles) {
		files.set(path.basename(file.path), Buffer.from(file.contents));
	}
	return files;
}

/** @param {{ bodyClass: string, kind: string }} theme */
function page(theme) {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta property="csp-nonce" content="preview"><title>Belay</title><link rel="stylesheet" href="${ORIGIN}/main.css"></head>
<body class="${theme.bodyClass}" data-vscode-theme-kind="${theme.kind}"><div id="root"></div>
<script nonce="preview" src="${ORIGIN}/host.js"></script>
<script nonce="preview" src="${ORIGIN}/main.js"></script></body></html>`;
}

/** @param {{ variables: Record<string, string> }} theme */
function fakeHost(theme) {
	const source = fs.readFileSync(path.join(ROOT, 'webview/preview/fakeHost.js'), 'utf8');
	return `{ const themeVariables = ${JSON.stringify(theme.variables)}; const now = ${NOW};\n${source} }`;
}

/** @param {import('playwright-core').BrowserContext} context @param {Map<string, Buffer>} files @param {any} theme */
async function serve(context, files, theme) {
	const types = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };
	await context.route(`${ORIGIN}/**`, (route) => {
		const name = new URL(route.request().url()).pathname.slice(1);
		if (name === '') {
			return route.fulfill({ contentType: 'text/html', body: page(theme) });
		}
		if (name === 'host.js') {
			return route.fulfill({ contentType: 'text/javascript', body: fakeHost(theme) });
		}
		const body = files.get(name);
		return body ? route.fulfill({ contentType: types[path.extname(name)], body }) : route.fulfill({ status: 404 });
	});
}

/** @param {import('playwright-core').Page} view @param {string} name */
async function play(view, name) {
	const scenario = SCENARIOS[name];
	await view.goto(`${ORIGIN}/`);
	await view.waitForSelector('html[data-ready]', { state: 'attached', timeout: 10_000 });
	await view.evaluate((messages) => messages.forEach((message) => window.postMessage(message)), scenario.messages);
	await settle(view);
	if (name === 'sessions') {
		await view.getByRole('button', { name: 'Sessions' }).click();
		await view.getByRole('button', { name: 'Delete Upgrade dependencies' }).click();
	}
	if (scenario.expand) {
		await view.evaluate(() =>
			document.querySelectorAll('.disclosure-head[aria-expanded=false]').forEach((head) => head.click()),
		);
	}
	if (scenario.scrollTop) {
		await view.evaluate(() => (document.querySelector('.stream').scrollTop = 0));
	}
	await settle(view);
}

/** Two frames: one to draw, one for what observers do about it. @param {import('playwright-core').Page} view */
async function settle(view) {
	await view.evaluate(
		() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 60)),
	);
}

/** @param {import('playwright-core').Page} view */
async function problemsOf(view) {
	const overflow = await view.evaluate(() => {
		const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
		return wide ? [`wider than the window: ${document.documentElement.scrollWidth}`] : [];
	});
	if (process.argv.includes('--no-axe')) {
		return overflow;
	}
	const { violations } = await new AxeBuilder({ page: view }).disableRules(['page-has-heading-one']).analyze();
	return [
		...overflow,
		...violations.map(
			({ id, nodes }) =>
				`${id}: ${nodes
					.slice(0, 3)
					.map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message ?? ''}`)
					.join(' | ')}`,
		),
	];
}

async function main() {
	const files = await bundle();
	for (const [name, body] of files) {
		console.log(
			`${name}: ${(body.length / 1000).toFixed(1)} kB, gzipped ${(gzipSync(body).length / 1000).toFixed(1)} kB`,
		);
	}
	fs.mkdirSync(OUT, { recursive: true });
	const browser = await chromium.launch({
		executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
		args: ['--no-sandbox'],
	});
	const problems = {};
	try {
		for (const themeName of option('theme', ['dark-modern', 'light-modern', 'high-contrast'])) {
			const theme = JSON.parse(fs.readFileSync(path.join(ROOT, `webview/preview/themes/${themeName}.json`), 'utf8'));
			for (const width of option('width', ['320', '480', '900']).map(Number)) {
				const context = await browser.newContext({
					viewport: { width, height: HEIGHT },
					deviceScaleFactor: 1,
					bypassCSP: false,
				});
				await serve(context, files, theme);
				for (const name of option('only', Object.keys(SCENARIOS))) {
					const view = await context.newPage();
					const key = `${name}-${themeName}-${width}`;
					const errors = [];
					view.on('pageerror', (error) => errors.push(`error: ${error.stack}`));
					view.on('console', (line) => line.type() === 'error' && errors.push(`console: ${line.text()}`));
					await play(view, name).catch((error) => errors.push(`error: ${error.message}`));
					await view.screenshot({ path: path.join(OUT, `${key}.png`) });
					const found = [...errors, ...(await problemsOf(view))];
					if (found.length > 0) {
						problems[key] = found;
					}
					await view.close();
				}
				await context.close();
			}
		}
	} finally {
		await browser.close();
	}
	fs.writeFileSync(path.join(OUT, 'axe.json'), JSON.stringify(problems, null, 2));
	for (const [key, found] of Object.entries(problems)) {
		console.log(`${key}\n  ${found.join('\n  ')}`);
	}
	process.exitCode = Object.keys(problems).length > 0 ? 1 : 0;
}

await main();
