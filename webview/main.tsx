import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/composer.css';
import './styles/markdown.css';
import './styles/cards.css';
import './styles/ansi.css';
import './styles/screens.css';
import '@preact/signals';
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeDropdown, vsCodeOption } from '@vscode/webview-ui-toolkit';
import { render } from 'preact';
import { receive, sayReady } from './state/store.ts';
import { post } from './state/vscodeApi.ts';
import { App } from './views/App.tsx';

// Only these: each one more makes the bundle larger.
provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDropdown(), vsCodeOption());

function logError(message: string): void {
	post({ type: 'log', level: 'error', message });
}

window.addEventListener('error', ({ message }) => logError(message));
window.addEventListener('unhandledrejection', ({ reason }) => logError(String(reason)));
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => receive(data));

const root = document.getElementById('root');
if (root) {
	root.replaceChildren(); // The host's skeleton.
	render(<App />, root);
	document.documentElement.dataset['ready'] = 'true';
	sayReady();
}
