export { BubblewrapSandbox, type BubblewrapOptions } from './bubblewrap.ts';
export { probeSandbox, type SandboxState } from './probe.ts';
