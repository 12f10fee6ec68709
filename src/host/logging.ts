import type * as vscode from 'vscode';
import type { Logger } from '../engine/index.ts';

/** Writes diagnostics to an output channel of VS Code. */
export function channelLogger(channel: vscode.LogOutputChannel): Logger {
	return {
		info: (message) => channel.info(message),
		warn: (message) => channel.warn(message),
		error: (message, error) => {
			const detail = error instanceof Error ? (error.stack ?? error.message) : typeof error === 'string' ? error : '';
			channel.error(detail === '' ? message : `${message}\n${detail}`);
		},
	};
}
