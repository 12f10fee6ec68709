export { BashTool, type BashToolOptions } from './bashTool.ts';
export type { CommandHost, StartedCommand } from './commandHost.ts';
export { SessionProcesses } from './sessionProcesses.ts';
