import { Component, type ComponentChildren } from 'preact';
import type { ApprovalRequest, Question } from '../../src/protocol/index.ts';
import { t } from '../state/l10n.ts';
import type { Entry, ItemEntry } from '../state/sessionView.ts';
import { ApprovalCard } from './ApprovalCard.tsx';
import { AgentText, ReasoningText, UserBubble } from './Messages.tsx';
import { NoticeLine, TurnEnd, UnknownLine } from './Notices.tsx';
import { QuestionCard } from './QuestionCard.tsx';
import { ToolCard } from './ToolCard.tsx';

export interface EntryProps {
	readonly entry: Entry;
	readonly sessionId: string;
	readonly cwd: string;
	readonly approvals: readonly ApprovalRequest[];
	readonly questions: readonly Question[];
	readonly canContinue: boolean;
	/** The one entry of the list that Tab reaches; the arrow keys go to the others. */
	readonly tabStop: boolean;
}

function labelOf(entry: Entry): string {
	switch (entry.kind) {
		case 'item':
			return itemLabel(entry);
		case 'notice':
			return entry.level === 'error' ? t('Error') : t('Warning');
		case 'turnEnd':
			return t('End of turn');
		case 'unknown':
			return t('Unknown event');
	}
}

function itemLabel({ item }: ItemEntry): string {
	switch (item.type) {
		case 'userMessage':
			return t('You');
		case 'agentMessage':
			return t('Agent');
		case 'reasoning':
			return t('Reasoning');
		case 'toolCall':
			return item.title === '' ? item.tool : item.title;
	}
}

function ItemContent({
	entry,
	sessionId,
	cwd,
	approvals,
	questions,
}: Omit<EntryProps, 'entry'> & { readonly entry: ItemEntry }) {
	const { item, running } = entry;
	switch (item.type) {
		case 'userMessage':
			return <UserBubble message={item} />;
		case 'agentMessage':
			return <AgentText message={item} running={running} />;
		case 'reasoning':
			return <ReasoningText reasoning={item} running={running} />;
		case 'toolCall':
			return (
				<ToolCard
					entry={entry}
					call={item}
					sessionId={sessionId}
					cwd={cwd}
					waiting={approvals.length + questions.length > 0}
				/>
			);
	}
}

function Content(props: EntryProps): ComponentChildren {
	const { entry } = props;
	switch (entry.kind) {
		case 'item':
			return <ItemContent {...props} entry={entry} />;
		case 'notice':
			return <NoticeLine entry={entry} />;
		case 'turnEnd':
			return <TurnEnd entry={entry} canContinue={props.canContinue} />;
		case 'unknown':
			return <UnknownLine entry={entry} />;
	}
}

function kindOf(entry: Entry): string {
	return entry.kind === 'item' ? entry.item.type : entry.kind;
}

/** One article of the conversation. Drawn again only when something of its own changed. */
export class EntryView extends Component<EntryProps> {
	override shouldComponentUpdate(next: EntryProps): boolean {
		const { props } = this;
		return (
			next.entry !== props.entry ||
			next.approvals !== props.approvals ||
			next.questions !== props.questions ||
			next.canContinue !== props.canContinue ||
			next.tabStop !== props.tabStop ||
			next.cwd !== props.cwd
		);
	}

	override render() {
		const { entry, approvals, questions, tabStop } = this.props;
		return (
			<article
				class={`entry entry-${kindOf(entry)}`}
				data-key={entry.key}
				aria-label={labelOf(entry)}
				tabIndex={tabStop ? 0 : -1}
			>
				<Content {...this.props} />
				{approvals.map((approval) => (
					<ApprovalCard key={approval.approvalId} approval={approval} />
				))}
				{questions.map((question) => (
					<QuestionCard key={question.questionId} question={question} />
				))}
			</article>
		);
	}
}
