import * as vscode from 'vscode';
import type { ApprovalRequest, Event, Op } from '../protocol/index.ts';
import type { Session, SessionManager } from '../engine/index.ts';

/**
 * The session that the panel shows, for commands and keys: what runs in it, and what waits for the user. Keeps the
 * context keys by which commands are offered.
 */
export class ShownSession implements Disposable {
	readonly #changed = new vscode.EventEmitter<Event | undefined>();
	#manager: SessionManager | undefined;
	#listening: Disposable | undefined;
	#sessionId: string | undefined;
	readonly #context = new Map<string, boolean>();

	/** Fires with each event of any open session, and with undefined when another session is shown. */
	readonly onDidChange = this.#changed.event;

	get sessionId(): string | undefined {
		return this.#sessionId;
	}

	/** Approvals that wait, of every open session. */
	waiting(): number {
		return this.#manager === undefined ? 0 : this.#manager.waiting();
	}

	show(sessionId: string | undefined): void {
		this.#sessionId = sessionId;
		this.#update(undefined);
	}

	follow(manager: SessionManager): void {
		this.#listening?.[Symbol.dispose]();
		this.#manager = manager;
		this.#listening = manager.listen((_, events) => {
			for (const event of events) {
				if (event.type !== 'itemDelta') {
					this.#update(event);
				}
			}
		});
	}

	/** The oldest approval that waits in the session that is shown. */
	firstApproval(): ApprovalRequest | undefined {
		return this.#session()?.approvals()[0];
	}

	/** Whether an approval of the session that is shown still waits. */
	isPending(approvalId: string): boolean {
		return (
			this.#session()
				?.approvals()
				.some((approval) => approval.approvalId === approvalId) === true
		);
	}

	/** @returns false where no session is shown. */
	async submit(op: Op): Promise<boolean> {
		const session = this.#session();
		await session?.submit(op);
		return session !== undefined;
	}

	[Symbol.dispose](): void {
		this.#listening?.[Symbol.dispose]();
		this.#changed.dispose();
	}

	#session(): Session | undefined {
		return this.#sessionId === undefined ? undefined : this.#manager?.get(this.#sessionId);
	}

	#update(event: Event | undefined): void {
		const session = this.#session();
		this.#setContext('belay.running', session?.busy === true);
		this.#setContext('belay.approvalWaiting', session?.approvals().length !== 0 && session !== undefined);
		this.#changed.fire(event);
	}

	/** Each change goes to the window's main process: only real ones are told. */
	#setContext(key: string, value: boolean): void {
		if (this.#context.get(key) !== value) {
			this.#context.set(key, value);
			void vscode.commands.executeCommand('setContext', key, value);
		}
	}
}
