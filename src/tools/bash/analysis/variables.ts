import type { SyntaxNode, Word } from 'unbash';
import { forEachChild } from 'unbash';
import type { ResolvedWord } from './words.ts';
import { resolveWord } from './words.ts';

/** Values that one variable may have; beyond this it counts as unknown. */
const MAX_VALUES = 8;
/** Builtins that set variables named by their words. */
const SETTERS =
	/^(?:read|mapfile|readarray|getopts|printf|declare|typeset|local|export|readonly|unset|let|wait|coproc)$/;

/** What a script itself says about the values of its variables, without regard to the order of its commands. */
export class Variables {
	readonly #values = new Map<string, Set<string> | 'unknown'>();
	readonly #fixed: ReadonlyMap<string, string>;
	readonly #home: string;

	/** @param environment values that a command finds: HOME, PWD and the like. */
	constructor(environment: Readonly<Record<string, string>>, home: string) {
		this.#fixed = new Map(Object.entries(environment));
		this.#home = home;
	}

	/** Takes in all assignments of a script. */
	collect(node: SyntaxNode): void {
		if (node.type === 'Assignment') {
			const isPlain = node.append !== true && node.index === undefined;
			this.#add(node.name, isPlain && node.value.type === 'Word' ? this.#wordsOf([node.value]) : undefined);
		} else if (node.type === 'For' || node.type === 'Select') {
			this.#add(node.name.value, node.wordlist === undefined ? undefined : this.#wordsOf(node.wordlist));
		} else if (node.type === 'ParameterExpansion' && node.operation?.type === 'Default') {
			if (node.operation.operator.endsWith('=')) {
				this.#add(node.parameter, undefined);
			}
		} else if (node.type === 'ArithmeticWord' && /^\w+$/.test(node.value)) {
			this.#add(node.value, undefined);
		} else if (node.type === 'Command' && SETTERS.test(node.name?.value ?? '')) {
			for (const argument of node.args) {
				const name = argument.type === 'Word' ? /^[A-Za-z_]\w*/.exec(argument.value)?.[0] : undefined;
				if (name !== undefined) {
					this.#add(name, undefined);
				}
			}
		}
		forEachChild(node, (child) => this.collect(child));
	}

	/** @returns the value that the variable has wherever it is set; undefined where that is not known. */
	readonly lookup = (name: string): string | undefined => {
		const values = this.#values.get(name);
		if (values === undefined) {
			return this.#fixed.get(name);
		}
		return values !== 'unknown' && values.size === 1 && !this.#fixed.has(name) ? [...values][0] : undefined;
	};

	/** The variable has another value than the environment's, which nobody knows. */
	forget(name: string): void {
		this.#values.set(name, 'unknown');
	}

	/** The characters at which values are split into words are not the usual ones. */
	get changesSplitting(): boolean {
		return this.#values.has('IFS');
	}

	/** @returns every value that the variable may have where the script sets it; undefined where that is not known. */
	possibleValues(name: string): readonly string[] | undefined {
		const values = this.#values.get(name);
		if (values === undefined) {
			const fixed = this.#fixed.get(name);
			return fixed === undefined ? undefined : [fixed];
		}
		// It may not be set yet, or no longer: then it is empty.
		return values === 'unknown' ? undefined : [...values, ''];
	}

	#wordsOf(words: readonly Word[]): readonly ResolvedWord[] {
		return words.flatMap((word) => {
			const resolved = resolveWord(word, (name) => this.#fixed.get(name), this.#home);
			return resolved.length === 0 ? [{ source: '', text: '', prefix: '', isGlob: false, splits: false }] : resolved;
		});
	}

	#add(name: string, words: readonly ResolvedWord[] | undefined): void {
		const known = this.#values.get(name) ?? new Set<string>();
		if (known === 'unknown') {
			return;
		}
		for (const { text, isGlob } of words ?? []) {
			if (text !== undefined && !isGlob) {
				known.add(text);
			}
		}
		const isKnown = words?.every(({ text, isGlob }) => text !== undefined && !isGlob) === true;
		this.#values.set(name, isKnown && known.size <= MAX_VALUES ? known : 'unknown');
	}
}
