import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench, WorkbenchOptions } from './workbench/index.ts';
import { withWorkbench } from './workbench/index.ts';
import { ScriptedModel } from './scriptedModel/index.ts';

/** Belay's panel, by what a person sees of it. */
export class Panel {
	readonly #frame: FrameLocator;

	private constructor(frame: FrameLocator) {
		this.#frame = frame;
	}

	static async open(workbench: Workbench): Promise<Panel> {
		const panel = new Panel(await workbench.openBelay());
		await panel.composer.waitFor();
		return panel;
	}

	get composer(): Locator {
		return this.#frame.getByRole('textbox', { name: /^Message/ });
	}

	/** An approval card, by text in it. */
	approval(text: string | RegExp): Locator {
		return this.#frame.locator('[data-waiting]').filter({ hasText: text });
	}

	button(name: string | RegExp): Locator {
		return this.#frame.getByRole('button', { name });
	}

	text(text: string | RegExp): Locator {
		return this.#frame.getByText(text).first();
	}

	get frame(): FrameLocator {
		return this.#frame;
	}

	async say(message: string): Promise<void> {
		await this.composer.fill(message);
		await this.composer.press('Enter');
	}

	async allow(text: string | RegExp): Promise<void> {
		await this.approval(text).getByRole('button', { name: 'Allow once' }).click();
	}
}

/** Settings by which new sessions use a scripted model. */
export function modelSettings(model: ScriptedModel): Record<string, unknown> {
	return {
		'belay.models.providers': [{ id: 'scripted', label: 'Scripted', baseUrl: model.url, needsKey: false }],
		'belay.models.default': 'scripted/scripted',
	};
}

export interface Stage {
	readonly workbench: Workbench;
	readonly model: ScriptedModel;
	readonly panel: Panel;
}

/**
 * Runs a test's body in a real workbench whose panel is open and whose model is scripted.
 * @param name of the evidence that is saved when the body throws
 */
export async function onStage(
	name: string,
	options: WorkbenchOptions,
	body: (stage: Stage) => Promise<void>,
): Promise<void> {
	await using model = await ScriptedModel.start();
	const settings = { ...modelSettings(model), ...options.settings };
	await withWorkbench(name, { ...options, settings }, async (workbench) => {
		await body({ workbench, model, panel: await Panel.open(workbench) });
	});
}
