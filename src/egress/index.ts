export { SessionEgress } from './sessionEgress.ts';
export { HostFilter } from './hostFilter.ts';
