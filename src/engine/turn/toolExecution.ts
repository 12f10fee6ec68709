import type { ToolExecution } from '../ports/index.ts';
import type { SessionCore } from '../session/sessionCore.ts';
import type { TurnContext } from './turnContext.ts';

/** @returns what a running call may do in its session. */
export function executionFor(core: SessionCore, turn: TurnContext, itemId: string): ToolExecution {
	const { turnId, submissionId, signal } = turn;
	return {
		signal,
		output: (offset, text) => core.live.write(submissionId, itemId, offset, text),
		ask: async ({ question, options }) => {
			const questionId = core.newId('question');
			const request = { questionId, turnId, itemId, question, options };
			core.emit(submissionId, { type: 'questionAsked', question: request });
			const answer = await core.questions.ask(questionId, request, signal, null);
			core.emit(submissionId, { type: 'questionAnswered', questionId, itemId, answer });
			return answer;
		},
		todos: () => core.state.todos,
		setTodos: (todos) => core.emit(submissionId, { type: 'todosChanged', todos: [...todos] }),
		processStarted: ({ processId, command }) =>
			core.emit(submissionId, { type: 'processStarted', processId, itemId, command }),
		processEnded: ({ processId, exitCode, signal: killedBy }) =>
			core.emit('', { type: 'processEnded', processId, exitCode, signal: killedBy }),
	};
}
