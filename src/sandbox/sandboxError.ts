/** A sandbox cannot be had, why, and what the user can do. */
export class SandboxError extends Error {
	override readonly name = 'SandboxError';
	readonly reason: string;
	readonly remedy: string;

	/** @param reason and remedy are sentences. */
	constructor(reason: string, remedy: string) {
		super(`${reason} ${remedy}`);
		this.reason = reason;
		this.remedy = remedy;
	}
}
