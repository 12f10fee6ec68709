import * as z from 'zod';
import type { ToHost } from '../../src/protocol/index.ts';

interface VsCodeApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** What survives when the view is hidden and created again. */
const SavedSchema = z.object({
	sessionId: z.string().nullable().catch(null),
	seq: z.number().catch(0),
	draft: z.string().catch(''),
	/** The entry at the top edge and how far it is scrolled off, in pixels; null at the newest. */
	anchor: z.object({ key: z.string(), offset: z.number() }).nullable().catch(null),
});
export type Saved = z.infer<typeof SavedSchema>;

// May be called once in a page's life only.
const api = acquireVsCodeApi();

export function post(message: ToHost): void {
	api.postMessage(message);
}

/** What was kept; empty when nothing was, or when it does not fit. */
export function readSaved(): Saved {
	const saved = SavedSchema.safeParse(api.getState());
	return saved.success ? saved.data : { sessionId: null, seq: 0, draft: '', anchor: null };
}

let saved = readSaved();

/** Keeps a part of it; the rest stays. */
export function save(patch: Partial<Saved>): void {
	saved = { ...saved, ...patch };
	api.setState(saved);
}
