import type { Op, SettingsPatch, Submission } from '../../protocol/index.ts';
import type { SessionCore } from './sessionCore.ts';
import type { TurnStarter } from './turnStarter.ts';

/** Characters of a title that is taken from the first message. */
const TITLE_CHARS = 60;

const CANNOT_CONTROL = {
	kill: 'That command is not running any more.',
	background: 'That command is not running any more, or is in the background already.',
	input:
		'That command takes no input: its input is closed, as for all commands that are not interactive, or it has ended.',
} as const;

/** What each submission does. None waits for anything, so that an interrupt is never behind something slow. */
export class OpHandlers {
	readonly #core: SessionCore;
	readonly #turns: TurnStarter;

	constructor(core: SessionCore, turns: TurnStarter) {
		this.#core = core;
		this.#turns = turns;
	}

	handle({ id, op }: Submission): void {
		switch (op.type) {
			case 'userTurn':
				this.#userTurn(id, op);
				break;
			case 'continueTurn':
				this.#continueTurn(id);
				break;
			case 'interrupt':
				this.#turns.interrupt();
				break;
			case 'approvalResponse':
				this.#core.approvals.answer(op.approvalId, op.decision);
				break;
			case 'questionResponse':
				this.#core.questions.answer(op.questionId, op.answer);
				break;
			case 'updateSettings':
				this.#updateSettings(id, op.settings);
				break;
			case 'setTitle':
				this.#core.emit(id, { type: 'titleChanged', title: op.title });
				break;
			case 'controlProcess':
				if (!this.#core.tools.controlProcess(op.processId, op.action)) {
					this.#refuse(id, CANNOT_CONTROL[op.action.type]);
				}
				break;
		}
	}

	#userTurn(id: string, op: Extract<Op, { type: 'userTurn' }>): void {
		if (op.settings !== undefined && !this.#updateSettings(id, op.settings)) {
			return;
		}
		const { state } = this.#core;
		const itemId = this.#core.newId('message');
		if (state.turn !== undefined) {
			this.#core.emit(id, { type: 'inputQueued', turnId: state.turn.turnId, itemId, text: op.text });
			return;
		}
		if (state.title === '') {
			this.#core.emit(id, { type: 'titleChanged', title: titleFrom(op.text) });
		}
		this.#turns.start(id, { type: 'userMessage', itemId, text: op.text });
	}

	#continueTurn(id: string): void {
		if (this.#turns.running) {
			this.#refuse(id, 'A turn is running already.');
		} else if (this.#core.history.entries().length === 0) {
			this.#refuse(id, 'There is nothing to go on with yet. Write a message first.');
		} else {
			this.#turns.start(id, undefined);
		}
	}

	#updateSettings(id: string, patch: SettingsPatch): boolean {
		if (patch.trustMode !== undefined && patch.trustMode !== 'plan' && !this.#core.place.isTrusted()) {
			this.#refuse(
				id,
				'This workspace is not trusted, so only plan mode is available.',
				'Trust it with the command “Workspaces: Manage Workspace Trust”.',
			);
			return false;
		}
		const settings = { ...this.#core.state.settings };
		settings.providerId = patch.providerId ?? settings.providerId;
		settings.model = patch.model ?? settings.model;
		settings.trustMode = patch.trustMode ?? settings.trustMode;
		this.#core.emit(id, { type: 'settingsChanged', settings });
		return true;
	}

	#refuse(id: string, message: string, remedy?: string): void {
		this.#core.emit(id, { type: 'error', code: 'badRequest', message, ...(remedy === undefined ? {} : { remedy }) });
	}
}

function titleFrom(text: string): string {
	const line = text.trim().split('\n', 1)[0] ?? '';
	const characters = Array.from(line);
	return characters.length <= TITLE_CHARS ? line : `${characters.slice(0, TITLE_CHARS - 1).join('')}…`;
}
