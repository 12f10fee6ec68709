import type { Effect } from '../../../protocol/index.ts';

/** What an option does when it is there. `writes`: its value is a path that is written. `code`: its value is run by a shell. */
export type OptionRule = readonly [effect: Effect, does: string] | 'writes' | 'code';

/** How to find the command inside a command: `timeout 5 rm x`. */
interface WrapRule {
	/** Operands before it: the duration of `timeout`. */
	readonly skip?: number;
	/** `NAME=value` words may stand before it. */
	readonly assignments?: boolean;
	/** `rest`: the words are put together and given to a shell. `more`: words are added to it that nobody knows. */
	readonly as?: 'command' | 'code' | 'more';
	/** The effect of none. */
	readonly alone?: Effect;
}

/** Parts of a judgement that need more than a table: see `checks.ts`. */
export type CheckName =
	| 'awk'
	| 'curl'
	| 'date'
	| 'fd'
	| 'find'
	| 'gitCheckout'
	| 'gitPush'
	| 'interpreter'
	| 'sed'
	| 'shell'
	| 'source'
	| 'ssh'
	| 'tar'
	| 'wget';

/** What is known of a program, or of a subcommand of it. Whatever is not known of it makes it no milder. */
export interface ProgramRule {
	/** Without any of the options and subcommands below. */
	readonly effect: Effect;
	/** In words, after the program's name: "deletes files". */
	readonly does?: string;
	/** By names separated by blanks. A long option also matches its abbreviations, a short one within a bundle. */
	readonly options?: Readonly<Record<string, OptionRule>>;
	/** Options that take the next word as their value. */
	readonly values?: string;
	/** With one of these options, alone in its word, it has this effect instead, whatever its operands: `crontab -l`. */
	readonly milder?: readonly [options: string, effect: Effect];
	/** Options are matched as a whole: `find -delete`. */
	readonly exact?: boolean;
	/** Operands that are paths which are written. */
	readonly writes?: 'all' | 'last' | 'second';
	/** Operands that are paths which are deleted. */
	readonly deletes?: 'all' | 'allButLast';
	/** Paths that are written whatever the operands are. */
	readonly alsoWrites?: readonly string[];
	/** More operands than this mean another effect: `git branch new`. */
	readonly operands?: readonly [max: number, effect: Effect, does: string];
	/** An operand that means another effect: `aws s3 rm`. */
	readonly operand?: readonly [pattern: RegExp, effect: Effect, does: string];
	readonly subcommands?: ReadonlyMap<string, ProgramRule>;
	/** One word alone is a question: `git config user.name`. */
	readonly asks?: boolean;
	/** The effect without a subcommand: printing help, unless said otherwise. */
	readonly bare?: Effect;
	readonly wraps?: WrapRule;
	/** Options whose value is the folder in which it works: `git -C`. */
	readonly folder?: string;
	/** Hosts are looked for among its words. */
	readonly network?: boolean;
	/** Options that run code given with them: `python -c`. */
	readonly inline?: string;
	/** Short options that only print a version. `--version` and `--help` always do. */
	readonly version?: string;
	/** Evaluates its words as shell arithmetic or names of array elements, which may hold `$(...)`. */
	readonly evaluates?: boolean;
	readonly check?: CheckName;
}

export type RuleRow = readonly [names: string, rule: ProgramRule];

/** @returns the rules by each of their names. @throws where a name has two. */
export function table(rows: readonly RuleRow[]): ReadonlyMap<string, ProgramRule> {
	const rules = new Map<string, ProgramRule>();
	for (const [names, rule] of rows) {
		for (const name of names.split(' ')) {
			if (rules.has(name)) {
				throw new Error(`There are two rules for ${name}.`);
			}
			rules.set(name, rule);
		}
	}
	return rules;
}
