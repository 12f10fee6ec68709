import { listModels, type ListedModel } from './modelList.ts';
import { PROVIDERS, type ProviderDefinition } from './providers.ts';

export interface LocalServer {
	readonly provider: ProviderDefinition;
	readonly baseUrl: string;
	/** May be empty: the server runs, but no model is installed or loaded. */
	readonly models: readonly ListedModel[];
}

export interface DetectOptions {
	/** Ports to look at in place of the usual ones, by provider id. */
	readonly ports?: Readonly<Record<string, number>>;
	/** Milliseconds for each. Default 700. */
	readonly timeoutMs?: number;
	readonly fetch?: typeof fetch;
}

/**
 * Looks for model servers on this machine, all at once, when the user asks for it; never by itself. Something else that
 * listens on such a port is not taken for one: it must list models.
 * @returns in the order of the provider list
 * @throws the signal's reason when aborted
 */
export async function detectLocalServers(signal: AbortSignal, options: DetectOptions = {}): Promise<LocalServer[]> {
	signal.throwIfAborted();
	const found = await Promise.all(
		PROVIDERS.map(async (provider) => {
			const port = options.ports ? options.ports[provider.id] : provider.port;
			return port === undefined ? undefined : probe(provider, port, signal, options);
		}),
	);
	signal.throwIfAborted();
	return found.filter((server) => server !== undefined);
}

async function probe(
	provider: ProviderDefinition,
	port: number,
	signal: AbortSignal,
	options: DetectOptions,
): Promise<LocalServer | undefined> {
	const baseUrl = `http://127.0.0.1:${port}/v1`;
	try {
		const models = await listModels(
			{
				label: provider.label,
				baseUrl,
				nativeModels: provider.nativeModels,
				timeoutMs: options.timeoutMs ?? 700,
				...(options.fetch && { fetch: options.fetch }),
			},
			signal,
		);
		return { provider, baseUrl, models };
	} catch {
		return undefined;
	}
}
