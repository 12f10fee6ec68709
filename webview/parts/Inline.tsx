import type { ComponentChildren } from 'preact';
import type { Token, Tokens } from 'marked';
import { post } from '../state/vscodeApi.ts';
import { decodeEntities, fileInCode, linkTarget, type LinkTarget } from './links.ts';

interface LinkProps {
	readonly target: LinkTarget;
	readonly title?: string;
	readonly children: ComponentChildren;
}

/** Opens through the host, which checks again where it leads. */
export function Link({ target, title, children }: LinkProps) {
	const open = (event: MouseEvent) => {
		event.preventDefault();
		event.stopPropagation(); // VS Code's own handler of clicked links would open it a second time.
		if (target.kind === 'web') {
			post({ type: 'openLink', href: target.href });
		} else {
			post({ type: 'openFile', path: target.path, ...(target.line !== undefined && { line: target.line }) });
		}
	};
	const where = target.kind === 'web' ? target.href : target.path;
	return (
		<a href={target.kind === 'web' ? target.href : '#'} title={title ?? where} onClick={open}>
			{children}
		</a>
	);
}

function Code({ text }: { readonly text: string }) {
	const file = fileInCode(text);
	const code = <code>{text}</code>;
	return file ? <Link target={file}>{code}</Link> : code;
}

function LinkToken({ token }: { readonly token: Tokens.Link }) {
	const target = linkTarget(decodeEntities(token.href));
	const children = <Inline tokens={token.tokens} inLink />;
	if (target === null) {
		return (
			<>
				{children} ({token.href})
			</>
		);
	}
	// What is read is not always where it leads: the tooltip always says the address.
	return <Link target={target}>{children}</Link>;
}

function isLink(token: Token): token is Tokens.Link {
	return token.type === 'link' && 'href' in token;
}

function InlineToken({ token, inLink }: { readonly token: Token; readonly inLink: boolean }) {
	const children = 'tokens' in token ? <Inline tokens={token.tokens ?? []} inLink={inLink} /> : null;
	const text = 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
	if (isLink(token)) {
		return <LinkToken token={token} />;
	}
	switch (token.type) {
		case 'strong':
			return <strong>{children}</strong>;
		case 'em':
			return <em>{children}</em>;
		case 'del':
			return <del>{children}</del>;
		case 'br':
			return <br />;
		case 'codespan':
			return inLink ? <code>{text}</code> : <Code text={text} />;
		case 'image':
			// Not loaded: an address in an answer could carry data out.
			return <span class="image-alt">[{text === '' ? token.raw : text}]</span>;
		case 'escape':
			return <>{text}</>;
		case 'checkbox':
			return null; // Drawn by the list.
		case 'text':
			return children ?? <>{decodeEntities(text)}</>;
		default:
			return <>{token.raw}</>;
	}
}

export function Inline({ tokens, inLink = false }: { readonly tokens: readonly Token[]; readonly inLink?: boolean }) {
	return (
		<>
			{tokens.map((token, index) => (
				<InlineToken key={index} token={token} inLink={inLink} />
			))}
		</>
	);
}
