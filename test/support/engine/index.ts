export { ok, type TestTool } from './testTools.ts';
export { Recorded, TestBench } from './testSession.ts';
