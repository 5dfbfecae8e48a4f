import type { DatabaseSync } from 'node:sqlite';

const LIFETIME_MS = 366 * 24 * 60 * 60_000;
const LEAST_ENTRIES = 1_000;
const AT_ONCE = 500;

/**
 * Deletes at most 500 entries that are older than 366 days and not among the latest 1,000. Also deletes the entries that undo a deleted
 * entry, and old groups without entries. Reads only the oldest and the newest entry if no entry is old enough. Open entries stay, and so do
 * writes that a younger entry undoes. The row of a file stays in the journal after the deletion of its entry.
 */
export function pruneEntries(database: DatabaseSync, now: number): void {
  const before = now - LIFETIME_MS;
  const bounds = database.prepare(BOUNDS).get();
  if (typeof bounds?.['oldest'] !== 'number' || bounds['oldest'] >= before || Number(bounds['count']) <= LEAST_ENTRIES) return;
  const wanted = { ':before': before, ':last': Number(bounds['newest']) - LEAST_ENTRIES, ':limit': AT_ONCE };
  const expired = database.prepare(EXPIRED).all(wanted);
  const keepRow = database.prepare(
    'UPDATE rows SET entry = NULL, record_id = (SELECT record_id FROM entries WHERE number = :number) WHERE entry = :number',
  );
  const forgetUndoing = database.prepare('DELETE FROM entries WHERE undoes = ?');
  const forget = database.prepare('DELETE FROM entries WHERE number = ?');
  for (const { number } of expired) {
    keepRow.run({ ':number': Number(number) });
    forgetUndoing.run(Number(number));
    forget.run(Number(number));
  }
  if (expired.length > 0) database.prepare(FORGET_GROUPS).run(before);
}

const BOUNDS = `SELECT (SELECT at FROM entries ORDER BY number LIMIT 1) AS oldest,
  (SELECT max(number) FROM entries) AS newest, (SELECT max(number) - min(number) + 1 FROM entries) AS count`;

const IS_OLD = `at < :before AND number <= :last AND outcome IN ('done', 'refused', 'dropped')`;

/**
 * The SQL that selects expired entries. An entry expires together with the entry that undoes it. svc keeps the entry of an undone, refused
 * or dropped row, and the changes of records that an import created.
 */
const EXPIRED = `
  WITH old AS MATERIALIZED (SELECT number FROM entries WHERE ${IS_OLD}),
    imported AS MATERIALIZED (
      SELECT coalesce(entries.record_id, rows.record_id) AS record_id FROM rows LEFT JOIN entries ON entries.number = rows.entry)
  SELECT number FROM entries AS entry
  WHERE number IN old AND undoes IS NULL
    AND (method = 'POST' OR record_id IS NULL OR record_id NOT IN (SELECT record_id FROM imported WHERE record_id IS NOT NULL))
    AND NOT EXISTS (SELECT 1 FROM entries AS undo WHERE undo.undoes = entry.number AND undo.number NOT IN old)
    AND NOT EXISTS (
      SELECT 1 FROM rows WHERE rows.entry = entry.number AND (
        entry.outcome <> 'done' OR EXISTS (SELECT 1 FROM entries AS undo WHERE undo.undoes = entry.number)))
  ORDER BY number LIMIT :limit`;

const FORGET_GROUPS = `DELETE FROM groups WHERE at < ?
  AND NOT EXISTS (SELECT 1 FROM entries WHERE entries.group_number = groups.number)`;
