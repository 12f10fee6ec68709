import type * as vscode from 'vscode';
import { z } from 'zod';

const SECRET = 'belay.keys';
const KeysSchema = z.record(z.string(), z.string());

/**
 * API keys by provider, all in one secret: reading secrets is slow (about 100 ms each), so it is done once, and only
 * when a key is first needed.
 */
export class SecretKeys {
	readonly #secrets: vscode.SecretStorage;
	#keys: Promise<Readonly<Record<string, string>>> | undefined;

	constructor(secrets: vscode.SecretStorage) {
		this.#secrets = secrets;
		secrets.onDidChange(({ key }) => {
			if (key === SECRET) {
				this.#keys = undefined;
			}
		});
	}

	async get(providerId: string): Promise<string | undefined> {
		return (await this.#read())[providerId];
	}

	/** @returns the ids of the providers that have a key. */
	async providers(): Promise<readonly string[]> {
		return Object.keys(await this.#read());
	}

	/** @param key undefined removes the key. */
	async set(providerId: string, key: string | undefined): Promise<void> {
		const others = Object.fromEntries(Object.entries(await this.#read()).filter(([id]) => id !== providerId));
		const keys = key === undefined ? others : { ...others, [providerId]: key };
		await this.#secrets.store(SECRET, JSON.stringify(keys));
		this.#keys = Promise.resolve(keys);
	}

	async #read(): Promise<Readonly<Record<string, string>>> {
		this.#keys ??= this.#load();
		return await this.#keys;
	}

	async #load(): Promise<Readonly<Record<string, string>>> {
		const text = await this.#secrets.get(SECRET);
		if (text === undefined) {
			return {};
		}
		try {
			return KeysSchema.parse(JSON.parse(text));
		} catch {
			// A secret that can't be read is as good as none: the user is asked for the key again.
			return {};
		}
	}
}
