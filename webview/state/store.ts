import { signal } from '@preact/signals';
import { PROTOCOL_VERSION, ToPanelSchema, type Op, type ToPanel } from '../../src/protocol/index.ts';
import { setStrings, t } from './l10n.ts';
import { INITIAL_STATE, reduce, type PanelAction } from './panelState.ts';
import { post, readSaved, save } from './vscodeApi.ts';

export const panel = signal(INITIAL_STATE);
/** What stands in the composer. */
export const draft = signal(readSaved().draft);
/** Goes up when the host asks for the caret: from a command or a key of the user's. */
export const focusRequests = signal(0);

let requests = 0;

export function dispatch(action: PanelAction): void {
	const before = panel.value;
	const after = reduce(before, action);
	if (after.strings !== before.strings) {
		setStrings(after.strings);
	}
	panel.value = after;
	askForMissed(before, after);
	const session = after.session;
	if (session?.sessionId !== before.session?.sessionId || session?.seq !== before.session?.seq) {
		save({ sessionId: session?.sessionId ?? null, seq: session?.seq ?? 0 });
	}
}

/** A gap in a text, or events of a session that is not drawn: the host is asked for the whole again. */
function askForMissed(before: typeof panel.value, after: typeof panel.value): void {
	const { session } = after;
	if (session && session.sessionId === before.session?.sessionId && session.gaps > before.session.gaps) {
		if (before.session.gaps === 0) {
			post({ type: 'resync', sessionId: session.sessionId, seq: session.seq });
		}
	}
	if (after.strays.count === 1 && before.strays.count === 0) {
		post({ type: 'resync', sessionId: after.strays.sessionId, seq: 0 });
	}
}

/** Puts an op into the session's queue; with no session, the host opens a new one. */
export function submit(op: Op): void {
	requests += 1;
	const requestId = `p${requests}`;
	dispatch({
		type: 'sent',
		sending: { requestId, text: op.type === 'userTurn' ? op.text : null, answers: answersOf(op) },
	});
	post({ type: 'submit', requestId, sessionId: panel.value.session?.sessionId ?? null, op });
}

function answersOf(op: Op): string | null {
	if (op.type === 'approvalResponse') {
		return op.approvalId;
	}
	return op.type === 'questionResponse' ? op.questionId : null;
}

export function setDraft(text: string): void {
	draft.value = text;
	save({ draft: text });
}

/** Adds to what stands in the composer, and puts the caret there: only on the user's own wish. */
export function fillComposer(text: string): void {
	setDraft(draft.value.trim() === '' ? text : `${draft.value.trimEnd()}\n${text}`);
	focusRequests.value += 1;
}

export function copyText(text: string): void {
	post({ type: 'copy', text });
	dispatch({ type: 'announce', text: t('Copied') });
}

/** What the host posted, of whatever shape. */
export function receive(value: unknown): void {
	const parsed = ToPanelSchema.safeParse(value);
	if (!parsed.success) {
		post({
			type: 'log',
			level: 'warn',
			message: `The panel got a message that it cannot read: ${parsed.error.message}`,
		});
		return;
	}
	const message = parsed.data;
	restoreRefused(message);
	dispatch({ type: 'host', message });
	if (message.type === 'focusComposer') {
		if (message.text === undefined) {
			focusRequests.value += 1;
		} else {
			fillComposer(message.text);
		}
	}
}

/** A message that the host refused goes back into the composer: nothing the user wrote is lost. */
function restoreRefused(message: ToPanel): void {
	if (message.type !== 'submitted' || message.error === null) {
		return;
	}
	const text = panel.value.sending.find((sending) => sending.requestId === message.requestId)?.text;
	if (text) {
		setDraft(draft.value.trim() === '' ? text : `${text}\n${draft.value}`);
	}
}

/** Tells the host that the panel is drawn, and what it showed before. */
export function sayReady(): void {
	const { sessionId, seq } = readSaved();
	post({ type: 'ready', version: PROTOCOL_VERSION, ...(sessionId !== null && { sessionId, seq }) });
}
