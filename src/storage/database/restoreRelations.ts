import type { StoredEvent } from '../../engine/ports/index.ts';
import type { SqlExecutor } from '../sql/sqlDriver.ts';
import { fromRow, searchText } from '../store/eventRows.ts';
import { INSERT_SESSION, sessionValues } from '../store/sessionRows.ts';

/** Tables whose rows belong to a session. */
const OWNED = ['rollout', 'partials', 'tool_outputs', 'file_changes'] as const;
const PAGE = 500;

/** Makes the rows of sessions again of which only events or outputs are left, from what the events tell. */
export async function restoreSessions(tx: SqlExecutor): Promise<void> {
	const owners = OWNED.map((table) => `SELECT session_id FROM ${table}`).join(' UNION ');
	const missing = await tx.all(`${owners} EXCEPT SELECT session_id FROM sessions`);
	for (const row of missing) {
		await restoreSession(tx, String(row.session_id));
	}
}

async function restoreSession(tx: SqlExecutor, sessionId: string): Promise<void> {
	const rows = await tx.all(
		`SELECT seq, payload FROM rollout WHERE session_id = ?
		AND kind IN ('sessionConfigured', 'settingsChanged', 'titleChanged') ORDER BY seq`,
		[sessionId],
	);
	const times = await tx.get('SELECT min(at) AS first, max(at) AS last FROM rollout WHERE session_id = ?', [sessionId]);
	let session = {
		sessionId,
		title: 'Recovered session',
		createdAt: Number(times?.first ?? 0),
		updatedAt: Number(times?.last ?? 0),
		archived: false,
		state: 'interrupted' as const,
		settings: { providerId: '', model: '', trustMode: 'safe' as const },
		cwd: '',
	};
	for (const row of rows) {
		const read = fromRow(row);
		session = { ...session, ...('event' in read ? told(read.event) : {}) };
	}
	await tx.run(INSERT_SESSION, sessionValues(session));
}

/** What an event tells about the row of its session. */
function told(event: StoredEvent): object {
	switch (event.type) {
		case 'sessionConfigured':
			return { settings: event.settings, cwd: event.cwd };
		case 'settingsChanged':
			return { settings: event.settings };
		case 'titleChanged':
			return { title: event.title };
		default:
			return {};
	}
}

/** Fills the empty index of messages from the rollout. */
export async function indexMessages(tx: SqlExecutor): Promise<void> {
	for (let last = 0; ;) {
		const rows = await tx.all(
			"SELECT id, seq, payload FROM rollout WHERE kind = 'itemCompleted' AND id > ? ORDER BY id LIMIT ?",
			[last, PAGE],
		);
		for (const row of rows) {
			const read = fromRow(row);
			const text = 'event' in read ? searchText(read.event) : undefined;
			if (text !== undefined) {
				await tx.run('INSERT INTO messages_fts (rowid, text) VALUES (?, ?)', [Number(row.id), text]);
			}
			last = Number(row.id);
		}
		if (rows.length < PAGE) {
			return;
		}
	}
}
