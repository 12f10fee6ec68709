/** What VS Code's settings.json holds. */
export type Settings = Readonly<Record<string, unknown>>;

/** Settings that keep the workbench from showing, asking or fetching anything that no test asked for. */
export const QUIET_SETTINGS: Settings = {
	'workbench.startupEditor': 'none',
	'workbench.welcomePage.walkthroughs.openOnInstall': false,
	'workbench.welcomePage.experimentalOnboarding': false,
	'workbench.tips.enabled': false,
	'workbench.enableExperiments': false,
	'workbench.secondarySideBar.defaultVisibility': 'hidden',
	'workbench.colorTheme': 'Dark Modern',
	'chat.disableAIFeatures': true,
	'chat.commandCenter.enabled': false,
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'update.showReleaseNotes': false,
	'extensions.autoUpdate': false,
	'extensions.autoCheckUpdates': false,
	'extensions.ignoreRecommendations': true,
	'security.workspace.trust.startupPrompt': 'never',
	'security.workspace.trust.banner': 'never',
	'git.openRepositoryInParentFolders': 'never',
	'task.allowAutomaticTasks': 'off',
	'window.confirmBeforeClose': 'never',
	// Without the GPU the text of terminals is in the DOM.
	'terminal.integrated.gpuAcceleration': 'off',
	// A hover over the icon that was clicked would lie over the view and take its clicks.
	'workbench.hover.delay': 600000,
	'terminal.integrated.defaultProfile.linux': 'bash',
	'editor.accessibilitySupport': 'off',
};

/** The colour themes of the screenshots, by the class that the workbench carries under each. */
export const THEMES = {
	dark: { name: 'Default Dark Modern', className: 'vs-dark' },
	light: { name: 'Default Light Modern', className: 'vs' },
	'high-contrast': { name: 'Default High Contrast', className: 'hc-black' },
	'high-contrast-light': { name: 'Default High Contrast Light', className: 'hc-light' },
} as const;

/** One of the themes that `Workbench.theme` switches to. */
export type Theme = keyof typeof THEMES;
