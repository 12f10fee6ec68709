import type { FrameLocator, Locator, Page } from 'playwright-core';
import { until } from './until.ts';

const PAGE_TIMEOUT_MS = 60_000;

/** One entry of the workbench's payload: a name and its value. */
export type PayloadEntry = readonly [name: string, value: string];

/**
 * The workbench's address.
 * @param payload read only by a server with the smoke-test driver; a name given twice counts once
 */
export function workbenchUrl(origin: string, folder: string, payload: readonly PayloadEntry[] = []): string {
	const entries = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...payload];
	return `${origin}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(JSON.stringify(entries))}`;
}

/** A path on the server as the workbench names it. */
export function remoteUri(origin: string, file: string): string {
	return `vscode-remote://${new URL(origin).host}${file}`;
}

/**
 * Waits until the workbench is restored. The extension host may need a little more: `runCommand` waits for it.
 * @param driver whether the server runs with the smoke-test driver
 */
export async function workbenchReady(page: Page, driver: boolean): Promise<void> {
	await page.locator('.monaco-workbench').first().waitFor({ timeout: PAGE_TIMEOUT_MS });
	if (driver) {
		await page.waitForFunction('window.driver', null, { timeout: PAGE_TIMEOUT_MS });
		await page.evaluate('window.driver.whenWorkbenchRestored()');
		return;
	}
	await page.locator('.part.activitybar .action-label').first().waitFor({ timeout: PAGE_TIMEOUT_MS });
	await page.locator('.part.statusbar .statusbar-item:visible').first().waitFor({ timeout: PAGE_TIMEOUT_MS });
}

/**
 * Runs a command from the palette. The palette never refreshes what it shows: it is opened again until the command is
 * registered.
 * @param title as the palette shows it, category included
 * @throws Error when there is no such command within the time
 */
export async function runCommand(page: Page, title: string, timeoutMs = 30_000): Promise<void> {
	const input = page.locator('.quick-input-widget .quick-input-box input');
	const row = page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title.replaceAll('"', '\\"')}"]`).first();
	await until(
		async () => {
			await page.keyboard.press('F1');
			await input.waitFor({ state: 'visible', timeout: 2000 });
			await input.fill(`>${title}`);
			try {
				await row.waitFor({ timeout: 1500 });
				return true;
			} catch {
				await page.keyboard.press('Escape');
				return false;
			}
		},
		`the palette to have "${title}"`,
		{ timeoutMs },
	);
	await row.click();
}

/** The texts of the notifications center, newest first. Toasts are not shown where the smoke-test driver runs. */
export async function notifications(page: Page): Promise<string[]> {
	await runCommand(page, 'Notifications: Show Notifications');
	const center = page.locator('.notifications-center');
	await center.waitFor({ state: 'visible' });
	const texts = await center.locator('.notification-list-item-message').allTextContents();
	await runCommand(page, 'Notifications: Hide Notifications');
	return texts;
}

/** The document of an extension's webview view. */
export function webviewFrame(page: Page, extensionId: string): FrameLocator {
	return page.frameLocator(`iframe.webview[src*="extensionId=${extensionId}"]`).frameLocator('#active-frame');
}

/**
 * Opens a view container of the activity bar, unless it is open.
 * @param title the container's title
 * @param content something that is visible when the container is
 */
export async function openContainer(page: Page, title: string, content: Locator): Promise<void> {
	const item = page.locator('.part.activitybar .action-item', {
		has: page.locator(`.action-label[aria-label^="${title}"]`),
	});
	await until(
		async () => {
			// A click on the open one would close it; one that meets a window still restoring its views may do so too.
			if (!(await item.getAttribute('class'))?.split(' ').includes('checked')) {
				await item.click({ timeout: 5000 });
				// The icon's hover would lie over the view and take the clicks that are meant for it.
				await page.mouse.move(640, 400);
			}
			await content.waitFor({ timeout: 5000 });
			return true;
		},
		`the view of ${title} to show`,
		{ timeoutMs: 45_000 },
	);
}
