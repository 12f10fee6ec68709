import { homedir } from 'node:os';
import type { ToolRuntimeFactory } from '../../engine/index.ts';
import { FileTracker, PathRules, SessionFiles, WorkspacePaths, type OpenDocuments } from '../../files/index.ts';
import { CommandRunner, type Reaper } from '../../processes/index.ts';
import { BashTool, SessionProcesses } from '../../tools/bash/index.ts';
import { createFileTools } from '../../tools/fileTools.ts';
import type { Ripgrep } from '../../tools/ripgrep.ts';
import { SessionToolRuntime } from '../../tools/toolRuntime.ts';
import type { TaskTerminals } from '../terminals/taskTerminals.ts';
import { CommandProtection, type CommandProtectionParts } from './commandProtection.ts';

export interface SessionToolsParts extends CommandProtectionParts {
	readonly documents: OpenDocuments;
	readonly ripgrep: Ripgrep;
	readonly reaper: Reaper;
	readonly terminals: TaskTerminals;
	/** Absolute: where output that is too large for memory is kept while a command runs. */
	readonly spoolDirectory: string;
}

/** @returns what makes the tools of a session. Nothing of them is shared with another session. */
export function sessionToolsFactory(parts: SessionToolsParts): ToolRuntimeFactory {
	return (link) => {
		const home = homedir();
		const paths = new WorkspacePaths(new PathRules({ home, protectedPaths: parts.protectedPaths }), home);
		const files = new SessionFiles({ paths, tracker: new FileTracker(), documents: parts.documents });
		const protection = new CommandProtection(link, parts);
		const { reaper, spoolDirectory } = parts;
		const runner = new CommandRunner({ reaper, spoolDirectory, wrapper: protection });
		const processes = new SessionProcesses(runner);
		protection.pauseWhileAsking((itemId) => processes.pauseClock(itemId));
		const bash = new BashTool({
			processes,
			paths,
			home,
			environment: process.env,
			proxyVariables: (itemId) => protection.variables(itemId),
			protection: () => protection.inWords(),
			notes: (itemId) => protection.denials(itemId),
			host: {
				commandStarted: (started, running) => {
					protection.follow(running);
					return parts.terminals.showCommand(started, running);
				},
			},
		});
		return new SessionToolRuntime({
			tools: [...createFileTools(files, parts.ripgrep), bash],
			processes,
			start: () => protection.start(),
			holds: [protection, { [Symbol.dispose]: () => parts.terminals.forget(link.sessionId) }],
		});
	};
}
