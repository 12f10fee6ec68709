import type { CheckName } from './programRule.ts';
import type { Judged } from './judge.ts';
import { judgeCodeWord, judgeCommand, replaced } from './judge.ts';
import { PROGRAMS } from './programs.ts';
import { isHarmlessAwk, isHarmlessSed } from './scripts.ts';
import type { ResolvedWord } from './words.ts';

/** What the table of programs cannot say. Each only makes a judgement worse. */
export const CHECKS: Readonly<Record<CheckName, (judged: Judged) => void>> = {
	awk: checkAwk,
	curl: checkCurl,
	date: checkDate,
	fd: checkFd,
	find: checkFind,
	gitCheckout: checkGitCheckout,
	gitPush: checkGitPush,
	interpreter: checkInterpreter,
	sed: checkSed,
	shell: checkShell,
	source: checkSource,
	ssh: checkSsh,
	tar: checkTar,
	wget: checkWget,
};

function has({ words }: Judged, pattern: RegExp): boolean {
	return words.some((word) => pattern.test(word.text ?? word.prefix));
}

/** The values of an option wherever it stands: `-e x`, `-ex`, `--expression=x`. */
function valuesOf({ words }: Judged, short: string, long: string): readonly (string | undefined)[] {
	return words.flatMap((word, index) => {
		const text = word.text ?? word.prefix;
		if (text === short || text === long) {
			return [words[index + 1]?.text];
		}
		const attached = text.startsWith(`${long}=`) ? long.length + 1 : text.startsWith(short) ? short.length : -1;
		return attached < 0 || text.startsWith('--') !== attached > long.length ? [] : [word.text?.slice(attached)];
	});
}

function checkSed(judged: Judged): void {
	const given = [...valuesOf(judged, '-e', '--expression')];
	const bundled = judged.words.findIndex(({ text }) => text !== undefined && /^-[a-zA-Z]+e$/.test(text));
	if (bundled >= 0) {
		given.push(judged.words[bundled + 1]?.text);
	}
	const scripts = given.length > 0 ? given : [judged.parsed.operands[0]?.text];
	const hasFile = judged.parsed.found.some(({ name }) => name === '-f' || name === '--file');
	if (!hasFile && !scripts.every((script) => script !== undefined && isHarmlessSed(script))) {
		judged.context.findings.add('localMutation', 'sed may write files or run programs by its script');
	}
}

function checkAwk(judged: Judged): void {
	const hasFile = judged.parsed.found.length > 0;
	const program = judged.parsed.operands[0]?.text;
	if (!hasFile && (program === undefined || !isHarmlessAwk(program))) {
		judged.context.findings.runsInlineCode = true;
		judged.context.findings.add('localMutation', 'awk may write files or run programs by its script');
	}
}

function checkDate({ parsed, context }: Judged): void {
	if (parsed.operands.some((word) => !word.prefix.startsWith('+'))) {
		context.findings.add('destructive', "date sets the computer's clock");
	}
}

function checkFind(judged: Judged): void {
	const { words, context } = judged;
	const end = words.findIndex((word) => /^[-(!]/.test(word.prefix));
	const starts = words.slice(0, end < 0 ? words.length : end);
	if (has(judged, /^-delete$/)) {
		starts.forEach((word) => context.findings.touch(word, 'delete', context.place));
	}
	words.forEach((word, index) => {
		if (/^-(?:exec|execdir|ok|okdir)$/.test(word.text ?? '')) {
			const rest = words.slice(index + 1);
			const stop = rest.findIndex(({ text }) => text === ';' || text === '+');
			judgeFound(judged, stop < 0 ? rest : rest.slice(0, stop), starts);
		}
	});
}

/** A command that is run with what was found: `{}` may be anything below the folders in which was searched. */
function judgeFound({ context }: Judged, command: readonly ResolvedWord[], starts: readonly ResolvedWord[]): void {
	const folders = starts.length > 0 ? starts : [{ source: '.', text: '.', prefix: '.', isGlob: false, splits: false }];
	judgeCommand(
		command.map((word) => replaced(word, '{}')),
		context,
	);
	if (command.some(({ text }, index) => text === '{}' && index > 0)) {
		// Once more, for where it works.
		judgeCommand(
			command.flatMap((word, index) => (word.text === '{}' && index > 0 ? folders : [word])),
			context,
		);
	}
}

function checkFd(judged: Judged): void {
	const index = judged.words.findIndex(({ prefix }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=|$))/.test(prefix));
	if (index < 0) {
		return;
	}
	judged.context.findings.add('localMutation', 'fd runs a program with what it finds');
	const attached = /^--[\w-]+=(.*)$/s.exec(judged.words[index]?.text ?? '')?.[1];
	const rest = judged.words.slice(index + 1);
	const first =
		attached === undefined
			? []
			: [{ source: attached, text: attached, prefix: attached, isGlob: false, splits: false }];
	judgeFound(judged, [...first, ...rest], []);
}

function checkGitCheckout({ parsed, words, context }: Judged): void {
	const makesBranch = words.some(({ text }) => /^(?:-b|-B|--orphan|--track|-t)$/.test(text ?? ''));
	const isPath = parsed.operands.some(
		({ text }) => text === '.' || text?.startsWith('./') === true || text?.startsWith(':') === true,
	);
	const afterDashes = parsed.operandsBeforeDashes !== undefined && parsed.operands.length > parsed.operandsBeforeDashes;
	if (afterDashes || isPath || (!makesBranch && parsed.operands.length > 1)) {
		context.findings.add('destructive', 'git checkout discards changes');
	}
}

function checkGitPush({ parsed, context }: Judged): void {
	if (parsed.operands.slice(1).some((word) => /^[+:]/.test(word.prefix))) {
		context.findings.add('destructive', 'git push overwrites or deletes remote branches');
	}
}

function checkInterpreter({ name, parsed, words, context }: Judged): void {
	const { findings, input } = context;
	const module = words.findIndex(({ text }) => text === '-m');
	const command = module < 0 ? [] : words.slice(module + 1);
	if (PROGRAMS.has(command[0]?.text ?? '')) {
		judgeCommand(command, context);
		return;
	}
	const [script] = parsed.operands;
	const readsInput = script === undefined ? module < 0 : script.text === '-' || script.text === '/dev/stdin';
	if (readsInput && input.from !== 'nowhere') {
		findings.addUnknownCode(`${name} runs code from its input`);
	} else if (script !== undefined && script.text === undefined && script.source.startsWith('<(')) {
		findings.addUnknownCode(`${name} runs what another command prints`);
	}
}

function checkShell(judged: Judged): void {
	const { name, words, parsed, context } = judged;
	const [first] = parsed.operands;
	if (words.some(({ prefix }) => /^-[a-zA-Z]*c/.test(prefix))) {
		judgeCodeWord(`${name} -c`, first, context);
		return;
	}
	const readsInput =
		first === undefined || first.text === '-' || first.text === '/dev/stdin' || has(judged, /^-[a-z]*s/);
	context.findings.add('localMutation', `${name} runs a script`);
	if (!readsInput) {
		checkSource(judged);
		return;
	}
	const { input } = context;
	if (input.from === 'text' && input.text !== undefined) {
		context.judgeCode(input.text);
	} else if (input.from === 'pipe' || input.from === 'text') {
		context.findings.addUnknownCode(`${name} runs what another command prints`);
	}
}

/** A file of commands. One that another command makes up may hold anything. */
function checkSource({ name, parsed, context }: Judged): void {
	const [file] = parsed.operands;
	if (file !== undefined && (file.source.startsWith('<(') || file.text === '/dev/stdin')) {
		context.findings.addUnknownCode(`${name} runs what another command prints`);
	}
}

/** What it runs there is judged like here, but touches no file of this computer. */
function checkSsh({ words, context }: Judged): void {
	const host = words.findIndex(
		(word, index) => !/^-/.test(word.prefix) && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(words[index - 1]?.text ?? ''),
	);
	const rest = host < 0 ? [] : words.slice(host + 1);
	context.findings.addHost(`ssh://${words[host]?.text ?? ''}`);
	const texts = rest.map(({ text }) => text);
	const there = texts.includes(undefined) ? undefined : context.judgeElsewhere(texts.join(' '));
	const hasInput = context.input.from !== 'nowhere' && (rest.length === 0 || there?.effect !== 'readOnly');
	if (there === undefined || there.effect === 'destructive' || hasInput) {
		context.findings.add('destructive', there?.reasons[0] ?? 'ssh runs something that is only known when it runs');
	}
}

function checkCurl(judged: Judged): void {
	const { findings } = judged.context;
	const methods = valuesOf(judged, '-X', '--request');
	if (methods.some((method) => method === undefined || /^delete$/i.test(method))) {
		findings.add('destructive', 'curl deletes something remote');
	}
	for (const { text } of judged.words) {
		// A bare host is an address for curl, too.
		if (text !== undefined && /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)/.test(text)) {
			findings.addHost(`http://${text}`);
		}
	}
}

function checkWget(judged: Judged): void {
	for (const { text } of judged.parsed.operands) {
		if (text !== undefined && !text.includes('://')) {
			judged.context.findings.addHost(`http://${text}`);
		}
	}
}

function checkTar(judged: Judged): void {
	const { words, context } = judged;
	const { findings, place } = context;
	if (
		has(
			judged,
			/^--(?:to-command|checkpoint-action|use-compress-program|rmt-command|rsh-command|info-script|new-volume-script)|^-[a-zA-Z]*[IF]/,
		)
	) {
		findings.addUnknownCode('tar runs another program');
	}
	if (has(judged, /^--(?:remove-files|delete|recursive-unlink|unlink-first|overwrite)/)) {
		findings.add('destructive', 'tar deletes files');
	}
	const isMode = (text: string, index: number) =>
		(index === 0 && /^[a-zA-Z]+$/.test(text)) || /^-[a-zA-Z]*[cxtruA]/.test(text);
	const mode = words.map((word) => word.prefix).find(isMode);
	const onlyLists = mode !== undefined ? /t/.test(mode) && !/[cxruA]/.test(mode) : has(judged, /^--list$/);
	if (!onlyLists || has(judged, /^--(?:extract|get|create|append|update|concatenate|catenate)/)) {
		findings.add('localMutation', 'tar packs or unpacks files');
	}
	const file = words.findIndex(
		({ text }, index) => /^-?[a-zA-Z]*f$/.test(text ?? '') && (index === 0 || text?.startsWith('-') === true),
	);
	const archive = words[file + 1];
	if (mode !== undefined && /[cruA]/.test(mode) && file >= 0 && archive !== undefined && archive.text !== '-') {
		findings.touch(archive, 'write', place);
	}
	for (const folder of valuesOf(judged, '-C', '--directory')) {
		const text = folder ?? '';
		findings.touch({ source: text, text: folder, prefix: text, isGlob: false, splits: false }, 'write', place);
	}
}
