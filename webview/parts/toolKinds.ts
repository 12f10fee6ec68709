import type { ItemEntry } from '../state/sessionView.ts';
import type { ToolCall } from '../../src/protocol/index.ts';

export type ToolKind = 'command' | 'edit' | 'read' | 'search' | 'web' | 'todos' | 'question' | 'agent' | 'other';

const KINDS: Readonly<Record<string, ToolKind>> = {
	Bash: 'command',
	Edit: 'edit',
	Write: 'edit',
	Delete: 'edit',
	Read: 'read',
	List: 'search',
	Grep: 'search',
	Glob: 'search',
	RecallContext: 'search',
	WebFetch: 'web',
	WebSearch: 'web',
	TodoWrite: 'todos',
	AskUser: 'question',
	InvokeAgent: 'agent',
};

export function toolKind(tool: string): ToolKind {
	return Object.hasOwn(KINDS, tool) ? (KINDS[tool] ?? 'other') : 'other';
}

const ICONS: Readonly<Record<ToolKind, string>> = {
	command: 'terminal',
	edit: 'edit',
	read: 'file',
	search: 'search',
	web: 'globe',
	todos: 'checklist',
	question: 'question',
	agent: 'organization',
	other: 'tools',
};

/** @returns a codicon's name. */
export function toolIcon(tool: string): string {
	return ICONS[toolKind(tool)];
}

/** The call's arguments, when they are complete JSON of an object. */
function argument(call: ToolCall, name: string): string | undefined {
	try {
		const args: unknown = JSON.parse(call.args);
		if (typeof args === 'object' && args !== null && name in args) {
			const value: unknown = Object.entries(args).find(([key]) => key === name)?.[1];
			return typeof value === 'string' ? value : undefined;
		}
	} catch {
		// Still being written by the model.
	}
	return undefined;
}

/** The exact command or path of a call. */
export function exactDetail(call: ToolCall): string {
	return call.detail ?? argument(call, 'command') ?? '';
}

export function callCwd(call: ToolCall, sessionCwd: string): string {
	return argument(call, 'cwd') ?? sessionCwd;
}

/** Running in the foreground or going on in the background: it can be killed. */
export function isAlive(entry: ItemEntry): boolean {
	return entry.running || entry.process?.running === true;
}
