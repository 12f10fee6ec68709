import type { ModelChoice } from '../../protocol/index.ts';
import type { ModelPicker } from '../models/modelPicker.ts';
import type { Command } from './command.ts';

/** Asks for a model, a key or a server, and gives the choice to the session that is shown. */
export class SetupCommand implements Command {
	readonly id: string;
	readonly #pick: (picker: ModelPicker) => Promise<ModelChoice | undefined>;
	readonly #picker: ModelPicker;
	readonly #use: (choice: ModelChoice) => Promise<void>;

	constructor(
		id: string,
		pick: (picker: ModelPicker) => Promise<ModelChoice | undefined>,
		picker: ModelPicker,
		use: (choice: ModelChoice) => Promise<void>,
	) {
		this.id = id;
		this.#pick = pick;
		this.#picker = picker;
		this.#use = use;
	}

	async execute(): Promise<void> {
		const choice = await this.#pick(this.#picker);
		if (choice !== undefined) {
			await this.#use(choice);
		}
	}
}
