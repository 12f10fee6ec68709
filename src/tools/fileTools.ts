import type { Tool } from '../engine/ports/index.ts';
import type { SessionFiles } from '../files/index.ts';
import { AskUserTool } from './askUser.ts';
import { DeleteTool } from './delete.ts';
import { EditTool } from './edit.ts';
import { GlobTool } from './glob.ts';
import { GrepTool } from './grep.ts';
import { ListTool } from './list.ts';
import { ReadTool } from './read.ts';
import type { Ripgrep } from './ripgrep.ts';
import { TodoWriteTool } from './todoWrite.ts';
import { WriteTool } from './write.ts';

/** Makes the tools of a session that need no process of the user's: files, search, plan, questions. */
export function createFileTools(files: SessionFiles, ripgrep: Ripgrep): Tool[] {
	return [
		new ReadTool(files),
		new WriteTool(files),
		new EditTool(files),
		new DeleteTool(files),
		new ListTool(files, ripgrep),
		new GrepTool(files, ripgrep),
		new GlobTool(files, ripgrep),
		new TodoWriteTool(),
		new AskUserTool(),
	];
}
