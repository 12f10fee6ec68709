import type { Socket } from 'node:net';
import { z } from 'zod';

/**
 * What another process asks of the owner, one line of JSON on a new connection. `handOver`: if you are idle. `takeOver`:
 * also if you are busy. `wait`: tell me when you are idle.
 */
export const QuestionSchema = z.object({ token: z.string(), ask: z.enum(['handOver', 'takeOver', 'wait']) });
export type Question = z.infer<typeof QuestionSchema>;

/** `yours`: the database is closed and free. `idle`: to a `wait`. */
export const AnswerSchema = z.object({ answer: z.enum(['yours', 'busy', 'idle']) });
export type Answer = z.infer<typeof AnswerSchema>['answer'];

const MAX_LINE = 4096;

/**
 * Reads one line of JSON.
 * @returns undefined where the other side closed first, sent too much or no JSON
 */
export function readMessage(socket: Socket): Promise<unknown> {
	return new Promise((resolve) => {
		let text = '';
		const finish = (value: unknown) => {
			socket.off('data', onData);
			resolve(value);
		};
		const onData = (chunk: string) => {
			text += chunk;
			const end = text.indexOf('\n');
			if (end >= 0) {
				finish(parse(text.slice(0, end)));
			} else if (text.length > MAX_LINE) {
				finish(undefined);
			}
		};
		socket.setEncoding('utf8');
		socket.on('data', onData);
		socket.once('close', () => finish(undefined));
	});
}

function parse(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

export function toLine(message: Question | { readonly answer: Answer }): string {
	return `${JSON.stringify(message)}\n`;
}
