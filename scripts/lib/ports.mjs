import net from 'node:net';
import { Stop } from './log.mjs';

/**
 * @param {number} wanted
 * @returns {Promise<number>} it, or the next port that nothing listens on
 * @throws {Stop} when the next twenty are taken too
 */
export async function portFrom(wanted) {
	for (let port = wanted; port < wanted + 20; port++) {
		if (await isFree(port)) {
			return port;
		}
	}
	throw new Stop(`The ports ${wanted} to ${wanted + 19} are taken.`, 'Name a free one with --port or BELAY_PORT.');
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
	return new Promise((resolve) => {
		const server = net.createServer().once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
