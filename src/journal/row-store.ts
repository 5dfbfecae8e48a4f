import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { AdoptedRow, KnownRow } from './entry.ts';

/**
 * Returns the rows of a resource. A row has the state of the write that logged the row.
 * A row is `past` while a later correction is logged or unconfirmed. A row is `undone` if its write was undone, or its record was deleted.
 */
export function findRows(database: DatabaseSync, collection: string, recordsAt: string): KnownRow[] {
  return database.prepare(ROWS).all({ ':collection': collection, ':records': recordsAt }).map(toRow);
}

const ROWS = `
  WITH standing AS (
    SELECT rows.*, entries.key, coalesce(entries.record_id, rows.record_id) AS written_id,
      CASE
        WHEN entries.outcome IN ('waiting', 'sent', 'unknown') THEN 'unconfirmed'
        WHEN rows.is_gone THEN 'undone'
        WHEN EXISTS (SELECT 1 FROM entries AS undo WHERE undo.undoes = entries.number AND undo.outcome = 'done') THEN 'undone'
        WHEN EXISTS (
          SELECT 1 FROM entries AS gone
          WHERE gone.method <> 'POST' AND gone.method = 'DELETE' AND (gone.outcome = 'done' OR gone.status = 404)
            AND gone.path = :records || '/' || coalesce(entries.record_id, rows.record_id)
        ) THEN 'undone'
        ELSE 'there'
      END AS state
    FROM rows LEFT JOIN entries ON entries.number = rows.entry
    WHERE rows.collection = :collection AND (entries.outcome IS NULL OR entries.outcome NOT IN ('refused', 'dropped'))
  ), replaced AS (
    SELECT replaces AS number FROM standing WHERE replaces IS NOT NULL AND state IN ('there', 'unconfirmed')
  )
  SELECT *, number IN replaced AS is_replaced FROM standing ORDER BY number`;

export function insertRow(database: DatabaseSync, collection: string, row: AdoptedRow): void {
  const { digest, likeness, twin, day, source, recordId, entry, replaces } = row;
  database
    .prepare(
      'INSERT INTO rows (collection, digest, likeness, twin, day, source, record_id, entry, replaces) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(collection, digest, likeness, twin, day ?? null, source, recordId ?? null, entry ?? null, replaces ?? null);
}

export function markDeleted(database: DatabaseSync, numbers: readonly number[]): void {
  const mark = database.prepare('UPDATE rows SET is_gone = 1 WHERE number = ?');
  for (const number of numbers) mark.run(number);
}

function toRow(row: StoredRow): KnownRow {
  return {
    number: Number(row['number']),
    digest: textColumn(row, 'digest') ?? '',
    likeness: textColumn(row, 'likeness') ?? '',
    twin: textColumn(row, 'twin') ?? '',
    day: textColumn(row, 'day'),
    source: Number(row['source']),
    entry: numberColumn(row, 'entry'),
    key: textColumn(row, 'key'),
    replaces: numberColumn(row, 'replaces'),
    recordId: textColumn(row, 'written_id'),
    state: row['is_replaced'] === 1 ? 'past' : (textColumn(row, 'state') as KnownRow['state']),
  };
}

export type StoredRow = Readonly<Record<string, SQLOutputValue>>;

export function textColumn(row: StoredRow, name: string): string | undefined {
  const value = row[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberColumn(row: StoredRow, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' ? value : undefined;
}
