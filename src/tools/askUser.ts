import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool } from '../engine/ports/index.ts';
import { ToolShape } from './toolShape.ts';

const shape = new ToolShape(
	'AskUser',
	'Ask the user something that only they can decide. Give options where there are a few.',
	{ question: z.string().trim().min(1), options: z.array(z.string()).optional() },
	{ prompt: 'question', message: 'question', text: 'question', choices: 'options' },
);
const TITLE_CHARS = 80;

/** Puts a question to the user, and waits for the answer. */
export class AskUserTool implements Tool {
	readonly definition = shape.definition;

	prepare(args: unknown): Promise<PreparedCall | InvalidCall> {
		const parsed = shape.parse(args);
		if (!parsed.ok) {
			return Promise.resolve(parsed.call);
		}
		const { question } = parsed.value;
		const options = [...new Set((parsed.value.options ?? []).map((option) => option.trim()))].filter(
			(option) => option !== '',
		);
		const title = question.length > TITLE_CHARS ? `${question.slice(0, TITLE_CHARS - 1)}…` : question;
		return Promise.resolve({
			tool: 'AskUser',
			title: `Ask: ${title}`,
			detail: question,
			assessment: { effect: 'readOnly', outside: [], protectedPaths: [], reason: 'Asks you a question.' },
			access: 'exclusive',
			run: async (execution) => {
				const answer = (await execution.ask({ question, options }))?.trim() ?? '';
				return answer === ''
					? { ok: true, output: 'The user gave no answer. Go on by your own judgement, or end the turn.' }
					: { ok: true, output: `The user answers: ${answer}`, display: { kind: 'answer', question, answer } };
			},
		});
	}
}
