import type { Clock } from '../engine/ports/index.ts';
import { LineTail } from './lineTail.ts';
import type { OutputListener } from './outputDeltas.ts';
import { OutputDeltas } from './outputDeltas.ts';
import { OutputSpool } from './outputSpool.ts';
import { ScreenText } from './screenText.ts';
import { TextTail } from './textTail.ts';

export type StreamName = 'stdout' | 'stderr';

export interface StreamSummary {
	/** Bytes as they came. */
	readonly bytes: number;
	/** Lines as a terminal would show them. */
	readonly lines: number;
	/** The last of them: at most 20 of stdout and 50 of stderr (DESIGN.md, Commands). */
	readonly tail: readonly string[];
}

const TAIL_LINES: Readonly<Record<StreamName, number>> = { stdout: 20, stderr: 50 };
/** Characters kept of what the card shows when the command has ended. */
const SCREEN_TAIL_CHARS = 16 * 1024;

/** One stream: bytes to characters (a character may be split between chunks; what is not UTF-8 becomes U+FFFD), lines. */
class StreamOutput {
	readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	readonly #lines: LineTail;
	readonly #screen: ScreenText;
	#bytes = 0;

	constructor(lines: number) {
		this.#lines = new LineTail(lines);
		this.#screen = new ScreenText((text) => this.#lines.push(text));
	}

	decode(chunk: Buffer | undefined): string {
		this.#bytes += chunk?.length ?? 0;
		const text = chunk === undefined ? this.#decoder.decode() : this.#decoder.decode(chunk, { stream: true });
		this.#screen.write(text);
		return text;
	}

	summary(): StreamSummary {
		const { rest } = this.#screen;
		return { bytes: this.#bytes, lines: this.#lines.count(rest), tail: this.#lines.lines(rest) };
	}
}

/**
 * The output of one command: what a terminal shows of both streams together, live and kept; and each stream's last
 * lines and counts. Memory is bounded whatever the command prints.
 */
export class CommandOutput implements AsyncDisposable {
	readonly #streams: Readonly<Record<StreamName, StreamOutput>> = {
		stdout: new StreamOutput(TAIL_LINES.stdout),
		stderr: new StreamOutput(TAIL_LINES.stderr),
	};
	readonly #deltas: OutputDeltas;
	readonly #screen: ScreenText;
	readonly #spool: OutputSpool;
	readonly #tail = new TextTail(SCREEN_TAIL_CHARS);

	/** @param directory where output that is too large for memory is kept; made when it is needed. */
	constructor(clock: Clock, directory: string) {
		this.#spool = new OutputSpool(directory);
		this.#deltas = new OutputDeltas(clock);
		this.#screen = new ScreenText((text) => {
			this.#spool.append(text);
			this.#deltas.committed(text);
			this.#tail.push(text);
		});
		this.#deltas.attach(this.#screen);
	}

	/** Bytes that wait for the disk. */
	get backlog(): number {
		return this.#spool.backlog;
	}

	/** Waits until nothing waits for the disk. */
	drained(): Promise<void> {
		return this.#spool.drained();
	}

	write(stream: StreamName, chunk: Buffer): void {
		this.#show(this.#streams[stream].decode(chunk));
	}

	/** No more comes: what was held back is shown, and the last delta is sent. */
	end(): void {
		this.#show(this.#streams.stdout.decode(undefined));
		this.#show(this.#streams.stderr.decode(undefined));
		this.#deltas.flush();
	}

	/** Sends the deltas that wait, now. */
	flush(): void {
		this.#deltas.flush();
	}

	onOutput(listener: OutputListener): Disposable {
		return this.#deltas.subscribe(listener);
	}

	summary(stream: StreamName): StreamSummary {
		return this.#streams[stream].summary();
	}

	/** @returns the end of what a terminal shows: at most 16 k characters. */
	screenTail(): string {
		return (this.#tail.toString() + this.#screen.rest).slice(-SCREEN_TAIL_CHARS).toWellFormed();
	}

	/** @returns all that a terminal showed; of more than 10 MB, beginning and end. */
	async fullText(): Promise<string> {
		const rest = this.#screen.rest;
		return (await this.#spool.text()) + rest;
	}

	#show(text: string): void {
		if (text !== '') {
			this.#screen.write(text);
			this.#deltas.changed();
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#deltas[Symbol.dispose]();
		await this.#spool[Symbol.asyncDispose]();
	}
}
