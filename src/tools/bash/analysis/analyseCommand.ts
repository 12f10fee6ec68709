import { tmpdir } from 'node:os';
import type { Effect } from '../../../protocol/index.ts';
import type { Assessment } from '../../../engine/ports/index.ts';
import { rootOf, type WorkspacePaths } from '../../../files/index.ts';
import type { TouchedPath } from './findings.ts';
import { Findings } from './findings.ts';
import { ScriptWalker } from './scriptWalker.ts';

/** What a command would do, as far as its text tells. */
export interface CommandAnalysis {
	readonly effect: Effect;
	/** Clauses without a subject, the worst first: `rm deletes files`. */
	readonly reasons: readonly string[];
	/** Absolute paths that it would write to or delete. */
	readonly writes: readonly string[];
	/** Computers that it names. */
	readonly hosts: readonly string[];
	/** Those of the paths that lie outside the workspace. Temporary folders do not count. */
	readonly outside: readonly string[];
	/** Those of the paths that are protected; and files of secrets that it would read. */
	readonly protectedPaths: readonly string[];
	/** It runs code that stands in it or is put together when it runs. */
	readonly runsInlineCode: boolean;
}

export interface AnalysisPlace {
	/** Absolute: where the command starts. */
	readonly cwd: string;
	/** Absolute and real. */
	readonly roots: readonly string[];
	readonly home: string;
}

/** Longer commands are not read through: no person could judge them either. */
const MAX_COMMAND_CHARS = 100_000;
/** Paths that are looked up on the disk although they are only read; of more, only the names are looked at. */
const MAX_READS = 100;
const TEMPORARY = new Set(['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp', tmpdir()]);

/**
 * Judges a command by the shell's grammar and what is known of its programs. The worst part wins; what cannot be made
 * out is never read-only. This decides what is asked, and is no boundary: that is the sandbox.
 */
export async function analyseCommand(
	command: string,
	place: AnalysisPlace,
	paths: WorkspacePaths,
): Promise<CommandAnalysis> {
	const findings = new Findings();
	if (command.length > MAX_COMMAND_CHARS) {
		findings.addUnknownCode('is too long to be judged');
	} else {
		const environment = { HOME: place.home, SHELL: '/bin/bash', TMPDIR: tmpdir() };
		new ScriptWalker(findings, place.cwd, { home: place.home, environment }).walk(command);
	}
	const outside = new Set<string>();
	const protectedPaths = new Set<string>();
	for (const [index, touched] of findings.paths.entries()) {
		if (touched.how === 'read' && index >= MAX_READS && !paths.isCredential(touched.path)) {
			continue;
		}
		const { target, kind } = await judgePath(touched, place, paths);
		if (kind === 'outside') {
			outside.add(target);
		} else if (kind !== 'inside') {
			protectedPaths.add(target);
			if (kind === 'secret') {
				findings.add('readOnly', `reads ${target}, which holds secrets`);
			}
		}
	}
	const writes = findings.paths.filter(({ how }) => how !== 'read').map(({ path }) => path);
	const { effect, reasons, hosts, runsInlineCode } = findings;
	return { effect, reasons, writes, hosts, outside: [...outside], protectedPaths: [...protectedPaths], runsInlineCode };
}

async function judgePath(
	{ path, how }: TouchedPath,
	{ cwd, roots }: AnalysisPlace,
	paths: WorkspacePaths,
): Promise<{ readonly target: string; readonly kind: 'inside' | 'outside' | 'protected' | 'secret' }> {
	try {
		const location = await paths.locate(path, { cwd, roots }, { follow: how !== 'delete' });
		if (how === 'read') {
			return { target: location.real, kind: location.isCredential && location.kind === 'file' ? 'secret' : 'inside' };
		}
		const isInside = location.root !== undefined || isTemporary(location.real);
		return { target: location.real, kind: location.isProtected ? 'protected' : isInside ? 'inside' : 'outside' };
	} catch {
		// It leads in a circle, or cannot be looked at.
		return { target: path, kind: how === 'read' || rootOf(path, roots) !== undefined ? 'inside' : 'outside' };
	}
}

function isTemporary(real: string): boolean {
	return [...TEMPORARY].some((folder) => real.startsWith(`${folder}/`) || real === folder);
}

/**
 * What approvals must know of a command.
 * @returns with a session key only for commands that do the same each time and destroy nothing.
 */
export function assessCommand(command: string, analysis: CommandAnalysis): Assessment {
	const { effect, outside, protectedPaths, runsInlineCode, reasons } = analysis;
	const normalised = command.trim();
	const isRepeatable =
		effect !== 'readOnly' &&
		effect !== 'destructive' &&
		!runsInlineCode &&
		outside.length === 0 &&
		protectedPaths.length === 0 &&
		normalised.length <= 500;
	const label = `\`${normalised}\` (exactly this command)`;
	return {
		effect,
		outside,
		protectedPaths,
		reason: asSentence(reasons),
		...(isRepeatable ? { sessionKey: { key: `bash:${normalised}`, label } } : {}),
	};
}

/** The first three reasons: more would not be read. */
function asSentence(reasons: readonly string[]): string {
	const [first = 'reads only', ...others] = reasons.slice(0, 3);
	const text = [first, ...others].join('; ');
	return `The command ${/^(?:runs|writes|reads|sets|cannot|is) /.test(first) ? text : `does this: ${text}`}.`;
}
