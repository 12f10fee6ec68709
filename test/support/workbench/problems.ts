import type { Page } from 'playwright-core';

/** Tells what concerns Belay from the noise that the workbench itself makes on this host. */
const OURS = /belay|vscode-resource|vscode-cdn|extensionId=|Content.Security.Policy/i;

/**
 * Collects what a page says against Belay: console errors of its webview and extension host, uncaught exceptions, and
 * requests that failed.
 * @returns a list that grows
 */
export function watchProblems(page: Page): string[] {
	const problems: string[] = [];
	const add = (text: string): void => {
		if (OURS.test(text)) {
			problems.push(text);
		}
	};
	page.on('console', (message) => {
		if (message.type() === 'error') {
			add(`console: ${message.text()} (${message.location().url})`);
		}
	});
	page.on('pageerror', (error) => add(`uncaught: ${error.stack ?? error.message}`));
	page.on('requestfailed', (request) => {
		const reason = request.failure()?.errorText ?? '';
		// A reload cuts off what was being loaded.
		if (reason !== 'net::ERR_ABORTED') {
			add(`request: ${request.url()} ${reason}`);
		}
	});
	return problems;
}
