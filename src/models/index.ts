export { ChatCompletionsClient, type ChatCompletionsOptions } from './chatCompletionsClient.ts';
export { detectLocalServers, type LocalServer } from './detect.ts';
export { listModels, type ListedModel } from './modelList.ts';
export { PRACTICE_LABEL, PRACTICE_MODEL } from './practice/practiceModel.ts';
export { PRACTICE_PROVIDER_ID, PROVIDERS, providerOf, type ProviderDefinition } from './providers.ts';
export { ModelRegistry, type ModelsConfig, type ProviderConfig } from './registry.ts';
