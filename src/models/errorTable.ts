import type { ErrorCode } from '../protocol/index.ts';

/** What a failed call is taken for. The first row that fits wins. */
export interface ErrorRow {
	readonly code: ErrorCode;
	/** Of these statuses alone; of any, and of errors in mid stream, when absent. */
	readonly statuses?: readonly number[];
	/** Found in the server's text, its error code or its type. */
	readonly text?: RegExp;
	readonly retryable: boolean;
	/** What the user can do. `{model}`, `{label}` and `{url}` are filled in. */
	readonly remedy?: string;
}

const KEY_REMEDY = 'Check the API key of {label} and enter it again.';
const WAIT_REMEDY = 'Wait a little, then continue.';
const QUOTA_REMEDY = 'Check the plan and the billing of your account at {label}, or choose another model.';
const OVERFLOW_REMEDY = 'Start a new session, or choose a model with a larger context window.';
const MODEL_REMEDY = 'Choose another model; the list shows those that {label} offers.';

/**
 * By the texts that real servers send, which say more than their statuses. Each row has its cases in
 * test/unit/models/corpus/errors.ts.
 */
export const ERROR_TABLE: readonly ErrorRow[] = [
	// Texts that look like an overflow but pass with time ("Too many tokens, please wait before trying again", Bedrock).
	{
		code: 'rateLimited',
		text: /too many (tokens|requests)[^]*\b(wait|try(ing)? again|slow down|per (minute|day))|(please )?(retry|try again) in \d/i,
		retryable: true,
		remedy: WAIT_REMEDY,
	},
	// One request above the limit per minute never passes: it must get smaller, as with an overflow (OpenAI, Groq).
	{ code: 'contextOverflow', text: /request too large for/i, retryable: false, remedy: OVERFLOW_REMEDY },
	{
		code: 'usageLimit',
		text: /insufficient[_ ](quota|balance|credits|funds)|exceeded your current quota|credit balance|billing (hard )?limit|billing_not_active|usage limit|out of credits|requires more credits|used all available credits|spending limit|quota[_ ]exceeded/i,
		retryable: false,
		remedy: QUOTA_REMEDY,
	},
	{ code: 'usageLimit', statuses: [402], retryable: false, remedy: QUOTA_REMEDY },
	{
		code: 'rateLimited',
		text: /rate[_ -]?limit|too many requests|throttl|resource[_ ]exhausted|(requests|tokens) per (minute|day)/i,
		retryable: true,
		remedy: WAIT_REMEDY,
	},
	{ code: 'rateLimited', statuses: [429], retryable: true, remedy: WAIT_REMEDY },
	{
		code: 'contextOverflow',
		text: new RegExp(
			[
				'context[_ ]length[_ ]exceeded',
				'maximum context length', // OpenAI, vLLM, OpenRouter, DeepSeek
				'maximum model length', // vLLM
				'exceeds? the (available |model.s )?(context|maximum context)', // llama.cpp, OpenAI
				'context (window|size|length)[^.]{0,40}(exceed|overflow|too (small|short)|is full)', // llama.cpp, LM Studio
				'(exceed|great(er)?|larger?|longer) [^.]{0,40}context (window|length|size)', // Ollama, LM Studio
				'prompt is too long', // Anthropic
				'prompt (length|too long)[^.]*(exceed|context|maximum)', // Ollama
				'input (is )?too long', // Bedrock
				'input token count[^.]*exceeds', // Gemini
				'input length[^.]*exceed', // Ollama
				'exceed_context_size', // llama.cpp
				'too large for model with \\d+ maximum context', // Mistral
				'maximum prompt length is \\d+', // xAI
				'(inputs? tokens|`inputs`)[^.]*must (be|have)[^.]*(<=|less than)', // TGI, Together
				'(reduce|shorten) the length of (the|your) (messages|prompt|input)', // OpenAI, Groq
				'tokens to keep from the initial prompt', // LM Studio
				'token limit exceeded|exceeds? (the )?token limit',
				'model_max_prompt_tokens_exceeded', // GitHub, Copilot
			].join('|'),
			'i',
		),
		retryable: false,
		remedy: OVERFLOW_REMEDY,
	},
	{ code: 'contextOverflow', statuses: [413], retryable: false, remedy: OVERFLOW_REMEDY },
	{
		code: 'unauthorized',
		text: /(invalid|incorrect|missing|wrong|expired|malformed|no)[ _](x-)?api[ _-]?key|api[ _-]?key[^.]{0,20}(not valid|invalid|expired|missing|required)|invalid_?auth|authentication[ _](error|fails|required)|no auth credentials|unauthorized/i,
		retryable: false,
		remedy: KEY_REMEDY,
	},
	{ code: 'unauthorized', statuses: [401], retryable: false, remedy: KEY_REMEDY },
	{
		code: 'noModel',
		text: /model_not_found|"message":"model: |model[^.]{0,120}(does not exist|not exist|not found|is not available|not supported for generatecontent|decommissioned)|(unknown|invalid|no such) model\b|no endpoints found for|not a valid model id|no models? loaded|try pulling it/i,
		retryable: false,
		remedy: MODEL_REMEDY,
	},
	{
		code: 'badRequest',
		text: /does not support (tools|function)|tool[_ ](use|call\w*|choice)[^.]{0,40}(not supported|is not enabled|requires)|no endpoints found that support tool|support(s)? tool use/i,
		retryable: false,
		remedy: 'Choose a model that can call tools: {model} cannot.',
	},
	{
		code: 'unauthorized',
		statuses: [403],
		retryable: false,
		remedy: 'Check that the API key of {label} may use {model}, and that {label} serves your region.',
	},
	{
		code: 'badRequest',
		statuses: [404, 405],
		retryable: false,
		remedy: 'Check the base URL {url}: for most servers it ends in /v1.',
	},
	{
		code: 'network',
		statuses: [407, 511],
		retryable: false,
		remedy: 'Log in to the network or the proxy (VS Code setting http.proxy), then continue.',
	},
	{
		code: 'server',
		text: /overloaded|server_error|service unavailable|loading model|engine is (currently )?busy/i,
		retryable: true,
		remedy: WAIT_REMEDY,
	},
	{ code: 'server', statuses: [408, 409, 425, 498, 529], retryable: true, remedy: WAIT_REMEDY },
];
