export * from './ports/index.ts';
export { SessionClosedError } from './session/submissionQueue.ts';
export { SessionManager } from './session/sessionManager.ts';
export type { Session } from './session/session.ts';
export type { SessionParts } from './session/sessionFactory.ts';
export type { SessionPlace } from './session/sessionCore.ts';
