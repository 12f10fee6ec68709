export { BackgroundProcesses } from './backgroundProcesses.ts';
export { CommandRunner } from './commandRunner.ts';
export type { StreamName, StreamSummary } from './commandOutput.ts';
export type { CommandEnd, CommandSpec, CommandWrapper, WrappedCommand } from './commandSpec.ts';
export { Reaper } from './reaper.ts';
export { RunningCommand } from './runningCommand.ts';
export { revealHidden } from './screenText.ts';
export { findShell, plainShell, shellInvocation } from './shell.ts';
