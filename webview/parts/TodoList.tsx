import type { Todo } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { Icon } from './controls.tsx';

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
