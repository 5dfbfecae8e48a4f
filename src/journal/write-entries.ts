import type { DatabaseSync } from 'node:sqlite';
import { stringifyJson } from '../values/json.ts';
import type { NewEntry, NewRow, Settlement } from './entry.ts';
import { apiPath, requestDigest } from './request-digest.ts';

/** The changes that the journal's transactions make to entries. Each runs within one; times are milliseconds since 1970. */

/** Records a write. @param sender The number of the svc that sends it; undefined for one that waits. */
export function insertEntry(database: DatabaseSync, write: NewEntry, now: number, sender: number | undefined): number {
  const path = apiPath(write.path);
  const method = write.method.toUpperCase();
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO entries (at, sent_at, command, noun, group_number, method, path, body, body_withheld, request, key, etag_seen, before,
         collection, undoes, outcome, sender) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      now,
      sender === undefined ? null : now,
      JSON.stringify(write.command),
      write.noun ?? null,
      write.group ?? null,
      method,
      path,
      write.bodyWithheld ? null : (write.body ?? null),
      Number(write.bodyWithheld ?? false),
      requestDigest(method, path, write.body),
      write.key,
      write.etagSeen ?? null,
      write.before === undefined ? null : stringifyJson(write.before),
      write.collection ?? null,
      write.undoes ?? null,
      sender === undefined ? 'waiting' : 'sent',
      sender ?? null,
    );
  const number = Number(lastInsertRowid);
  if (write.row !== undefined) insertRow(database, write.collection ?? path, write.row, number);
  return number;
}

function insertRow(database: DatabaseSync, collection: string, row: NewRow, entry: number): void {
  database
    .prepare('INSERT INTO rows (collection, digest, likeness, twin, day, source, entry, replaces) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(collection, row.digest, row.likeness, row.twin, row.day ?? null, row.source, entry, row.replaces ?? null);
}

/** Marks an entry as being sent; false unless it waits or is unconfirmed. */
export function takeEntry(database: DatabaseSync, number: number, now: number, sender: number): boolean {
  const { changes } = database
    .prepare(
      `UPDATE entries SET outcome = 'sent', sender = ?, sent_at = coalesce(sent_at, ?) WHERE number = ? AND outcome IN ('waiting', 'unknown')`,
    )
    .run(sender, now, number);
  return changes > 0;
}

/** Records an outcome; false when the entry has one already: a later doubt does not undo an answer of the service. */
export function settleEntry(database: DatabaseSync, number: number, settlement: Settlement, now: number): boolean {
  const { outcome } = settlement;
  const done = outcome === 'done' ? settlement : undefined;
  const isOpen = outcome === 'unknown' || outcome === 'waiting';
  const { changes } = database
    .prepare(
      `UPDATE entries SET outcome = ?, status = ?, record_id = ?, etag_left = ?, settled_at = ?, sender = NULL,
         sent_at = CASE WHEN ? THEN NULL ELSE sent_at END
       WHERE number = ? AND outcome IN ('sent', 'unknown')`,
    )
    .run(
      outcome,
      ('status' in settlement ? settlement.status : undefined) ?? null,
      done?.recordId ?? null,
      done?.etagLeft ?? null,
      isOpen ? null : now,
      Number(outcome === 'waiting'),
      number,
    );
  return changes > 0;
}

/** Drops an entry; false unless it waits or is unconfirmed. */
export function dropEntry(database: DatabaseSync, number: number, now: number): boolean {
  const { changes } = database
    .prepare(`UPDATE entries SET outcome = 'dropped', settled_at = ? WHERE number = ? AND outcome IN ('waiting', 'unknown')`)
    .run(now, number);
  return changes > 0;
}

export function insertGroup(database: DatabaseSync, command: readonly string[], now: number): number {
  return Number(database.prepare('INSERT INTO groups (at, command) VALUES (?, ?)').run(now, JSON.stringify(command)).lastInsertRowid);
}
