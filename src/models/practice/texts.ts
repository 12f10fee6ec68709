const REQUESTS = [
	'`read README.md`, `list src`, `search TODO in src`, `find *.json`',
	'`replace "old text" with "new text" in notes.txt`: asks with a diff, then edits',
	'`create notes.txt with Hello`, `delete notes.txt`',
	'`run npm test`, `run sleep 30 in the background`: shows the command in a task terminal',
	'`fetch https://example.com`: shows the question about a host that is not on the list',
	'`plan: look around, fix it, test it`, `ask me which colour: red, green`',
];

const REAL_MODEL = [
	'To work with a real model, click the name of the model beside the message box, and',
	'',
	'1. enter an API key (OpenAI, Anthropic, Google, OpenRouter, ...), or',
	'2. start a local server (Ollama, LM Studio, llama.cpp, vLLM) and choose it: no key, and nothing leaves your machine.',
].join('\n');

const list = () => REQUESTS.map((each) => `- ${each}`).join('\n');

export const helpText = (): string =>
	`I am the practice model: no AI, only rules, and no network. I show how Belay works. I understand:\n\n${list()}\n\nSeveral requests can follow each other, joined by "then" or one on each line.\n\n${REAL_MODEL}`;

export const unknownText = (): string =>
	`I did not understand that: I am the practice model, no AI, only a few rules. I understand:\n\n${list()}\n\n${REAL_MODEL}`;

export const DELEGATE_TEXT =
	'I cannot delegate that: the practice model has no sub-agents in this session. Everything else works; say `help` for a list.';
