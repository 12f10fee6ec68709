/** One step forward of the schema. Steps are never changed once released: a new one is added. */
export interface Migration {
	readonly version: number;
	readonly sql: string;
}

const V1 = `
CREATE TABLE meta (
	key TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
	id INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL,
	created_at REAL NOT NULL,
	updated_at REAL NOT NULL,
	archived INTEGER NOT NULL,
	state TEXT NOT NULL,
	settings TEXT NOT NULL,
	cwd TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_time ON sessions (updated_at DESC, session_id);

CREATE TABLE rollout (
	id INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
	seq INTEGER NOT NULL,
	turn_id TEXT,
	kind TEXT NOT NULL,
	at REAL NOT NULL,
	payload TEXT NOT NULL,
	UNIQUE (session_id, seq)
) STRICT;

-- Pieces of the texts of items that still run, as JSON strings.
CREATE TABLE partials (
	id INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
	turn_id TEXT NOT NULL,
	item_id TEXT NOT NULL,
	item_type TEXT NOT NULL CHECK (item_type IN ('agentMessage', 'reasoning', 'toolCall')),
	"offset" INTEGER NOT NULL,
	text TEXT NOT NULL,
	UNIQUE (session_id, item_id, "offset")
) STRICT;

CREATE TABLE tool_outputs (
	id INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
	item_id TEXT NOT NULL,
	text TEXT NOT NULL,
	UNIQUE (session_id, item_id)
) STRICT;

CREATE TABLE rules (
	id INTEGER PRIMARY KEY,
	subject TEXT NOT NULL CHECK (subject IN ('command', 'host', 'tool')),
	verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'ask', 'deny')),
	pattern TEXT NOT NULL,
	created_at REAL NOT NULL,
	UNIQUE (subject, pattern)
) STRICT;

CREATE TABLE egress_log (
	id INTEGER PRIMARY KEY,
	at REAL NOT NULL,
	session_id TEXT NOT NULL,
	item_id TEXT,
	host TEXT NOT NULL,
	port INTEGER NOT NULL,
	protocol TEXT NOT NULL,
	verdict TEXT NOT NULL,
	rule TEXT NOT NULL,
	bytes_up INTEGER NOT NULL,
	bytes_down INTEGER NOT NULL,
	duration_ms REAL NOT NULL
) STRICT;
CREATE INDEX egress_by_session ON egress_log (session_id, id);

CREATE TABLE blobs (
	id INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE,
	bytes BLOB NOT NULL
) STRICT;

CREATE TABLE file_changes (
	id INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
	turn_id TEXT NOT NULL,
	item_id TEXT NOT NULL,
	path TEXT NOT NULL,
	change TEXT NOT NULL CHECK (change IN ('create', 'update', 'delete')),
	before_hash TEXT,
	after_hash TEXT,
	at REAL NOT NULL
) STRICT;
CREATE INDEX file_changes_by_session ON file_changes (session_id, id);

-- The rowid is the id of the message's row in rollout.
CREATE VIRTUAL TABLE messages_fts USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
`;

/** Every step, oldest first. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, sql: V1 }];

/** Tables whose rows a recovery copies, parents first. The index of messages is built again instead. */
export const SALVAGED_TABLES: readonly string[] = [
	'sessions',
	'rollout',
	'partials',
	'tool_outputs',
	'rules',
	'egress_log',
	'blobs',
	'file_changes',
];

/** @returns the newest version of a list of steps. */
export function latestVersion(migrations: readonly Migration[]): number {
	return migrations.at(-1)?.version ?? 0;
}
