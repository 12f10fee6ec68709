import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const USER = 'belay';

/** Who a connection belongs to, once it has shown the session's password. */
export interface Identity {
	/** The tool call whose command connects; null where none is known. */
	readonly itemId: string | null;
}

/**
 * The secret that makes a session's proxy its own: any process of the machine can reach a loopback port. Each tool call
 * gets a user name of its own, so that its connections are known even when several commands run.
 */
export class SessionCredentials {
	/** 192 random bits, in characters that need no escaping in a URL. */
	readonly password = randomBytes(24).toString('base64url');
	readonly #digest = sha256(this.password);
	readonly #users = new Map<string, string>();
	readonly #names = new Map<string, string>();
	readonly #running: string[] = [];

	/** From now until disposed, connections under the common user name belong to this tool call. */
	attribute(itemId: string): Disposable {
		this.#running.push(itemId);
		return {
			[Symbol.dispose]: () => {
				const index = this.#running.lastIndexOf(itemId);
				if (index !== -1) {
					this.#running.splice(index, 1);
				}
			},
		};
	}

	/** @returns the user name for a tool call's environment, or the common one. */
	userFor(itemId: string | undefined): string {
		if (itemId === undefined) {
			return USER;
		}
		const user = this.#names.get(itemId) ?? `${USER}-${this.#names.size + 1}`;
		this.#names.set(itemId, user);
		this.#users.set(user, itemId);
		return user;
	}

	/** @returns undefined when the pair is not one of this session. Takes the same time for each wrong password. */
	verify(user: string, password: string): Identity | undefined {
		if (!timingSafeEqual(sha256(password), this.#digest)) {
			return undefined;
		}
		if (user === USER) {
			return { itemId: this.#running.at(-1) ?? null };
		}
		const itemId = this.#users.get(user);
		return itemId === undefined ? undefined : { itemId };
	}

	/** @param header the value of `Proxy-Authorization`. */
	verifyBasic(header: string | undefined): Identity | undefined {
		const encoded = /^basic +([a-z0-9+/=]+) *$/i.exec(header ?? '')?.[1];
		if (encoded === undefined) {
			return undefined;
		}
		const pair = Buffer.from(encoded, 'base64').toString('utf8');
		const colon = pair.indexOf(':');
		return colon === -1 ? undefined : this.verify(pair.slice(0, colon), pair.slice(colon + 1));
	}
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
