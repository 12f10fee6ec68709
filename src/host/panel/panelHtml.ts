import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The page of the panel: a skeleton that is there before any script is, and a way out when the script does not come up.
 * @param folder the folder with `main.js` and `main.css`.
 */
export function panelHtml(webview: vscode.Webview, folder: vscode.Uri): string {
	const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
	const nonce = randomBytes(16).toString('base64url');
	const policy = [
		`default-src 'none'`,
		`img-src ${webview.cspSource}`,
		`font-src ${webview.cspSource}`,
		// The toolkit probes the browser with one style element, to which it gives the nonce of the page's meta tag.
		`style-src ${webview.cspSource} 'nonce-${nonce}'`,
		`script-src 'nonce-${nonce}'`,
	].join('; ');
	const loading = vscode.l10n.t('Loading…');
	const stuck = vscode.l10n.t('The panel did not come up.');
	const reload = vscode.l10n.t('Reload it');
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('main.css')}">
<title>Belay</title>
</head>
<body>
<div id="root"><div class="skeleton" role="status">${escapeHtml(loading)}</div></div>
<div id="stuck" class="stuck" hidden>${escapeHtml(stuck)} <a href="" id="reload">${escapeHtml(reload)}</a></div>
<script nonce="${nonce}">
setTimeout(() => {
	if (document.documentElement.dataset.ready !== 'true') {
		document.getElementById('stuck').hidden = false;
		document.getElementById('reload').addEventListener('click', (event) => { event.preventDefault(); location.reload(); });
	}
}, 5000);
</script>
<script nonce="${nonce}" src="${uri('main.js')}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
