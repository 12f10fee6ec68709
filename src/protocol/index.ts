export * from './approvals.ts';
export * from './events.ts';
export * from './items.ts';
export * from './ops.ts';
export * from './sessions.ts';
export * from './webview.ts';
