export { makeDirs, removeDirs, writeSettings, type Dirs } from './dirs.ts';
export type { Size, WorkbenchOptions } from './options.ts';
export { notifications, openContainer, runCommand, webviewFrame } from './page.ts';
export { freePort } from './server.ts';
export { THEMES, type Settings, type Theme } from './settings.ts';
export { until } from './until.ts';
export { withWorkbench, Workbench } from './workbench.ts';
