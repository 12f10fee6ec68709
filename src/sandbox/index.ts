export { BubblewrapSandbox, type BubblewrapOptions } from './bubblewrap.ts';
export { SandboxError } from './sandboxError.ts';
export { probeSandbox, type SandboxState } from './probe.ts';
