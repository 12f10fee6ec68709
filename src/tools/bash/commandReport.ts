import type { OutputCaps } from '../../engine/ports/index.ts';
import type { ToolDisplay } from '../../protocol/index.ts';
import type { CommandEnd, RunningCommand, StreamName, StreamSummary } from '../../processes/index.ts';

/** Longer lines are cut in what the model is told: minified files, binary data. */
const MAX_LINE_CHARS = 2000;
/** What the card keeps of the output (protocol, `ToolDisplay`). */
const MAX_TAIL_BYTES = 16 * 1024;
/** Of what may be told, the share that errors get when both streams are long. */
const STDERR_SHARE = 0.6;

export interface CommandReport {
	readonly output: string;
	/** Set where the output is only a part: everything. */
	readonly fullOutput?: string;
}

/**
 * What the model is told of a command: everything where that is short, else how it ended, counts, the last 50 lines of
 * stderr and then the last 20 of stdout (DESIGN.md, Commands).
 * @param end undefined while it runs.
 * @param notes more lines for the model, before the output.
 */
export async function reportCommand(
	running: RunningCommand,
	end: CommandEnd | undefined,
	caps: OutputCaps,
	notes: readonly string[] = [],
): Promise<CommandReport> {
	const stdout = running.summary('stdout');
	const stderr = running.summary('stderr');
	const full = await running.fullText();
	const head = [heading(end, stdout, stderr), ...notes].join('\n');
	const isShort = full.length <= caps.resultChars && stdout.lines + stderr.lines <= Math.max(70, caps.shellLines);
	if (isShort) {
		return { output: `${head}\n${full.trimEnd() === '' ? '(no output)' : full.trimEnd()}` };
	}
	const sections = [
		section('stderr', stderr, caps.resultChars * (stdout.lines > 0 ? STDERR_SHARE : 1)),
		section('stdout', stdout, caps.resultChars * (stderr.lines > 0 ? 1 - STDERR_SHARE : 1)),
	].filter((text) => text !== '');
	const hint = '[Not all is shown. The whole output is kept: search it with RecallContext.]';
	return { output: [head, ...sections, hint].join('\n'), fullOutput: full };
}

/** What the card shows of a command. */
export function displayCommand(
	running: RunningCommand,
	end: CommandEnd | undefined,
	processId: string | null,
): ToolDisplay {
	const bytes = Buffer.from(running.screenTail());
	const tail = new TextDecoder().decode(bytes.subarray(Math.max(0, bytes.length - MAX_TAIL_BYTES + 16)));
	return {
		kind: 'command',
		tail: bytes.length > MAX_TAIL_BYTES ? tail.replace(/^\ufffd+/, '') : bytes.toString(),
		exitCode: end?.exitCode ?? null,
		signal: end?.signal ?? null,
		timedOut: end?.cause === 'timeout',
		processId,
		totalBytes: running.summary('stdout').bytes + running.summary('stderr').bytes,
	};
}

function heading(end: CommandEnd | undefined, stdout: StreamSummary, stderr: StreamSummary): string {
	const how =
		end === undefined
			? 'Running'
			: end.exitCode === null
				? `Ended by ${end.signal ?? 'an unknown cause'}`
				: `Exit code: ${end.exitCode}`;
	const counts = `stdout: ${lines(stdout)} | stderr: ${lines(stderr)}`;
	return [how, counts, ...(end === undefined ? [] : [`${(end.durationMs / 1000).toFixed(1)} s`])].join(' | ');
}

function lines({ lines }: StreamSummary): string {
	return lines === 1 ? '1 line' : `${lines} lines`;
}

function section(name: StreamName, summary: StreamSummary, maxChars: number): string {
	const shown: string[] = [];
	let room = maxChars;
	for (const line of [...summary.tail].reverse()) {
		const text = shorten(line);
		room -= text.length + 1;
		if (room < 0 && shown.length > 0) {
			break;
		}
		shown.unshift(text);
	}
	if (shown.length === 0) {
		return '';
	}
	const which = shown.length < summary.lines ? `last ${shown.length} of ${lines(summary)}` : lines(summary);
	return `${name}, ${which}:\n${shown.join('\n')}`;
}

function shorten(line: string): string {
	const left = line.length - MAX_LINE_CHARS;
	return left <= 0 ? line : `${line.slice(0, MAX_LINE_CHARS).toWellFormed()} [${left} more characters]`;
}
