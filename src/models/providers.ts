import type { Dialect } from './requestBody.ts';

/** A service or local server that speaks the Chat Completions API. */
export interface ProviderDefinition {
	readonly id: string;
	readonly label: string;
	/** Without a slash at the end. Empty: the user enters it. */
	readonly baseUrl: string;
	/** `optional`: local servers that can be set up to want one. */
	readonly key: 'required' | 'optional';
	/** The environment variable in which tools look for this key; offered at set-up, never read unasked. */
	readonly keyVariable?: string;
	/** Where the user gets a key. */
	readonly keyPage?: string;
	readonly dialect?: Dialect;
	/** A path beside `/models`, from the server's root, that tells more of its models. */
	readonly nativeModels?: string;
	/** Sent with the request for the list of models, where that is not OpenAI's; `{key}` is the key. */
	readonly listHeaders?: Readonly<Record<string, string>>;
	/** A local server listens here by default. */
	readonly port?: number;
}

export const PRACTICE_PROVIDER_ID = 'practice';

export const PROVIDERS: readonly ProviderDefinition[] = [
	{
		id: 'openai',
		label: 'OpenAI',
		baseUrl: 'https://api.openai.com/v1',
		key: 'required',
		keyVariable: 'OPENAI_API_KEY',
		keyPage: 'https://platform.openai.com/api-keys',
		dialect: { cacheKey: true },
	},
	{
		id: 'anthropic',
		label: 'Anthropic',
		baseUrl: 'https://api.anthropic.com/v1',
		key: 'required',
		keyVariable: 'ANTHROPIC_API_KEY',
		keyPage: 'https://console.anthropic.com/settings/keys',
		listHeaders: { 'x-api-key': '{key}', 'anthropic-version': '2023-06-01' },
	},
	{
		id: 'gemini',
		label: 'Google Gemini',
		baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
		key: 'required',
		keyVariable: 'GEMINI_API_KEY',
		keyPage: 'https://aistudio.google.com/apikey',
		// Gemini 3 refuses tool calls without their signature, which the history does not keep. This value is documented
		// for such histories: https://ai.google.dev/gemini-api/docs/thought-signatures
		dialect: {
			callExtra: { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
		},
	},
	{
		id: 'openrouter',
		label: 'OpenRouter',
		baseUrl: 'https://openrouter.ai/api/v1',
		key: 'required',
		keyVariable: 'OPENROUTER_API_KEY',
		keyPage: 'https://openrouter.ai/settings/keys',
		dialect: { reasoningField: 'reasoning' },
	},
	{
		id: 'groq',
		label: 'Groq',
		baseUrl: 'https://api.groq.com/openai/v1',
		key: 'required',
		keyVariable: 'GROQ_API_KEY',
		keyPage: 'https://console.groq.com/keys',
	},
	{
		id: 'deepseek',
		label: 'DeepSeek',
		baseUrl: 'https://api.deepseek.com/v1',
		key: 'required',
		keyVariable: 'DEEPSEEK_API_KEY',
		keyPage: 'https://platform.deepseek.com/api_keys',
		dialect: { reasoningField: 'reasoning_content' },
	},
	{
		id: 'mistral',
		label: 'Mistral',
		baseUrl: 'https://api.mistral.ai/v1',
		key: 'required',
		keyVariable: 'MISTRAL_API_KEY',
		keyPage: 'https://console.mistral.ai/api-keys',
	},
	{
		id: 'xai',
		label: 'xAI',
		baseUrl: 'https://api.x.ai/v1',
		key: 'required',
		keyVariable: 'XAI_API_KEY',
		keyPage: 'https://console.x.ai',
	},
	{
		id: 'together',
		label: 'Together AI',
		baseUrl: 'https://api.together.xyz/v1',
		key: 'required',
		keyVariable: 'TOGETHER_API_KEY',
		keyPage: 'https://api.together.ai/settings/api-keys',
	},
	{
		id: 'fireworks',
		label: 'Fireworks AI',
		baseUrl: 'https://api.fireworks.ai/inference/v1',
		key: 'required',
		keyVariable: 'FIREWORKS_API_KEY',
		keyPage: 'https://app.fireworks.ai/settings/users/api-keys',
	},
	{
		id: 'ollama',
		label: 'Ollama',
		baseUrl: 'http://127.0.0.1:11434/v1',
		key: 'optional',
		nativeModels: '/api/ps',
		port: 11434,
	},
	{
		id: 'lmstudio',
		label: 'LM Studio',
		baseUrl: 'http://127.0.0.1:1234/v1',
		key: 'optional',
		nativeModels: '/api/v0/models',
		port: 1234,
	},
	{ id: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', key: 'optional', port: 8080 },
	{ id: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', key: 'optional', port: 8000 },
	{ id: 'custom', label: 'OpenAI-compatible server', baseUrl: '', key: 'optional' },
];

export function providerOf(id: string): ProviderDefinition | undefined {
	return PROVIDERS.find((each) => each.id === id);
}
