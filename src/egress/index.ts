export type { EgressProtection, SessionEgressOptions } from './sessionEgress.ts';
export { SessionEgress } from './sessionEgress.ts';
export { DEFAULT_ALLOWLIST, defaultHostFilter, HostFilter } from './hostFilter.ts';
export type { HostPattern, InvalidPattern } from './hostPattern.ts';
export { parsePattern } from './hostPattern.ts';
export type { AskEgress, EgressAnswer, EgressQuestion } from './questions.ts';
export type { UpstreamSettings } from './upstreamProxy.ts';
