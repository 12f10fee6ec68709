import { connect, type Socket } from 'node:net';
import { AnswerSchema, readMessage, toLine, type Answer, type Question } from './messages.ts';
import type { Owner } from './ownerFiles.ts';

/**
 * Asks the owner of a database.
 * @returns its answer; `gone` where nobody listens, or the owner went away without an answer; `silent` where the signal
 * was aborted first
 */
export async function askOwner(
	owner: Owner,
	ask: Question['ask'],
	signal: AbortSignal,
): Promise<Answer | 'gone' | 'silent'> {
	if (owner.socket === null) {
		return 'gone';
	}
	const socket = connect(owner.socket);
	// A failed connection ends with `close` too, which is how it is noticed.
	socket.on('error', () => undefined);
	const stop = () => socket.destroy();
	signal.addEventListener('abort', stop, { once: true });
	try {
		if (signal.aborted) {
			stop();
		}
		const answer = await exchange(socket, { token: owner.token, ask });
		return signal.aborted && answer === 'gone' ? 'silent' : answer;
	} finally {
		signal.removeEventListener('abort', stop);
		socket.destroy();
	}
}

async function exchange(socket: Socket, question: Question): Promise<Answer | 'gone'> {
	socket.write(toLine(question));
	const parsed = AnswerSchema.safeParse(await readMessage(socket));
	return parsed.success ? parsed.data.answer : 'gone';
}
