import * as path from 'node:path';
import * as vscode from 'vscode';
import { randomIds, systemClock } from './engine/index.ts';
import { ApprovalNotifier } from './host/approvalNotifier.ts';
import { registerCommands } from './host/commands/command.ts';
import {
	DecideCommand,
	FocusCommand,
	NewSessionCommand,
	OpenSessionCommand,
	SetTrustModeCommand,
	StopCommand,
} from './host/commands/sessionCommands.ts';
import { SetupCommand } from './host/commands/setupCommands.ts';
import { ShowEgressLogCommand, ShowLogCommand, ShowTaskTerminalCommand } from './host/commands/showCommands.ts';
import { vscodeDocuments } from './host/files/vscodeDocuments.ts';
import { channelLogger } from './host/logging.ts';
import { ModelPicker } from './host/models/modelPicker.ts';
import { ModelSetup } from './host/models/modelSetup.ts';
import { ChatViewProvider } from './host/panel/chatViewProvider.ts';
import { EditDiff } from './host/panel/editDiff.ts';
import { PanelActions } from './host/panel/panelActions.ts';
import { ShownPanel } from './host/panel/shownPanel.ts';
import { WindowPanelHost } from './host/panel/windowPanelHost.ts';
import { SandboxLimit } from './host/sandboxLimit.ts';
import { SecretKeys } from './host/secretKeys.ts';
import { SessionHost } from './host/sessions/sessionHost.ts';
import { sessionToolsFactory } from './host/sessions/sessionTools.ts';
import { OwnedStoreOpener } from './host/sessions/storeOpener.ts';
import { Settings } from './host/settings.ts';
import { ShownSession } from './host/shownSession.ts';
import { TaskTerminals } from './host/terminals/taskTerminals.ts';
import { workspacePlace } from './host/workspacePlace.ts';
import { Reaper } from './processes/index.ts';
import { sharedStorageDirectory } from './storage/index.ts';
import { findRipgrep, Ripgrep } from './tools/ripgrep.ts';

let sessions: SessionHost | undefined;

/** Builds everything, by hand. Nothing here reads a file, opens the store, or talks to anyone: that comes with use. */
// One list of parts, in the order in which they need each other: splitting it would only hide that order.
// eslint-disable-next-line max-lines-per-function -- DESIGN.md, Layers: the composition root, about 100 lines
export function activate(context: vscode.ExtensionContext): void {
	const channel = vscode.window.createOutputChannel('Belay', { log: true });
	const logger = channelLogger(channel);
	const complained = new Set<string>();
	const complain = (message: string) => {
		if (!complained.has(message)) {
			complained.add(message);
			void vscode.window.showWarningMessage(`Belay: ${message}`);
		}
	};
	const settings = new Settings(complain);
	const setup = new ModelSetup(settings, new SecretKeys(context.secrets), context.globalState, logger);
	const picker = new ModelPicker(setup);
	const terminals = new TaskTerminals();
	const reaper = new Reaper();
	const diff = new EditDiff();
	const shown = new ShownSession();
	const place = workspacePlace();
	const storage = context.storageUri ?? context.globalStorageUri;
	const directory = path.join(sharedStorageDirectory(storage.fsPath), 'sessions');
	const host: SessionHost = new SessionHost(
		new OwnedStoreOpener(directory, logger),
		{
			models: setup.registry,
			clock: systemClock,
			newId: randomIds,
			logger,
			place,
			createTools: sessionToolsFactory({
				documents: vscodeDocuments,
				ripgrep: new Ripgrep(findRipgrep([__dirname, context.extensionPath])),
				reaper,
				terminals,
				logger,
				roots: place.roots,
				spoolDirectory: path.join(directory, 'output'),
				egressRules: () => ({ allow: settings.egressAllow, deny: settings.egressDeny }),
				complain,
				recordEgress: async (rows) => await (await host.store()).appendEgress(rows),
				protectedPaths: [path.dirname(path.dirname(context.globalStorageUri.fsPath)), directory],
			}),
		},
		logger,
	);
	sessions = host;
	const sandbox = new SandboxLimit();
	const panel = new ShownPanel(
		new WindowPanelHost({
			sessions: host,
			settings,
			setup,
			picker,
			shown,
			memory: context.workspaceState,
			sandbox,
			actions: new PanelActions({ store: () => host.store(), terminals, diff, cwd: place.cwd }),
			log: (level, message) => logger[level](`Panel: ${message}`),
		}),
	);
	const view = new ChatViewProvider(context.extensionUri, (post) => panel.create(post), logger);
	panel.attach(view);
	const notifier = new ApprovalNotifier({
		panelVisible: () => view.visible,
		enabled: () => settings.notifyWhenHidden,
		answer: (approvalId, allow) => panel.answer(approvalId, allow),
		showPanel: () => panel.focus(),
		isPending: (approvalId) => shown.isPending(approvalId),
	});
	const use = (choice: Parameters<ShownPanel['useModel']>[0]) => panel.useModel(choice);
	context.subscriptions.push(
		channel,
		host.onDidOpen((manager) => shown.follow(manager)),
		shown.onDidChange((event) => {
			view.setBadge(shown.waiting());
			if (event?.type === 'approvalRequested') {
				void notifier.notify(event.approval);
			}
		}),
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('belay.models')) {
				setup.refresh();
			}
		}),
		vscode.window.registerWebviewViewProvider(ChatViewProvider.viewId, view),
		registerCommands([
			new NewSessionCommand(panel),
			new FocusCommand(panel),
			new OpenSessionCommand(panel, () => host.ready()),
			new StopCommand(shown),
			new DecideCommand('belay.allow', shown),
			new DecideCommand('belay.deny', shown),
			new SetTrustModeCommand(shown, () => sandbox.limit),
			new SetupCommand('belay.setModel', (models) => models.pickModel(), picker, use),
			new SetupCommand('belay.setApiKey', (models) => models.enterKey(), picker, use),
			new SetupCommand('belay.findLocalServers', (models) => models.findLocalServers(), picker, use),
			new ShowTaskTerminalCommand(shown, terminals),
			new ShowEgressLogCommand(shown, () => host.store()),
			new ShowLogCommand(channel),
		]),
		...[terminals, reaper, diff, shown, sandbox].map((part) => ({ dispose: () => part[Symbol.dispose]() })),
	);
}

/** Leaves every session as it is in the store: the next host goes on from there. */
export async function deactivate(): Promise<void> {
	await sessions?.[Symbol.asyncDispose]();
}
