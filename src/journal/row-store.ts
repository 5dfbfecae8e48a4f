import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { KnownRow } from './import-row.ts';
import type { AdoptedRow } from './journal.ts';

/**
 * The rows of a collection as they stand. A row stands as the write that logged it does: nothing is counted twice, so nothing
 * can disagree. One that a later row corrects is past while that one is there or unsettled.
 */
export function findRows(database: DatabaseSync, collection: string): KnownRow[] {
  return database.prepare(ROWS).all(collection).map(toRow);
}

const ROWS = `
  WITH standing AS (
    SELECT rows.*, entries.record_id AS written_id,
      CASE
        WHEN rows.entry IS NULL THEN 'there'
        WHEN entries.outcome IN ('waiting', 'sent', 'unknown') THEN 'unsettled'
        WHEN NOT EXISTS (SELECT 1 FROM entries AS undo WHERE undo.undoes = entries.number AND undo.outcome = 'done') THEN 'there'
        ELSE 'undone'
      END AS state
    FROM rows LEFT JOIN entries ON entries.number = rows.entry
    WHERE rows.collection = ? AND (entries.outcome IS NULL OR entries.outcome NOT IN ('refused', 'dropped'))
  ), replaced AS (
    SELECT replaces AS number FROM standing WHERE replaces IS NOT NULL AND state IN ('there', 'unsettled')
  )
  SELECT *, number IN replaced AS is_replaced FROM standing ORDER BY number`;

/** Takes rows over from an older journal: they are logged, and no entry of this one says so. */
export function insertAdopted(database: DatabaseSync, collection: string, rows: readonly AdoptedRow[]): void {
  const insert = database.prepare('INSERT INTO rows (collection, digest, likeness, day, source, record_id) VALUES (?, ?, ?, ?, ?, ?)');
  for (const { digest, likeness, day, source, recordId } of rows) {
    insert.run(collection, digest, likeness, day ?? null, source, recordId ?? null);
  }
}

function toRow(row: Readonly<Record<string, SQLOutputValue>>): KnownRow {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : undefined);
  return {
    number: Number(row['number']),
    digest: text('digest') ?? '',
    likeness: text('likeness') ?? '',
    day: text('day'),
    source: Number(row['source']),
    entry: typeof row['entry'] === 'number' ? row['entry'] : undefined,
    recordId: text('written_id') ?? text('record_id'),
    state: row['is_replaced'] === 1 ? 'past' : (text('state') as KnownRow['state']),
  };
}
