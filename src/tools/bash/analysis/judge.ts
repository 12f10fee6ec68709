import * as path from 'node:path';
import type { Effect } from '../../../protocol/index.ts';
import { CHECKS } from './checks.ts';
import type { Findings, Place } from './findings.ts';
import { placeAfter, worse } from './findings.ts';
import type { ParsedWords } from './options.ts';
import { parseWords } from './options.ts';
import type { ProgramRule } from './programRule.ts';
import { PROGRAMS } from './programs.ts';
import type { ResolvedWord } from './words.ts';

/** What a command's standard input is. `text` is undefined where it is not known. */
export type CommandInput =
	{ readonly from: 'nowhere' | 'pipe' | 'file' } | { readonly from: 'text'; readonly text: string | undefined };

/** What a simple command is judged with. */
export interface JudgeContext {
	readonly findings: Findings;
	readonly place: Place;
	readonly input: CommandInput;
	/** Functions that the script defines: their bodies are judged where they stand. */
	readonly functions: ReadonlySet<string>;
	/** Judges code as a command of its own. */
	readonly judgeCode: (code: string) => void;
	/** The same with findings of their own: for code that runs on another computer. */
	readonly judgeElsewhere: (code: string) => Findings;
	/** The place after `cd`. */
	readonly changeFolder: (target: ResolvedWord | undefined) => void;
	/** A variable that is set for a command. */
	readonly setVariable: (name: string, value: string | undefined) => void;
}

/** A rule at work on the words of one command. */
export interface Judged {
	readonly name: string;
	readonly rule: ProgramRule;
	readonly words: readonly ResolvedWord[];
	readonly parsed: ParsedWords;
	readonly context: JudgeContext;
}

/** Folders whose programs are what their names say. A program of the workspace may have any name. */
const SYSTEM_FOLDER =
	/^(?:\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin|\/opt\/[\w.-]+(?:\/[\w.-]+)*\/bin|\/nix\/store\/.*\/bin)$/;
const IN_WORDS: Readonly<Record<Effect, string>> = {
	readOnly: 'reads',
	remoteAction: 'talks to another computer',
	localMutation: 'may change files',
	destructive: 'may destroy something',
};
/** Nothing that a program is known by makes `cat .env` less of a disclosure: these alone never read their operands. */
const TALKS_ONLY = new Set([
	'echo',
	'printf',
	'test',
	'[',
	'true',
	'false',
	':',
	'which',
	'type',
	'ls',
	'stat',
	'basename',
	'dirname',
]);

/** Judges one simple command: a program's name and its words. Wrappers are taken off, whatever they are wrapped in. */
export function judgeCommand(words: readonly ResolvedWord[], context: JudgeContext): void {
	const [first, ...rest] = words;
	if (first === undefined) {
		return;
	}
	if (first.text === undefined || first.isGlob || first.text.startsWith('-')) {
		context.findings.addUnknownCode(`runs ${first.source}, a program that is only known when it runs`);
		return;
	}
	const name = path.posix.basename(first.text.replace(/\.exe$/i, ''));
	const rule = PROGRAMS.get(name) ?? PROGRAMS.get(name.toLowerCase());
	const isTrusted = !first.text.includes('/') || SYSTEM_FOLDER.test(path.posix.dirname(first.text));
	if (!isTrusted || (rule === undefined && !context.functions.has(name))) {
		context.findings.add('localMutation', `runs ${first.text}`);
	}
	if (rule === undefined) {
		readCredentials(rest, context);
		return;
	}
	if (name === 'cd' || name === 'pushd' || name === 'popd') {
		const target = rest.find((word) => word.text === undefined || !/^-[LPe@]+$/.test(word.text));
		context.changeFolder(name === 'popd' ? undefined : (target ?? { ...first, text: '~', prefix: '~' }));
	}
	judgeRule(name, rule, rest, context);
	if (!TALKS_ONLY.has(name)) {
		readCredentials(rest, context);
	}
}

/** Judges the words after a program's or subcommand's name. */
function judgeRule(name: string, rule: ProgramRule, words: readonly ResolvedWord[], context: JudgeContext): void {
	if (isVersionOrHelp(rule, words)) {
		return;
	}
	const stopAtOperand = rule.subcommands !== undefined || rule.wraps !== undefined;
	const parsed = parseWords(rule, words, stopAtOperand);
	const judged: Judged = { name, rule, words, parsed, context };
	const moved = parsed.found.find((option) => rule.folder?.split(' ').includes(option.name) === true);
	if (moved === undefined) {
		judgeParsed(judged);
	} else {
		judgeMoved(judged, moved.value);
	}
}

/** A program that works in another folder: changing something there is changing that folder. */
function judgeMoved(judged: Judged, folder: ResolvedWord | undefined): void {
	const { context } = judged;
	const place = folder === undefined ? { folders: [], isUnknown: true } : placeAfter(context.place, folder);
	judgeParsed({ ...judged, context: { ...context, place } });
	if (worse(context.findings.effect, 'localMutation') === context.findings.effect && folder !== undefined) {
		context.findings.touch(folder, 'write', context.place);
	}
}

function judgeParsed(judged: Judged): void {
	const { rule } = judged;
	judgeOptions(judged);
	judgeWordsOf(judged);
	if (rule.check !== undefined) {
		CHECKS[rule.check](judged);
	}
	if (rule.subcommands !== undefined) {
		judgeSubcommand(judged, rule.subcommands);
	} else if (rule.wraps !== undefined) {
		judgeWrapped(judged);
	} else {
		judgeOperands(judged);
	}
}

function isVersionOrHelp(rule: ProgramRule, words: readonly ResolvedWord[]): boolean {
	const only = words.length === 1 ? words[0]?.text : undefined;
	const isVersion = only !== undefined && ['--version', ...(rule.version?.split(' ') ?? [])].includes(only);
	return (only === '--help' && rule.wraps === undefined) || (isVersion && rule.wraps?.as === undefined);
}

function judgeOptions({ name, rule, parsed, context }: Judged): void {
	const { findings, place } = context;
	for (const { name: option, value } of parsed.found) {
		const does = optionRule(rule, option);
		if (rule.folder?.split(' ').includes(option) === true) {
			continue;
		}
		if (does === undefined) {
			findings.addUnknownCode(`${name} ${option} runs code that stands in the command`);
		} else if (does === 'writes') {
			judgeWrite(name, value, context);
		} else if (does === 'code') {
			judgeCodeWord(`${name} ${option}`, value, context);
		} else {
			findings.add(does[0], `${name} ${option} ${does[1]}`);
		}
	}
	const isGuarded = rule.options ?? rule.subcommands ?? rule.check ?? rule.operands ?? rule.operand ?? rule.writes;
	if (parsed.hasUnknown && isGuarded !== undefined) {
		findings.add('localMutation', `${name} is given words that are only known when it runs`);
	}
	if (place.isUnknown && rule.alsoWrites !== undefined) {
		findings.add('localMutation', `${name} changes files of a folder that is only known when it runs`);
	}
}

/** @returns undefined for options that run the code given with them. */
function optionRule(rule: ProgramRule, option: string) {
	return Object.entries(rule.options ?? {}).find(([names]) => names.split(' ').includes(option))?.[1];
}

function judgeWrite(name: string, target: ResolvedWord | undefined, { findings, place }: JudgeContext): void {
	if (target?.text === '-') {
		return;
	}
	findings.add('localMutation', `${name} writes to ${target?.source ?? 'a file'}`);
	if (target !== undefined) {
		findings.touch(target, 'write', place);
	}
}

/** Judges a word that a shell is given as code. */
export function judgeCodeWord(who: string, word: ResolvedWord | undefined, context: JudgeContext): void {
	if (word?.text === undefined) {
		context.findings.addUnknownCode(`${who} runs code that is only known when it runs`);
	} else {
		context.judgeCode(word.text);
	}
}

function judgeWordsOf({ name, rule, words, context }: Judged): void {
	if (rule.network === true) {
		words.forEach((word) => context.findings.addHost(word.text ?? word.prefix));
	}
	if (rule.evaluates === true && name !== 'test' && name !== '[') {
		// `read PATH`: its words are names of variables. Only those of printf -v are.
		const names = name === 'printf' ? (words[0]?.text === '-v' ? words.slice(1, 2) : []) : words;
		names
			.filter(({ text }) => /^[A-Za-z_]\w*$/.test(text ?? ''))
			.forEach(({ text }) => context.setVariable(text ?? '', ''));
	}
	if (rule.evaluates === true && words.some((word) => /\$\(|`|\$\{/.test(word.text ?? word.prefix))) {
		context.findings.addUnknownCode(`${name} may run what stands between quotes`);
	}
}

function judgeSubcommand(judged: Judged, subcommands: ReadonlyMap<string, ProgramRule>): void {
	const { name, rule, words, parsed, context } = judged;
	const [first] = parsed.operands;
	if (first === undefined) {
		const isMilder = isMilderBy(rule, words);
		addEffect(name, isMilder ?? rule.bare ?? 'readOnly', rule, context);
		return;
	}
	const sub = first.text === undefined ? undefined : subcommands.get(first.text);
	if (sub !== undefined) {
		const others = words.slice(parsed.firstOperand + 1);
		judgeRule(`${name} ${first.source}`, sub, others, context);
		if (rule.network === true) {
			others.forEach((word) => context.findings.addHost(word.text ?? word.prefix));
		}
		return;
	}
	const isQuestion = rule.asks === true && words.length === 1 && first.text !== undefined;
	const milder = isQuestion ? 'readOnly' : isMilderBy(rule, words);
	addEffect(`${name} ${first.source}`, milder ?? rule.effect, rule, context);
	if (milder === undefined) {
		writeAlso(judged);
	}
}

function isMilderBy(rule: ProgramRule, words: readonly ResolvedWord[]): Effect | undefined {
	const options = rule.milder?.[0].split(' ') ?? [];
	const dashes = words.findIndex((word) => word.text === '--');
	const isThere = (dashes < 0 ? words : words.slice(0, dashes)).some(
		({ text }) => text !== undefined && options.includes(text.startsWith('--') ? text.replace(/=.*/s, '') : text),
	);
	return isThere ? rule.milder?.[1] : undefined;
}

function addEffect(label: string, effect: Effect, rule: ProgramRule, { findings }: JudgeContext): void {
	if (effect !== 'readOnly') {
		const does = effect === rule.effect ? rule.does : undefined;
		findings.add(effect, `${label} ${does ?? IN_WORDS[effect]}`);
	}
}

function judgeOperands(judged: Judged): void {
	const { name, rule, words, parsed, context } = judged;
	const { findings, place } = context;
	const milder = isMilderBy(rule, words);
	addEffect(name, milder ?? rule.effect, rule, context);
	if (milder !== undefined) {
		return;
	}
	const { operands } = parsed;
	if (rule.operands !== undefined && operands.length > rule.operands[0]) {
		findings.add(rule.operands[1], `${name} ${rule.operands[2]}`);
	}
	if (rule.operand !== undefined) {
		const [pattern, effect, does] = rule.operand;
		if (words.some((word) => pattern.test(word.text ?? word.source))) {
			findings.add(effect, `${name} ${does}`);
		}
	}
	const isRemote = (word: ResolvedWord) => rule.network === true && /^[^/]+:/.test(word.prefix);
	for (const word of written(rule, operands).filter((word) => !isRemote(word))) {
		findings.add('localMutation', `${name} writes to ${word.source}`);
		findings.touch(word, 'write', place);
	}
	for (const word of rule.deletes === undefined ? [] : rule.deletes === 'all' ? operands : operands.slice(0, -1)) {
		findings.touch(word, 'delete', place);
	}
	writeAlso(judged);
}

function writeAlso({ rule, context }: Judged): void {
	for (const text of rule.alsoWrites ?? []) {
		const word = { source: text, text, prefix: text, isGlob: false, splits: false };
		context.findings.touch(word, 'write', context.place);
	}
}

function written(rule: ProgramRule, operands: readonly ResolvedWord[]): readonly ResolvedWord[] {
	switch (rule.writes) {
		case 'all':
			return operands;
		case 'last':
			return operands.length > 1 ? operands.slice(-1) : [];
		case 'second':
			return operands.slice(1, 2);
		default:
			return [];
	}
}

function judgeWrapped(judged: Judged): void {
	const { name, rule, words, parsed, context } = judged;
	const wraps = rule.wraps ?? {};
	let start = parsed.operands.length === 0 ? words.length : parsed.firstOperand;
	const readAssignments = () => {
		for (; wraps.assignments === true && isAssignment(words[start]); start++) {
			const [variable, value] = splitAssignment(words[start]);
			context.setVariable(variable, value);
		}
	};
	readAssignments();
	start += wraps.skip ?? 0;
	const inner = words.slice(words[start]?.text === '--' ? start + 1 : start);
	if (name === 'command' && /^-[vVp]*[vV]/.test(words[0]?.text ?? '')) {
		return;
	}
	addEffect(name, inner.length === 0 ? worse(wraps.alone ?? 'readOnly', rule.effect) : rule.effect, rule, context);
	if (inner.length === 0) {
		return;
	}
	if (wraps.as === 'code') {
		judgeJoined(name, inner, context);
		return;
	}
	judgeCommand(wraps.as === 'more' ? withInput(inner, parsed.values) : inner, context);
	judgeStrays(parsed.values, inner, context);
}

/** The command that `xargs` runs: with words of its input at the end, or in the place of `{}`. */
function withInput(command: readonly ResolvedWord[], values: readonly ResolvedWord[]): readonly ResolvedWord[] {
	const placeholders = [
		'{}',
		...values.flatMap(({ text }) => (text === undefined || /^\d*$/.test(text) ? [] : [text])),
	];
	const unknown: ResolvedWord = { source: 'its input', text: undefined, prefix: '', isGlob: false, splits: true };
	return [...command.map((word) => placeholders.reduce(replaced, word)), unknown];
}

/** A word in which another program puts what nobody knows in the place of `placeholder`. */
export function replaced(word: ResolvedWord, placeholder: string): ResolvedWord {
	const index = word.text?.indexOf(placeholder) ?? -1;
	return index < 0 ? word : { ...word, text: undefined, prefix: word.prefix.slice(0, index) };
}

/** `eval`, `watch`: the words are put together and read by a shell. `trap` reads only the first. */
function judgeJoined(name: string, words: readonly ResolvedWord[], context: JudgeContext): void {
	const taken = name === 'trap' ? words.slice(0, 1) : words;
	const texts = taken.map((word) => word.text);
	if (texts.includes(undefined)) {
		context.findings.addUnknownCode(`${name} runs code that is only known when it runs`);
	} else {
		context.judgeCode(texts.join(' '));
	}
}

/**
 * Wrappers differ from system to system in which options take a value. Where the wrapped command could begin at
 * another word than was thought, what begins there is judged as well.
 */
function judgeStrays(values: readonly ResolvedWord[], inner: readonly ResolvedWord[], context: JudgeContext): void {
	const isProgram = (word: ResolvedWord) => PROGRAMS.has(path.posix.basename(word.text ?? ''));
	const start = inner[0];
	const others = start === undefined || isProgram(start) ? [] : inner.slice(1);
	for (const word of [...values, ...others]) {
		const rule = PROGRAMS.get(path.posix.basename(word.text ?? ''));
		if (rule?.effect === 'destructive') {
			context.findings.add('destructive', `${word.source} ${rule.does ?? IN_WORDS.destructive}`);
		}
	}
}

function isAssignment(word: ResolvedWord | undefined): boolean {
	return word !== undefined && /^[A-Za-z_]\w*\+?=/.test(word.prefix);
}

function splitAssignment(word: ResolvedWord | undefined): [string, string | undefined] {
	const prefix = word?.prefix ?? '';
	const end = prefix.indexOf('=');
	return [prefix.slice(0, end).replace(/\+$/, ''), word?.text?.slice(end + 1)];
}

/** Files of secrets that are named among the words: reading them asks. */
function readCredentials(words: readonly ResolvedWord[], { findings, place }: JudgeContext): void {
	for (const word of words) {
		// `@file` and `--data=@file` are curl's way of naming a file; `if=file` is that of dd.
		const text = (word.text ?? '').replace(/^(?:-{0,2}[\w-]+=)?@?/, '');
		if (text !== '' && !text.startsWith('-') && text.length < 4096) {
			findings.touch({ ...word, text, prefix: text }, 'read', place);
		}
	}
}
