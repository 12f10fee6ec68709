import type { Logger } from '../../../src/engine/index.ts';

export interface RecordingLogger extends Logger {
	readonly lines: string[];
}

/** A logger that keeps what it is told, so that a test can show it or look into it. */
export function recordingLogger(): RecordingLogger {
	const lines: string[] = [];
	return {
		lines,
		info: (message) => void lines.push(`info ${message}`),
		warn: (message) => void lines.push(`warn ${message}`),
		error: (message, error) =>
			void lines.push(`error ${message} ${error instanceof Error ? (error.stack ?? '') : String(error)}`),
	};
}
