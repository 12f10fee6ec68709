import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A codicon. Never the only carrier of a meaning: a label or a title stands beside it. */
export function Icon({ name, spin = false }: { readonly name: string; readonly spin?: boolean }) {
	return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

interface ButtonProps {
	readonly children: ComponentChildren;
	readonly onClick: () => void;
	readonly icon?: string;
	readonly title?: string;
	readonly primary?: boolean;
	readonly disabled?: boolean;
}

export function Button({ children, onClick, icon, title, primary = false, disabled = false }: ButtonProps) {
	return (
		<vscode-button
			appearance={primary ? 'primary' : 'secondary'}
			disabled={disabled}
			onClick={onClick}
			{...(title !== undefined && { title })}
		>
			{icon !== undefined && (
				<span slot="start">
					<Icon name={icon} />
				</span>
			)}
			{children}
		</vscode-button>
	);
}

interface IconButtonProps {
	readonly icon: string;
	/** Read out, and shown as the tooltip unless that says more. */
	readonly label: string;
	readonly title?: string;
	readonly onClick: () => void;
	readonly disabled?: boolean;
	readonly pressed?: boolean;
}

export function IconButton({ icon, label, title, onClick, disabled = false, pressed }: IconButtonProps) {
	return (
		<button
			type="button"
			class="icon-button"
			aria-label={label}
			title={title ?? label}
			disabled={disabled}
			onClick={onClick}
			{...(pressed !== undefined && { 'aria-pressed': pressed })}
		>
			<Icon name={icon} />
		</button>
	);
}

/** A small textual action, as VS Code draws links that do something. */
export function LinkButton({
	children,
	onClick,
}: {
	readonly children: ComponentChildren;
	readonly onClick: () => void;
}) {
	return (
		<button type="button" class="link-button" onClick={onClick}>
			{children}
		</button>
	);
}

interface DisclosureProps {
	readonly summary: ComponentChildren;
	readonly open: boolean;
	readonly onToggle: () => void;
	readonly children: ComponentChildren;
	readonly class?: string;
}

/** A line that opens what belongs to it. Closed content is not in the page at all. */
export function Disclosure({ summary, open, onToggle, children, class: className = '' }: DisclosureProps) {
	const id = useId();
	return (
		<div class={`disclosure ${className}`}>
			<button type="button" class="disclosure-head" aria-expanded={open} aria-controls={id} onClick={onToggle}>
				{summary}
				<Icon name={open ? 'chevron-down' : 'chevron-right'} />
			</button>
			<div id={id} class="disclosure-body" hidden={!open}>
				{open && children}
			</div>
		</div>
	);
}
