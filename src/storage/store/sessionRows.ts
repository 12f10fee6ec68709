import { SessionSettingsSchema, SessionSummarySchema, type SessionSettings } from '../../protocol/index.ts';
import type { EgressRow, SessionPatch, SessionRow } from '../../engine/ports/index.ts';
import type { SqlRow, SqlValue } from '../sql/sqlDriver.ts';

export const INSERT_SESSION = `INSERT INTO sessions
	(session_id, title, created_at, updated_at, archived, state, settings, cwd) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export const UPDATE_SESSION = `UPDATE sessions SET title = coalesce(?, title), updated_at = coalesce(?, updated_at),
	archived = coalesce(?, archived), state = coalesce(?, state), settings = coalesce(?, settings),
	cwd = coalesce(?, cwd) WHERE session_id = ?`;

/** Where the settings of a session cannot be read: no provider, so that the user is asked to choose one. */
const UNREADABLE_SETTINGS: SessionSettings = { providerId: '', model: '', trustMode: 'safe' };

export function sessionValues(row: SessionRow): SqlValue[] {
	return [
		row.sessionId,
		row.title,
		row.createdAt,
		row.updatedAt,
		Number(row.archived),
		row.state,
		JSON.stringify(row.settings),
		row.cwd,
	];
}

/** Values for {@link UPDATE_SESSION}: null keeps what is there. */
export function patchValues(sessionId: string, patch: SessionPatch): SqlValue[] {
	return [
		patch.title ?? null,
		patch.updatedAt ?? null,
		patch.archived === undefined ? null : Number(patch.archived),
		patch.state ?? null,
		patch.settings === undefined ? null : JSON.stringify(patch.settings),
		patch.cwd ?? null,
		sessionId,
	];
}

/** A session is listed whatever is wrong with its row: its events may be all right. */
export function toSession(row: SqlRow): SessionRow {
	const state = SessionSummarySchema.shape.state.safeParse(row.state);
	return {
		sessionId: String(row.session_id),
		title: String(row.title),
		createdAt: Number(row.created_at),
		updatedAt: Number(row.updated_at),
		archived: row.archived === 1,
		state: state.success ? state.data : 'interrupted',
		settings: toSettings(row.settings),
		cwd: String(row.cwd),
	};
}

function toSettings(value: SqlValue | undefined): SessionSettings {
	try {
		return SessionSettingsSchema.parse(JSON.parse(String(value)));
	} catch {
		return UNREADABLE_SETTINGS;
	}
}

export const INSERT_EGRESS = `INSERT INTO egress_log (at, session_id, item_id, host, port, protocol, verdict, rule,
	bytes_up, bytes_down, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function egressValues(row: EgressRow): SqlValue[] {
	return [
		row.at,
		row.sessionId,
		row.itemId,
		row.host,
		row.port,
		row.protocol,
		row.verdict,
		row.rule,
		row.bytesUp,
		row.bytesDown,
		row.durationMs,
	];
}

export function toEgress(row: SqlRow): EgressRow {
	return {
		at: Number(row.at),
		sessionId: String(row.session_id),
		itemId: row.item_id === null ? null : String(row.item_id),
		host: String(row.host),
		port: Number(row.port),
		protocol: row.protocol as EgressRow['protocol'],
		verdict: row.verdict as EgressRow['verdict'],
		rule: String(row.rule),
		bytesUp: Number(row.bytes_up),
		bytesDown: Number(row.bytes_down),
		durationMs: Number(row.duration_ms),
	};
}
