export * from './clock.ts';
export * from './ids.ts';
export * from './logger.ts';
export * from './model.ts';
export * from './store.ts';
export * from './tools.ts';
