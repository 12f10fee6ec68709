import { useState } from 'preact/hooks';
import type { Todo } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { Disclosure, Icon } from './controls.tsx';

function look(status: Todo['status']): { readonly icon: string; readonly word: string } {
	switch (status) {
		case 'completed':
			return { icon: 'pass-filled', word: t('done') };
		case 'inProgress':
			return { icon: 'circle-filled', word: t('in progress') };
		case 'pending':
			return { icon: 'circle-large', word: t('to do') };
	}
}

export function TodoList({ todos }: { readonly todos: readonly Todo[] }) {
	return (
		<ul class="todos">
			{todos.map((todo, index) => {
				const { icon, word } = look(todo.status);
				return (
					<li key={index} class={`todo todo-${todo.status}`}>
						<span role="img" aria-label={word} title={word}>
							<Icon name={icon} />
						</span>
						<span>{todo.content}</span>
						{todo.priority === 'high' && <span class="tag">{t('high')}</span>}
					</li>
				);
			})}
		</ul>
	);
}

/** Above the composer: how far the plan is, in one line. Gone when all of it is done. */
export function TodoStrip({ todos }: { readonly todos: readonly Todo[] }) {
	const [open, setOpen] = useState(false);
	const done = todos.filter(({ status }) => status === 'completed').length;
	if (done === todos.length) {
		return null;
	}
	const current =
		todos.find(({ status }) => status === 'inProgress') ?? todos.find(({ status }) => status === 'pending');
	return (
		<Disclosure
			class="todo-strip"
			open={open}
			onToggle={() => setOpen(!open)}
			summary={
				<>
					<span class="tool-icon">
						<Icon name="checklist" />
					</span>
					<span class="tool-title">{current?.content}</span>
					<span class="muted">{t('{0} of {1}', done, todos.length)}</span>
				</>
			}
		>
			<TodoList todos={todos} />
		</Disclosure>
	);
}
