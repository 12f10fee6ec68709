/** What one connection may take. Times in milliseconds, sizes in bytes. */
export interface EgressLimits {
	/** From the connection to the end of the request's head or of the SOCKS handshake. */
	readonly headMs: number;
	readonly headBytes: number;
	/** Looking a name up and connecting. */
	readonly dialMs: number;
	/** Without a byte in either direction. There is no limit of the whole. */
	readonly idleMs: number;
	/** Open at a time on one listener; more are closed at once. */
	readonly maxConnections: number;
}

export const DEFAULT_LIMITS: EgressLimits = {
	headMs: 10_000,
	headBytes: 16_384,
	dialMs: 10_000,
	idleMs: 3_600_000,
	maxConnections: 1_024,
};
