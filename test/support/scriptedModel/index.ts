export * from './answers.ts';
export * from './gate.ts';
export * from './scriptedModel.ts';
