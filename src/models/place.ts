/** Where a request went: what messages to the user name. */
export interface Place {
	/** The provider's name. */
	readonly label: string;
	readonly baseUrl: string;
	readonly model: string;
}

/** `Ollama (http://127.0.0.1:11434/v1)`, without a password that may stand in the address. */
export function describePlace(place: Place): string {
	return `${place.label} (${place.baseUrl.replace(/\/\/[^/@]*@/, '//')})`;
}

/** Whether an address is on this machine. */
export function isLocal(baseUrl: string): boolean {
	const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
	return host === 'localhost' || host === '[::1]' || host.startsWith('127.') || host.endsWith('.localhost');
}

/** What users paste: a slash or the path of the call itself at the end is taken away. */
export function cleanBaseUrl(baseUrl: string): string {
	return baseUrl
		.trim()
		.replace(/\/+$/, '')
		.replace(/\/chat\/completions$/, '');
}
