export { BubblewrapSandbox, type BubblewrapOptions } from './bubblewrap.ts';
export { probeSandbox } from './probe.ts';
