import { Socket } from 'node:net';
import { DialError, toDialError } from './dialError.ts';
import { formatAuthority } from './hostName.ts';

/** RFC 8305, "Connection Attempt Delay". */
const NEXT_ATTEMPT_MS = 250;

/**
 * Connects to the first of the addresses that answers. The next is tried when one fails, or after 250 ms beside it.
 * @throws {DialError} of the first address when none answers; the signal's reason when aborted.
 */
export function raceConnect(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
	return new Promise((resolve, reject) => {
		const open = new Set<Socket>();
		const remaining = [...addresses];
		let firstError: DialError | undefined;
		let timer: NodeJS.Timeout | undefined;
		const finish = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', onAbort);
			open.forEach((socket) => socket.destroy());
		};
		const onAbort = () => {
			finish();
			reject(signal.reason as Error);
		};
		const tryNext = () => {
			clearTimeout(timer);
			const host = remaining.shift();
			if (host === undefined) {
				if (open.size === 0) {
					finish();
					reject(firstError ?? new DialError('dns', 'The name has no address.'));
				}
				return;
			}
			// Not `connect`: VS Code replaces that with one that ignores the options of the socket.
			const socket = new Socket({ allowHalfOpen: true }).connect({ host, port });
			socket.setNoDelay(true).setKeepAlive(true);
			open.add(socket);
			socket.once('connect', () => {
				open.delete(socket);
				finish();
				resolve(socket);
			});
			socket.on('error', (error) => {
				firstError ??= toDialError(error, formatAuthority(host, port));
				// Stays for the socket's life: one that won or lost the race may still fail, and 'close' tells its user.
				if (open.delete(socket) && !signal.aborted) {
					tryNext();
				}
			});
			timer = setTimeout(tryNext, NEXT_ATTEMPT_MS);
		};
		if (signal.aborted) {
			reject(signal.reason as Error);
			return;
		}
		signal.addEventListener('abort', onAbort, { once: true });
		tryNext();
	});
}

/** Takes turns between the families, so that a broken one costs one attempt (RFC 8305, section 4). */
export function interleave(addresses: readonly string[]): readonly string[] {
	const isV6 = (address: string) => address.includes(':');
	const first = addresses[0] !== undefined && isV6(addresses[0]);
	const [one, other] = [addresses.filter((a) => isV6(a) === first), addresses.filter((a) => isV6(a) !== first)];
	return Array.from({ length: Math.max(one.length, other.length) }, (_, i) => [one[i], other[i]])
		.flat()
		.filter((address) => address !== undefined);
}
