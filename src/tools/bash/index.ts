export { BashTool } from './bashTool.ts';
export type { StartedCommand } from './commandHost.ts';
export { SessionProcesses } from './sessionProcesses.ts';
