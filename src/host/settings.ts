import * as vscode from 'vscode';
import { z } from 'zod';
import { TrustModeSchema } from '../protocol/index.ts';

const ProviderSettingSchema = z.object({
	id: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/),
	label: z.string().min(1),
	baseUrl: z.url({ protocol: /^https?$/ }),
	needsKey: z.boolean().default(true),
});
export type ProviderSetting = z.infer<typeof ProviderSettingSchema>;

const strings = z.array(z.string());

/** The user's settings. What concerns trust or addresses is never read from a workspace. */
export class Settings {
	readonly #complain: (message: string) => void;

	/** @param complain gets one sentence for each value that does not fit; the default is used for it. */
	constructor(complain: (message: string) => void) {
		this.#complain = complain;
	}

	get defaultModel(): string {
		return this.#machine('models.default', z.string());
	}

	/** Entries that do not fit are left out, one by one. */
	get providers(): readonly ProviderSetting[] {
		return this.#machine('models.providers', z.array(z.unknown())).flatMap((entry, index) => {
			const parsed = ProviderSettingSchema.safeParse(entry);
			if (!parsed.success) {
				this.#complain(
					vscode.l10n.t(
						'Entry {0} of the setting belay.models.providers is left out: {1}',
						index + 1,
						issueOf(parsed.error),
					),
				);
			}
			return parsed.success ? [parsed.data] : [];
		});
	}

	get defaultTrustMode(): z.infer<typeof TrustModeSchema> {
		return this.#machine('trust.defaultMode', TrustModeSchema);
	}

	get egressAllow(): readonly string[] {
		return this.#machine('egress.allow', strings);
	}

	get egressDeny(): readonly string[] {
		return this.#machine('egress.deny', strings);
	}

	get sendKey(): 'enter' | 'ctrlEnter' {
		return configuration().get<string>('panel.sendKey') === 'ctrlEnter' ? 'ctrlEnter' : 'enter';
	}

	get notifyWhenHidden(): boolean {
		return configuration().get<boolean>('panel.notifyWhenHidden') !== false;
	}

	/** Workspace values of these are ignored by VS Code itself (machine scope), and once more here. */
	#machine<T>(key: string, schema: z.ZodType<T>): T {
		const values = configuration().inspect<unknown>(key);
		const parsed = schema.safeParse(values?.globalValue ?? values?.defaultValue);
		if (parsed.success) {
			return parsed.data;
		}
		this.#complain(vscode.l10n.t('The setting belay.{0} does not fit and is ignored: {1}', key, issueOf(parsed.error)));
		return schema.parse(values?.defaultValue);
	}
}

function configuration(): vscode.WorkspaceConfiguration {
	return vscode.workspace.getConfiguration('belay');
}

function issueOf(error: z.ZodError): string {
	const issue = error.issues[0];
	return issue === undefined
		? error.message
		: [issue.path.join('.'), issue.message].filter((part) => part !== '').join(': ');
}
