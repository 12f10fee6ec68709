import type { PartialText } from '../../engine/ports/index.ts';
import type { SqlExecutor, SqlRow } from '../sql/sqlDriver.ts';

const REMOVE_BEHIND = 'DELETE FROM partials WHERE session_id = ? AND item_id = ? AND "offset" > ?';
// A piece in the place of another keeps its row, and with it the item's place among the others.
const PUT = `INSERT INTO partials (session_id, turn_id, item_id, item_type, "offset", text) VALUES (?, ?, ?, ?, ?, ?)
	ON CONFLICT (session_id, item_id, "offset") DO UPDATE SET text = excluded.text`;

export const READ_PARTIALS = `SELECT turn_id, item_id, item_type, "offset", text,
	min(id) OVER (PARTITION BY item_id) AS first
	FROM partials WHERE session_id = ? ORDER BY first, "offset"`;

export const REMOVE_PARTIALS = 'DELETE FROM partials WHERE session_id = ? AND item_id = ?';

/** Text as JSON: a piece may end within a surrogate pair, which UTF-8 cannot hold. */
export async function savePartials(tx: SqlExecutor, sessionId: string, pieces: readonly PartialText[]): Promise<void> {
	for (const { turnId, itemId, itemType, offset, text } of pieces) {
		await tx.run(REMOVE_BEHIND, [sessionId, itemId, offset]);
		await tx.run(PUT, [sessionId, turnId, itemId, itemType, offset, JSON.stringify(text)]);
	}
}

/** Joins the rows of {@link READ_PARTIALS} to one text for each item. A piece that cannot be read is left out. */
export function toPartials(rows: readonly SqlRow[]): PartialText[] {
	const byItem = new Map<string, PartialText>();
	for (const row of rows) {
		const itemId = String(row.item_id);
		const before = byItem.get(itemId)?.text ?? '';
		byItem.set(itemId, {
			turnId: String(row.turn_id),
			itemId,
			itemType: row.item_type as PartialText['itemType'],
			offset: 0,
			text: before.slice(0, Number(row.offset)) + pieceText(String(row.text)),
		});
	}
	return [...byItem.values()];
}

function pieceText(json: string): string {
	try {
		return String(JSON.parse(json));
	} catch {
		return '';
	}
}
