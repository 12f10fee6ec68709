export { BackgroundProcesses, type BackgroundProcess } from './backgroundProcesses.ts';
export { CommandRunner, type CommandRunnerOptions } from './commandRunner.ts';
export type { StreamName, StreamSummary } from './commandOutput.ts';
export type { CommandEnd, CommandSpec, CommandWrapper, WrappedCommand } from './commandSpec.ts';
export { Reaper } from './reaper.ts';
export { RunningCommand, type DataListener } from './runningCommand.ts';
export { revealHidden } from './screenText.ts';
export { findShell, plainShell, shellInvocation } from './shell.ts';
