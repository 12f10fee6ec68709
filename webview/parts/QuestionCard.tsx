import { useId, useRef, useState } from 'preact/hooks';
import type { Question } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import { panel, submit } from '../state/store.ts';
import { Button, Icon } from './controls.tsx';
import { moveFocusAfterAnswer } from './focus.ts';

/** A question of the agent to the user: options, and always a text of one's own. */
export function QuestionCard({ question }: { readonly question: Question }) {
	const [text, setText] = useState('');
	const answered = panel.value.answered.includes(question.questionId);
	const card = useRef<HTMLDivElement>(null);
	const titleId = useId();
	const answer = (given: string) => {
		if (answered || given.trim() === '') {
			return;
		}
		moveFocusAfterAnswer(card.current);
		submit({ type: 'questionResponse', questionId: question.questionId, answer: given.trim() });
	};
	return (
		<div
			ref={card}
			class="approval question"
			role="group"
			tabIndex={0}
			aria-labelledby={titleId}
			data-waiting={answered ? undefined : question.questionId}
		>
			<div class="approval-title" id={titleId}>
				<Icon name="question" /> {question.question}
			</div>
			<div class="question-options">
				{question.options.map((option, index) => (
					<Button key={index} disabled={answered} onClick={() => answer(option)}>
						{option}
					</Button>
				))}
			</div>
			<form
				class="stdin"
				onSubmit={(event) => {
					event.preventDefault();
					answer(text);
				}}
			>
				<input
					type="text"
					value={text}
					disabled={answered}
					aria-label={t('Your answer')}
					placeholder={question.options.length > 0 ? t('Or answer in your own words') : t('Your answer')}
					onInput={(event) => setText(event.currentTarget.value)}
				/>
				<Button primary disabled={answered} onClick={() => answer(text)}>
					{t('Answer')}
				</Button>
			</form>
			{answered && <div class="muted card-note">{t('Answer sent')}</div>}
		</div>
	);
}
