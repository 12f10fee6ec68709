export { ChatCompletionsClient, type ChatCompletionsOptions } from './chatCompletionsClient.ts';
export { detectLocalServers } from './detect.ts';
export { listModels } from './modelList.ts';
export { PRACTICE_MODEL } from './practice/practiceModel.ts';
export { PRACTICE_PROVIDER_ID, PROVIDERS } from './providers.ts';
export { ModelRegistry, type ProviderConfig } from './registry.ts';
