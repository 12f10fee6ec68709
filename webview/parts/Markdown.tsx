import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { Component } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../state/l10n.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { Icon } from './controls.tsx';
import { Inline } from './Inline.tsx';
import { GrowingMarkdown } from './markdownBlocks.ts';

function isList(token: Token): token is Tokens.List {
	return token.type === 'list' && 'items' in token;
}
function isTable(token: Token): token is Tokens.Table {
	return token.type === 'table' && 'header' in token;
}

function List({ list }: { readonly list: Tokens.List }) {
	const items = list.items.map((item, index) => (
		<li key={index} class={item.task ? 'task' : undefined}>
			{item.task && (
				<span class="task-box" role="img" aria-label={item.checked ? t('done') : t('not done')}>
					<Icon name={item.checked ? 'pass-filled' : 'circle-large'} />
				</span>
			)}
			<Blocks tokens={item.tokens} />
		</li>
	));
	return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Cell({ cell }: { readonly cell: Tokens.TableCell }) {
	const align = cell.align ?? undefined;
	const children = <Inline tokens={cell.tokens} />;
	const style = align ? { textAlign: align } : {};
	return cell.header ? <th style={style}>{children}</th> : <td style={style}>{children}</td>;
}

function Table({ table }: { readonly table: Tokens.Table }) {
	return (
		<div class="table-scroll" tabIndex={0} role="group" aria-label={t('Table')}>
			<table>
				<thead>
					<tr>
						{table.header.map((cell, index) => (
							<Cell key={index} cell={cell} />
						))}
					</tr>
				</thead>
				<tbody>
					{table.rows.map((row, index) => (
						<tr key={index}>
							{row.map((cell, column) => (
								<Cell key={column} cell={cell} />
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

/** Headings of an answer stand below the panel's own; most answers begin with the second level. */
function Heading({ depth, children }: { readonly depth: number; readonly children: ComponentChildren }) {
	return (
		<div role="heading" aria-level={Math.min(6, Math.max(3, depth + 1))} class={`heading heading-${depth}`}>
			{children}
		</div>
	);
}

function BlockContent({ token }: { readonly token: Token }) {
	const inline = 'tokens' in token ? <Inline tokens={token.tokens ?? []} /> : token.raw;
	if (isList(token)) {
		return <List list={token} />;
	}
	if (isTable(token)) {
		return <Table table={token} />;
	}
	switch (token.type) {
		case 'heading':
			return <Heading depth={'depth' in token && typeof token.depth === 'number' ? token.depth : 1}>{inline}</Heading>;
		case 'code': {
			const language = 'lang' in token && typeof token.lang === 'string' ? token.lang : '';
			const code = 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
			return <CodeBlock code={code} language={/^[^\s{,]*/.exec(language)?.[0] ?? ''} />;
		}
		case 'blockquote':
			return <blockquote>{'tokens' in token ? <Blocks tokens={token.tokens ?? []} /> : token.raw}</blockquote>;
		case 'hr':
			return <hr />;
		case 'text':
			return <>{inline}</>;
		case 'checkbox':
		case 'def':
		case 'space':
			return null;
		default:
			// HTML is shown as text: what a model writes never becomes markup here.
			return <p>{inline}</p>;
	}
}

/** Draws a token once: tokens are never changed, so the same one draws the same. */
class Block extends Component<{ readonly token: Token }> {
	override shouldComponentUpdate(next: { readonly token: Token }): boolean {
		return next.token !== this.props.token;
	}

	override render() {
		return <BlockContent token={this.props.token} />;
	}
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] }) {
	return (
		<>
			{tokens.map((token, index) => (
				<Block key={index} token={token} />
			))}
		</>
	);
}

/** Markdown as nodes, without HTML. While the text grows only its last block is lexed and drawn again. */
export function Markdown({ text }: { readonly text: string }) {
	const growing = useRef<GrowingMarkdown | null>(null);
	growing.current ??= new GrowingMarkdown();
	const { settled, tail } = growing.current.update(text);
	return (
		<div class="markdown">
			<Blocks tokens={[...settled, ...tail]} />
		</div>
	);
}
