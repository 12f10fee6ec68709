// Runs before the panel's script: what VS Code gives a webview. `themeVariables` and `now` are set in front of this.
for (const [name, value] of Object.entries(themeVariables)) {
	document.documentElement.style.setProperty(name, value);
}
// The view is transparent: the side bar is seen behind it.
document.documentElement.style.background = themeVariables['--vscode-sideBar-background'];
Date.now = () => now;
let state;
window.posted = [];
window.acquireVsCodeApi = () => ({
	postMessage: (message) => window.posted.push(message),
	getState: () => state,
	setState: (next) => (state = next),
});
