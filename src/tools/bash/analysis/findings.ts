import * as path from 'node:path';
import type { Effect } from '../../../protocol/index.ts';
import type { ResolvedWord } from './words.ts';

/** From harmless to harmful. */
const SEVERITY: readonly Effect[] = ['readOnly', 'remoteAction', 'localMutation', 'destructive'];

/** @returns the more harmful of two effects. */
export function worse(a: Effect, b: Effect): Effect {
	return SEVERITY.indexOf(a) >= SEVERITY.indexOf(b) ? a : b;
}

/** A path that a command would touch, absolute and not yet resolved. */
export interface TouchedPath {
	readonly path: string;
	/** `delete`: a symbolic link itself, not what it points to. */
	readonly how: 'write' | 'delete' | 'read';
}

/** Where a command runs, as far as that is known: it may be one of several folders, or one that nobody knows. */
export interface Place {
	readonly folders: readonly string[];
	readonly isUnknown: boolean;
}

/** Files that are no files: writing to them changes nothing. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+|u?random)$/;
/** Words that a computer's address may be in: URLs, `user@host`, `git@host:path`. */
const URL_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]*@)?(\[[0-9a-f:]+\]|[^/:?#\s]+)/i;
const SCP_HOST = /^(?:[\w.-]+@)([\w.-]+)(?::|$)|^([\w-]+(?:\.[\w-]+)+):/;

/** What was found out about a command so far. The worst part wins. */
export class Findings {
	effect: Effect = 'readOnly';
	/** Runs code that stands in the command itself or is put together when it runs: never allowed by its name. */
	runsInlineCode = false;
	readonly #reasons = new Map<Effect, Set<string>>();
	readonly #paths = new Map<string, TouchedPath>();
	readonly #hosts = new Set<string>();

	/** @param reason a sentence without its full stop. */
	add(effect: Effect, reason: string): void {
		this.effect = worse(this.effect, effect);
		const reasons = this.#reasons.get(effect) ?? new Set();
		this.#reasons.set(effect, reasons.add(reason));
	}

	/** A part that is only known at run time runs something: nobody can tell what. */
	addUnknownCode(reason: string): void {
		this.runsInlineCode = true;
		this.add('destructive', reason);
	}

	/** A word that names a path which is written, deleted or read. */
	touch(word: ResolvedWord, how: TouchedPath['how'], place: Place): void {
		const known = word.text ?? knownFolder(word.prefix);
		const isAbsolute = known !== undefined && path.isAbsolute(known);
		if (how === 'write' && known !== undefined && HARMLESS_DEVICE.test(path.normalize(known))) {
			return;
		}
		if (how === 'write') {
			this.#judgeTarget(word, known, isAbsolute, place);
		}
		if (known === undefined) {
			return;
		}
		for (const folder of isAbsolute ? ['/'] : place.folders) {
			const target = path.resolve(folder, word.isGlob ? (globFolder(known) ?? '.') : known);
			this.#paths.set(`${how} ${target}`, { path: target, how });
		}
	}

	#judgeTarget(word: ResolvedWord, known: string | undefined, isAbsolute: boolean, place: Place): void {
		if (word.text === undefined || (!isAbsolute && place.isUnknown)) {
			this.add('localMutation', `writes to ${word.source}, a path that is only known when it runs`);
		}
		if (known !== undefined && isAbsolute && path.normalize(known).startsWith('/dev/')) {
			this.add('destructive', `writes to the device ${word.source}`);
		}
	}

	/** Looks for a computer's name in a word. */
	addHost(text: string): void {
		const host = URL_HOST.exec(text)?.[1] ?? SCP_HOST.exec(text)?.slice(1).find(Boolean);
		if (host !== undefined) {
			this.#hosts.add(host.toLowerCase());
		}
	}

	get hosts(): readonly string[] {
		return [...this.#hosts];
	}

	get paths(): readonly TouchedPath[] {
		return [...this.#paths.values()];
	}

	/** Takes over what was found out about a part. */
	merge(part: Findings): void {
		this.effect = worse(this.effect, part.effect);
		this.runsInlineCode ||= part.runsInlineCode;
		for (const [effect, reasons] of part.#reasons) {
			reasons.forEach((reason) => this.add(effect, reason));
		}
		part.#paths.forEach((touched, key) => this.#paths.set(key, touched));
		part.#hosts.forEach((host) => this.#hosts.add(host));
	}

	/** The reasons, the worst first. */
	get reasons(): readonly string[] {
		return [...SEVERITY].reverse().flatMap((effect) => [...(this.#reasons.get(effect) ?? [])]);
	}
}

/** @returns the place after `cd target`. */
export function placeAfter(place: Place, target: ResolvedWord): Place {
	const { text } = target;
	if (text === undefined || target.isGlob) {
		return { folders: place.folders, isUnknown: true };
	}
	return path.isAbsolute(text)
		? { folders: [path.normalize(text)], isUnknown: false }
		: { ...place, folders: place.folders.map((folder) => path.resolve(folder, text)) };
}

/** The folder that a path surely lies in, where only its beginning is known. */
function knownFolder(prefix: string): string | undefined {
	const end = prefix.lastIndexOf('/');
	return end < 0 ? undefined : prefix.slice(0, end + 1);
}

function globFolder(pattern: string): string | undefined {
	return knownFolder(pattern.slice(0, pattern.search(/[*?[]|[@!+]\(/)));
}
