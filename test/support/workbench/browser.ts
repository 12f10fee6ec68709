import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from './paths.ts';

/** Starts a headless browser; BELAY_HEADED=1 shows it. */
export async function launchBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: chromiumPath(),
		headless: process.env['BELAY_HEADED'] !== '1',
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
