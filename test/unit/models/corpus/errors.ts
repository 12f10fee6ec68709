import type { ErrorCode } from '../../../../src/protocol/index.ts';

/** An answer of a real server that fails: `[server, status, body or message, code, retryable]`. */
export type ErrorCase = readonly [server: string, status: number, body: string, code: ErrorCode, retryable: boolean];

const message = (text: string, extra: object = {}) => JSON.stringify({ error: { message: text, ...extra } });

export const ERROR_CASES: readonly ErrorCase[] = [
	// The conversation is too long.
	[
		'OpenAI',
		400,
		message(
			"This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
			{ code: 'context_length_exceeded' },
		),
		'contextOverflow',
		false,
	],
	[
		'OpenAI',
		400,
		message('Your input exceeds the context window of this model. Please adjust your input and try again.'),
		'contextOverflow',
		false,
	],
	[
		'OpenAI, one request over the limit per minute',
		429,
		message(
			'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.',
			{ type: 'tokens', code: 'rate_limit_exceeded' },
		),
		'contextOverflow',
		false,
	],
	[
		'vLLM',
		400,
		message(
			"This model's maximum context length is 4096 tokens. However, you requested 5120 tokens (4096 in the messages, 1024 in the completion).",
		),
		'contextOverflow',
		false,
	],
	[
		'vLLM',
		400,
		JSON.stringify({
			object: 'error',
			message: 'The decoder prompt (length 9001) is longer than the maximum model length of 8192.',
			type: 'BadRequestError',
			code: 400,
		}),
		'contextOverflow',
		false,
	],
	[
		'llama.cpp',
		400,
		message('request (9001 tokens) exceeds the available context size (8192 tokens), try increasing it', {
			type: 'exceed_context_size_error',
			code: 400,
		}),
		'contextOverflow',
		false,
	],
	[
		'llama.cpp, older',
		500,
		message('the request exceeds the available context size. try increasing the context size or enable context shift'),
		'contextOverflow',
		false,
	],
	[
		'Anthropic',
		400,
		message('prompt is too long: 213462 tokens > 200000 maximum', { type: 'invalid_request_error' }),
		'contextOverflow',
		false,
	],
	[
		'Anthropic',
		413,
		message('Request exceeds the maximum size', { type: 'request_too_large' }),
		'contextOverflow',
		false,
	],
	[
		'Gemini',
		400,
		JSON.stringify([
			{
				error: {
					code: 400,
					message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).',
					status: 'INVALID_ARGUMENT',
				},
			},
		]),
		'contextOverflow',
		false,
	],
	['Ollama', 400, message('input length exceeds maximum context length'), 'contextOverflow', false],
	['Ollama', 500, message('prompt too long; exceeded max context length by 1024 tokens'), 'contextOverflow', false],
	[
		'LM Studio',
		400,
		message(
			'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Tokens to keep from the initial prompt is greater than the context length',
		),
		'contextOverflow',
		false,
	],
	[
		'OpenRouter',
		400,
		message(
			"This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (139000 of text input, 1000 in the output).",
		),
		'contextOverflow',
		false,
	],
	[
		'Mistral',
		400,
		JSON.stringify({
			object: 'error',
			message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
			type: 'invalid_request_error',
		}),
		'contextOverflow',
		false,
	],
	[
		'xAI',
		400,
		JSON.stringify({
			code: 'Client specified an invalid argument',
			error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
		}),
		'contextOverflow',
		false,
	],
	[
		'DeepSeek',
		400,
		message("This model's maximum context length is 65536 tokens. However, you requested 70000 tokens"),
		'contextOverflow',
		false,
	],
	[
		'Together',
		422,
		message(
			'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 0 `max_new_tokens`',
		),
		'contextOverflow',
		false,
	],
	['Bedrock', 400, JSON.stringify({ message: 'Input is too long for requested model.' }), 'contextOverflow', false],
	[
		'Groq',
		400,
		message('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
		'contextOverflow',
		false,
	],

	// Too fast: passes with time, whatever words it uses.
	[
		'Bedrock',
		429,
		JSON.stringify({ message: 'Too many tokens, please wait before trying again.' }),
		'rateLimited',
		true,
	],
	[
		'Bedrock through a gateway',
		400,
		message('ThrottlingException: Too many tokens, please wait before trying again.'),
		'rateLimited',
		true,
	],
	[
		'OpenAI',
		429,
		message(
			'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4s.',
			{ code: 'rate_limit_exceeded' },
		),
		'rateLimited',
		true,
	],
	[
		'Groq',
		429,
		message(
			'Rate limit reached for model `llama-3.3-70b-versatile` on tokens per day (TPD): Limit 100000, Used 99900, Requested 900. Please try again in 11m31.2s.',
		),
		'rateLimited',
		true,
	],
	[
		'Gemini, per minute',
		429,
		JSON.stringify([
			{
				error: {
					code: 429,
					message:
						'You exceeded your current quota, please check your plan and billing details. Please retry in 34.074824224s.',
					status: 'RESOURCE_EXHAUSTED',
				},
			},
		]),
		'rateLimited',
		true,
	],
	[
		'Gemini',
		429,
		message('Resource has been exhausted (e.g. check quota).', { status: 'RESOURCE_EXHAUSTED' }),
		'rateLimited',
		true,
	],
	['Mistral', 429, JSON.stringify({ message: 'Requests rate limit exceeded' }), 'rateLimited', true],
	['nginx', 429, '<html><head><title>429 Too Many Requests</title></head></html>', 'rateLimited', true],
	['anyone, without a text', 429, '', 'rateLimited', true],

	// Paid up.
	[
		'OpenAI',
		429,
		message('You exceeded your current quota, please check your plan and billing details.', {
			type: 'insufficient_quota',
			code: 'insufficient_quota',
		}),
		'usageLimit',
		false,
	],
	[
		'Anthropic',
		400,
		message(
			'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
		),
		'usageLimit',
		false,
	],
	['DeepSeek', 402, message('Insufficient Balance'), 'usageLimit', false],
	[
		'OpenRouter',
		402,
		message('This request requires more credits, or fewer max_tokens.', { code: 402 }),
		'usageLimit',
		false,
	],
	[
		'xAI',
		403,
		JSON.stringify({ error: 'Your team has either used all available credits or reached its monthly spending limit.' }),
		'usageLimit',
		false,
	],

	// The key.
	[
		'OpenAI',
		401,
		message('Incorrect API key provided: sk-ab***yz.', { code: 'invalid_api_key' }),
		'unauthorized',
		false,
	],
	['Anthropic', 401, message('invalid x-api-key', { type: 'authentication_error' }), 'unauthorized', false],
	[
		'Gemini',
		400,
		JSON.stringify([
			{ error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
		]),
		'unauthorized',
		false,
	],
	[
		'xAI',
		400,
		JSON.stringify({ code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***yz.' }),
		'unauthorized',
		false,
	],
	['DeepSeek', 401, message('Authentication Fails, Your api key: ****abcd is invalid'), 'unauthorized', false],
	['OpenRouter', 401, message('No auth credentials found', { code: 401 }), 'unauthorized', false],
	['vLLM', 401, JSON.stringify({ error: 'Unauthorized' }), 'unauthorized', false],
	[
		'OpenAI, region',
		403,
		message('Country, region, or territory not supported', { code: 'unsupported_country_region_territory' }),
		'unauthorized',
		false,
	],

	// The model.
	[
		'OpenAI',
		404,
		message('The model `gpt-9` does not exist or you do not have access to it.', { code: 'model_not_found' }),
		'noModel',
		false,
	],
	['Ollama', 404, message("model 'qwen9' not found", { type: 'not_found_error' }), 'noModel', false],
	[
		'vLLM',
		404,
		JSON.stringify({ object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 }),
		'noModel',
		false,
	],
	['DeepSeek', 400, message('Model Not Exist'), 'noModel', false],
	['Anthropic', 404, message('model: claude-9', { type: 'not_found_error' }), 'noModel', false],
	[
		'Gemini',
		404,
		JSON.stringify([
			{
				error: {
					code: 404,
					message: 'models/gemini-9 is not found for API version v1main, or is not supported for generateContent.',
				},
			},
		]),
		'noModel',
		false,
	],
	['OpenRouter', 404, message('No endpoints found for x/y.'), 'noModel', false],
	['OpenRouter', 400, message('x/y is not a valid model ID', { code: 400 }), 'noModel', false],
	['Mistral', 400, JSON.stringify({ message: 'Invalid model: mistral-9' }), 'noModel', false],
	[
		'LM Studio',
		404,
		message('No models loaded. Please load a model in the developer page or use the lms load command.'),
		'noModel',
		false,
	],

	// Tools.
	['Ollama', 400, message('registry.ollama.ai/library/gemma:2b does not support tools'), 'badRequest', false],
	['OpenRouter', 404, message('No endpoints found that support tool use. Try disabling "Read".'), 'badRequest', false],
	[
		'vLLM',
		400,
		message('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
		'badRequest',
		false,
	],

	// The server.
	['Anthropic', 529, message('Overloaded', { type: 'overloaded_error' }), 'server', true],
	[
		'OpenAI',
		500,
		message('The server had an error while processing your request.', { type: 'server_error' }),
		'server',
		true,
	],
	['OpenAI', 503, message('That model is currently overloaded with other requests.'), 'server', true],
	['llama.cpp', 503, message('Loading model', { type: 'unavailable_error' }), 'server', true],
	['nginx', 502, '<html><head><title>502 Bad Gateway</title></head></html>', 'server', true],
	['Cloudflare', 524, '<!DOCTYPE html><html><title>A timeout occurred</title></html>', 'server', true],
	['anyone', 408, 'Request Timeout', 'server', true],

	// What we sent, or where.
	['OpenAI', 400, message("Invalid value for 'messages[2].role'."), 'badRequest', false],
	[
		'FastAPI',
		422,
		JSON.stringify({ detail: [{ loc: ['body', 'x'], msg: 'extra fields not permitted' }] }),
		'badRequest',
		false,
	],
	['FastAPI', 404, JSON.stringify({ detail: 'Not Found' }), 'badRequest', false],
	['a web server', 404, '<!DOCTYPE html><html><head><title>404 Not Found</title></head></html>', 'badRequest', false],
	[
		'OpenAI, an invalid request that is no overflow',
		400,
		message('Invalid request: field context is required'),
		'badRequest',
		false,
	],
	['a captive portal', 511, '<html>Network Authentication Required</html>', 'network', false],
];
