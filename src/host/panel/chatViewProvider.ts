import * as vscode from 'vscode';
import { ToHostSchema, type ToHost, type ToPanel } from '../../protocol/index.ts';
import type { Logger } from '../../engine/index.ts';
import { panelHtml } from './panelHtml.ts';

/** What is behind one view of the panel, from when it is drawn until it is closed. */
export interface PanelController extends Disposable {
	receive(message: ToHost): Promise<void>;
}
export type PanelControllerFactory = (post: (message: ToPanel) => void) => PanelController;

/** Shows the chat view, and passes checked messages between it and its controller. */
export class ChatViewProvider implements vscode.WebviewViewProvider {
	static readonly viewId = 'belay.chat';

	readonly #folder: vscode.Uri;
	readonly #createController: PanelControllerFactory;
	readonly #logger: Logger;
	#view: vscode.WebviewView | undefined;
	#controller: PanelController | undefined;

	constructor(extensionUri: vscode.Uri, createController: PanelControllerFactory, logger: Logger) {
		this.#folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
		this.#createController = createController;
		this.#logger = logger;
	}

	/** The user can see the panel now. */
	get visible(): boolean {
		return this.#view?.visible === true;
	}

	/** Sends a message to the panel, if there is one. */
	post(message: ToPanel): void {
		void this.#view?.webview.postMessage(message);
	}

	/** A number beside the view's icon: how many things wait for the user. */
	setBadge(waiting: number): void {
		if (this.#view !== undefined) {
			const tooltip =
				waiting === 1 ? vscode.l10n.t('1 thing waits for you') : vscode.l10n.t('{0} things wait for you', waiting);
			this.#view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
		}
	}

	resolveWebviewView(view: vscode.WebviewView): void {
		this.#controller?.[Symbol.dispose]();
		this.#view = view;
		view.webview.options = { enableScripts: true, localResourceRoots: [this.#folder] };
		const controller = this.#createController((message) => void view.webview.postMessage(message));
		this.#controller = controller;
		view.webview.onDidReceiveMessage((message: unknown) => void this.#receive(controller, message));
		view.onDidDispose(() => {
			controller[Symbol.dispose]();
			if (this.#view === view) {
				this.#view = undefined;
				this.#controller = undefined;
			}
		});
		view.webview.html = panelHtml(view.webview, this.#folder);
	}

	async #receive(controller: PanelController, message: unknown): Promise<void> {
		const parsed = ToHostSchema.safeParse(message);
		if (!parsed.success) {
			this.#logger.warn(`The panel sent a message that is not understood: ${parsed.error.message}`);
			return;
		}
		try {
			await controller.receive(parsed.data);
		} catch (error) {
			this.#logger.error(`The panel's “${parsed.data.type}” failed`, error);
			const text = error instanceof Error ? error.message : String(error);
			this.post({ type: 'notice', level: 'error', message: text });
		}
	}
}
