import { statSync } from 'node:fs';
import * as path from 'node:path';
import type { Assignment, Command, ParsedScript, Redirection, SyntaxNode, Word } from 'unbash';
import { forEachChild, parse } from 'unbash';
import { variableMeaning } from './environmentRules.ts';
import { Findings, placeAfter, worse } from './findings.ts';
import type { Place } from './findings.ts';
import type { CommandInput, JudgeContext } from './judge.ts';
import { judgeCommand } from './judge.ts';
import { Variables } from './variables.ts';
import type { ResolvedWord } from './words.ts';
import { resolveParts, resolveWord } from './words.ts';

/** Code within code within code: nobody writes that by hand. */
const MAX_DEPTH = 6;
/** Levels of the syntax tree: 40 nested substitutions. */
const MAX_NESTING = 250;
/** Pieces of code that are judged for one command. */
const MAX_PIECES = 200;
/** Simple commands that are judged for one command: about 75 ms. */
const MAX_COMMANDS = 500;
const NOWHERE: CommandInput = { from: 'nowhere' };
const PIPE: CommandInput = { from: 'pipe' };
/** What the text of a command looks like that destroys something, where its grammar is not understood. */
const LOOKS_DESTRUCTIVE =
	/\b(?:rm|rmdir|unlink|shred|sudo|su|dd|mkfs\S*|chmod|chown|kill|killall|pkill|eval|reboot|shutdown|truncate)\b|\|\s*\w*sh\b/;

export interface WalkerOptions {
	readonly home: string;
	/** Variables that the commands find, by name. */
	readonly environment: Readonly<Record<string, string>>;
}

/** Where a walk is: `cd` changes it for what comes after. */
interface State {
	place: Place;
	/** `&&` follows: what comes next runs only if this succeeds. */
	isRequired: boolean;
}

/** Walks the grammar of a script and judges every simple command, wherever it stands. */
export class ScriptWalker {
	readonly #findings: Findings;
	readonly #options: WalkerOptions;
	readonly #functions = new Set<string>();
	readonly #start: readonly string[];
	readonly #variables: Variables;
	#depth = 0;
	#pieces = 0;
	#commands = 0;

	/** @param cwd absolute: where the script starts. */
	constructor(findings: Findings, cwd: string, options: WalkerOptions) {
		this.#findings = findings;
		this.#options = options;
		this.#start = [cwd];
		this.#variables = new Variables({ ...options.environment, PWD: cwd }, options.home);
	}

	walk(code: string): void {
		this.#code(code, { place: { folders: this.#start, isUnknown: false }, isRequired: false }, NOWHERE);
	}

	#code(code: string, state: State, input: CommandInput): void {
		if (++this.#pieces > MAX_PIECES || this.#depth >= MAX_DEPTH) {
			this.#findings.addUnknownCode('runs code within code, too deep to be judged');
			return;
		}
		const script = parse(code);
		if (!this.#survey(script, 0)) {
			this.#findings.addUnknownCode('is nested too deeply to be judged');
			return;
		}
		this.#depth++;
		this.#variables.collect(script);
		if (/\b(?:cd|pushd|popd)\b/.test(code)) {
			this.#variables.forget('PWD');
		}
		this.#script(script, state, input, code);
		this.#depth--;
	}

	/** Takes in the names of functions. @returns false where the syntax is too deep for the stack. */
	#survey(node: SyntaxNode, depth: number): boolean {
		if (node.type === 'Function') {
			this.#functions.add(node.name.value);
		}
		let isShallow = depth < MAX_NESTING;
		if (isShallow) {
			forEachChild(node, (child) => {
				isShallow &&= this.#survey(child, depth + 1);
			});
		}
		return isShallow;
	}

	#script(script: ParsedScript, state: State, input: CommandInput, code: string): void {
		if (script.errors !== undefined && script.errors.length > 0) {
			const effect = LOOKS_DESTRUCTIVE.test(code) ? 'destructive' : 'localMutation';
			this.#findings.add(effect, `cannot be read completely (${script.errors[0]?.message ?? 'syntax'})`);
		}
		script.commands.forEach((statement) => this.#visit(statement, state, input));
	}

	#visit(node: SyntaxNode, state: State, input: CommandInput): void {
		switch (node.type) {
			case 'Script':
				this.#script(node, { ...state }, NOWHERE, node.source ?? '');
				break;
			case 'Command':
				this.#command(node, state, input);
				break;
			case 'Statement':
				this.#visit(node.command, node.background === true ? { ...state } : state, input);
				break;
			case 'AndOr':
				node.commands.forEach((command, index) => this.#link(command, node.operators[index], state, input));
				break;
			case 'Pipeline':
				node.commands.forEach((command, index) =>
					this.#visit(command, node.commands.length > 1 ? { ...state } : state, index > 0 ? PIPE : input),
				);
				break;
			case 'Redirected':
				forEachChild(node, (child) => child !== node.command && this.#visit(child, { ...state }, NOWHERE));
				this.#visit(node.command, state, this.#redirections(node.redirects, state, input));
				break;
			case 'BraceGroup':
			case 'CompoundList':
				this.#children(node, state, input);
				break;
			case 'Function':
				this.#selfCall(node, node.name.value);
				this.#children(node, { ...state }, input);
				break;
			case 'Subshell':
			case 'Coproc':
				this.#children(node, { ...state }, input);
				break;
			case 'CommandExpansion':
			case 'ArithmeticCommandExpansion':
			case 'ProcessSubstitution':
				this.#substitution(node.script, node.text, state);
				break;
			default:
				this.#other(node, state, input);
		}
	}

	#other(node: SyntaxNode, state: State, input: CommandInput): void {
		if (node.type === 'ParameterExpansion') {
			this.#expansion(node.text, node.operation?.type === 'Transform');
		} else if (node.type === 'Assignment') {
			this.#assignment(node, false, state);
		} else if (node.type === 'For' || node.type === 'Select') {
			this.#setVariable(node.name.value, '', false, state);
		}
		this.#branches(node, state, input);
	}

	#children(node: SyntaxNode, state: State, input: CommandInput): void {
		forEachChild(node, (child) => this.#visit(child, state, input));
	}

	/** Conditions and loops: afterwards, what they did may have happened or not. */
	#branches(node: SyntaxNode, state: State, input: CommandInput): void {
		const before = state.place;
		this.#children(node, state, input);
		state.place = either(before, state.place);
	}

	#link(command: SyntaxNode, operator: '&&' | '||' | undefined, state: State, input: CommandInput): void {
		const before = state.place;
		state.isRequired = operator === '&&';
		this.#visit(command, state, input);
		state.isRequired = false;
		if (operator === '||') {
			state.place = either(before, state.place);
		}
	}

	/** A function that calls itself may start processes without end. */
	#selfCall(node: SyntaxNode, name: string): void {
		if (node.type === 'Command' && node.name?.value === name) {
			this.#findings.add('destructive', `starts ${name} from within itself, perhaps without end`);
		}
		forEachChild(node, (child) => this.#selfCall(child, name));
	}

	#substitution(script: ParsedScript | undefined, text: string, state: State): void {
		if (script === undefined) {
			this.#findings.addUnknownCode(`runs ${text}, which cannot be read`);
		} else {
			this.#script(script, { ...state }, NOWHERE, text);
		}
	}

	/** `${x@P}` runs what stands in the value of x. */
	#expansion(text: string, isTransform: boolean): void {
		if (isTransform && /@P\}$/.test(text)) {
			this.#findings.addUnknownCode(`runs what stands in ${text}`);
		}
	}

	#command(node: Command, state: State, input: CommandInput): void {
		// First what is within its words: it runs before, in shells of its own.
		const inside = { ...state };
		forEachChild(node, (child) => {
			if (child.type !== 'Assignment') {
				this.#visit(child, inside, NOWHERE);
			}
		});
		const assignments = [...node.prefix, ...node.args].filter((part) => part.type === 'Assignment');
		for (const assignment of assignments) {
			this.#assignment(assignment, node.name !== undefined, inside);
			this.#children(assignment, inside, NOWHERE);
		}
		const ownInput = this.#redirections(node.redirects, state, input);
		for (const words of this.#readings(node)) {
			this.#judge(words, state, ownInput);
		}
	}

	/** The words of a command, in every way in which its first variable may be read. */
	#readings(node: Command): readonly (readonly ResolvedWord[])[] {
		if (node.name === undefined) {
			return [];
		}
		const rest = node.args.flatMap((argument) =>
			argument.type === 'Word' ? this.#resolve(argument) : [this.#resolveAssignment(argument)],
		);
		const variable = /^("?)\$\{?(\w+)\}?\1$/.exec(node.name.text);
		const values = this.#variables.changesSplitting ? undefined : this.#variables.possibleValues(variable?.[2] ?? '');
		if (variable === null || values === undefined) {
			return [[...this.#resolve(node.name), ...rest]];
		}
		return values
			.map((value) => {
				const words = variable[1] === '"' ? [value] : value.split(/\s+/);
				return [...words.filter((word) => word !== '').map((word) => literal(word)), ...rest];
			})
			.filter((words) => words[0] !== rest[0] || rest[0]?.prefix.startsWith('-') === false);
	}

	#judge(words: readonly ResolvedWord[], state: State, input: CommandInput): void {
		if (++this.#commands > MAX_COMMANDS) {
			this.#findings.addUnknownCode('has more commands than can be judged');
			return;
		}
		const findings = new Findings();
		const { place } = state;
		const context: JudgeContext = {
			findings,
			place,
			input,
			functions: this.#functions,
			judgeCode: (code) => this.#code(code, { ...state }, input),
			judgeElsewhere: (code) => {
				const there = new Findings();
				new ScriptWalker(there, '/', this.#options).walk(code);
				return there;
			},
			changeFolder: (target) => this.#changeFolder(target, state),
			setVariable: (name, value) => this.#setVariable(name, value, true, state),
		};
		judgeCommand(words, context);
		const isElsewhere = place.isUnknown || place.folders.some((folder) => !this.#start.includes(folder));
		if (isElsewhere && worse(findings.effect, 'localMutation') === findings.effect) {
			// A change in a folder to which the command went is a change of that folder.
			findings.touch(literal('.'), 'write', place);
		}
		this.#findings.merge(findings);
	}

	#changeFolder(target: ResolvedWord | undefined, state: State): void {
		const home = target?.text === '~' ? literal(this.#options.home) : target;
		if (home === undefined || home.text === '-') {
			state.place = { folders: state.place.folders, isUnknown: true };
			return;
		}
		const after = placeAfter(state.place, home);
		const isSure = state.isRequired || after.folders.every(isFolder);
		state.place = isSure ? after : either(state.place, after);
	}

	#assignment({ name, value }: Assignment, forCommand: boolean, state: State): void {
		const words = value.type === 'Word' ? this.#resolve(value) : [];
		this.#setVariable(
			name,
			words.length === 1 ? words[0]?.text : words.length === 0 ? '' : undefined,
			forCommand,
			state,
		);
	}

	#setVariable(name: string, value: string | undefined, forCommand: boolean, state: State): void {
		const meaning = variableMeaning(name, forCommand);
		if (value !== undefined && /\$\(|`/.test(value)) {
			// Arithmetic runs what stands in the values of variables.
			this.#findings.addUnknownCode(`puts code into the variable ${name}`);
		}
		if (meaning === 'changesPrograms') {
			this.#findings.add('localMutation', `sets ${name}, which changes what programs do`);
		} else if (meaning === 'command') {
			if (value === undefined) {
				this.#findings.addUnknownCode(`sets ${name}, which programs run, to what is only known when it runs`);
			} else {
				this.#code(value, { ...state }, NOWHERE);
			}
		}
	}

	#redirections(redirects: readonly Redirection[], state: State, input: CommandInput): CommandInput {
		let result = input;
		for (const redirect of redirects) {
			if (redirect.type === 'HereDoc') {
				const parts = redirect.body.parts;
				const text = parts === undefined ? redirect.body.text : resolveParts(parts, this.#variables.lookup);
				result = { from: 'text', text };
			} else if (redirect.type === 'HereString') {
				result = { from: 'text', text: this.#resolveOne(redirect.target)?.text };
			} else if (redirect.operator === '<' || redirect.operator === '<&') {
				result = this.#inputFrom(redirect.target, state);
			} else {
				this.#output(redirect.target, redirect.operator, state);
			}
		}
		return result;
	}

	#inputFrom(target: Word | undefined, state: State): CommandInput {
		const word = this.#resolveOne(target);
		if (word?.text?.startsWith('/dev/tcp/') === true || word?.text?.startsWith('/dev/udp/') === true) {
			this.#findings.add('remoteAction', `reads from the network (${word.text})`);
			return { from: 'pipe' };
		}
		if (word !== undefined) {
			this.#findings.touch(word, 'read', state.place);
		}
		return word?.text === undefined ? { from: 'pipe' } : { from: 'file' };
	}

	#output(target: Word | undefined, operator: string, state: State): void {
		const word = this.#resolveOne(target);
		if (word === undefined || (operator === '>&' && word.text !== undefined && /^(?:\d+-?|-)$/.test(word.text))) {
			return;
		}
		if (!isHarmless(word.text)) {
			this.#findings.add('localMutation', `writes to ${word.source}`);
		}
		this.#findings.touch(word, 'write', state.place);
	}

	#resolve(word: Word): readonly ResolvedWord[] {
		return resolveWord(word, this.#variables.lookup, this.#options.home);
	}

	#resolveOne(word: Word | undefined): ResolvedWord | undefined {
		const words = word === undefined ? [] : this.#resolve(word);
		return words.length === 1 ? words[0] : word && { ...literal(''), source: word.text, text: undefined, splits: true };
	}

	#resolveAssignment({ text, name, value }: Assignment): ResolvedWord {
		const word = value.type === 'Word' ? this.#resolveOne(value) : undefined;
		const prefix = `${name}=${word?.prefix ?? ''}`;
		return {
			source: text,
			prefix,
			text: word?.text === undefined ? undefined : `${name}=${word.text}`,
			isGlob: false,
			splits: false,
		};
	}
}

function literal(text: string): ResolvedWord {
	return { source: text, text, prefix: text, isGlob: false, splits: false };
}

function isHarmless(target: string | undefined): boolean {
	return target !== undefined && /^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\/\d+)$/.test(path.normalize(target));
}

function either(a: Place, b: Place): Place {
	return { folders: [...new Set([...a.folders, ...b.folders])], isUnknown: a.isUnknown || b.isUnknown };
}

function isFolder(folder: string): boolean {
	return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
