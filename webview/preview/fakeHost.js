// Runs before the panel's script: what VS Code gives a webview. `themeVariables` and `now` are set in front of this.
for (const [name, value] of Object.entries(themeVariables)) {
	document.documentElement.style.setProperty(name, value);
}
Date.now = () => now;
let state;
window.posted = [];
window.acquireVsCodeApi = () => ({
	postMessage: (message) => window.posted.push(message),
	getState: () => state,
	setState: (next) => (state = next),
});
