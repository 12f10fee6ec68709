/** Where diagnostics go. Never given secrets, prompts or file contents. */
export interface Logger {
	info(message: string): void;
	warn(message: string): void;
	error(message: string, error?: unknown): void;
}

export const silentLogger: Logger = {
	info: () => undefined,
	warn: () => undefined,
	error: () => undefined,
};
