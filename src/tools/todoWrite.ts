import { z } from 'zod';
import type { InvalidCall, PreparedCall, Tool, ToolExecution, ToolResult } from '../engine/ports/index.ts';
import type { Todo } from '../protocol/index.ts';
import { counted } from './fileTool.ts';
import { ToolShape } from './toolShape.ts';

/** As models know them; the protocol says `inProgress`. */
const STATUS = { pending: 'pending', in_progress: 'inProgress', completed: 'completed' } as const;
const shape = new ToolShape(
	'TodoWrite',
	'Set the plan that the user sees: the whole list each time, at most one in_progress. For work of several steps.',
	{
		todos: z.array(
			z.object({
				content: z.string().trim().min(1),
				status: z.enum(['pending', 'in_progress', 'completed']),
				priority: z.enum(['high', 'medium', 'low']).optional(),
			}),
		),
	},
	{
		items: 'todos',
		todo_list: 'todos',
		list: 'todos',
		text: 'content',
		title: 'content',
		task: 'content',
		state: 'status',
	},
);

/** Replaces the session's list of what is to be done. */
export class TodoWriteTool implements Tool {
	readonly definition = shape.definition;

	prepare(args: unknown): Promise<PreparedCall | InvalidCall> {
		return Promise.resolve(this.#prepare(args));
	}

	#prepare(args: unknown): PreparedCall | InvalidCall {
		const parsed = shape.parse(withKnownStatus(args));
		if (!parsed.ok) {
			return parsed.call;
		}
		const todos: Todo[] = parsed.value.todos.map(({ content, status, priority = 'medium' }) => ({
			content,
			status: STATUS[status],
			priority,
		}));
		if (todos.filter(({ status }) => status === 'inProgress').length > 1) {
			return { invalid: 'TodoWrite was not run: only one todo may be in_progress at a time.', title: 'TodoWrite' };
		}
		return {
			tool: 'TodoWrite',
			title: 'Update the plan',
			assessment: { effect: 'readOnly', outside: [], protectedPaths: [], reason: 'Updates the plan.' },
			access: 'exclusive',
			run: (execution) => Promise.resolve(setTodos(todos, execution)),
		};
	}
}

function setTodos(todos: Todo[], execution: ToolExecution): ToolResult {
	if (
		JSON.stringify(todos) ===
		JSON.stringify(execution.todos().map(({ content, status, priority }) => ({ content, status, priority })))
	) {
		return { ok: true, output: 'The plan is unchanged.' };
	}
	execution.setTodos(todos);
	const done = todos.filter(({ status }) => status === 'completed').length;
	const current = todos.find(({ status }) => status === 'inProgress');
	return {
		ok: true,
		output: `The plan has ${counted(todos.length, 'todo')}, ${done} completed.${current === undefined ? '' : ` In progress: ${current.content}`}`,
		display: { kind: 'todos', todos },
	};
}

/** `inProgress`, `in-progress` and `done` are what some models write. */
function withKnownStatus(args: unknown): unknown {
	const text = JSON.stringify(args, (key, value: unknown) => {
		if (key !== 'status' || typeof value !== 'string') {
			return value;
		}
		const plain = value.toLowerCase().replace(/[^a-z]/g, '');
		return plain === 'inprogress' ? 'in_progress' : plain === 'done' || plain === 'complete' ? 'completed' : plain;
	}) as string | undefined;
	return text === undefined ? undefined : (JSON.parse(text) as unknown);
}
