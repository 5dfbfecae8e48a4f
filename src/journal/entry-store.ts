import type { DatabaseSync } from 'node:sqlite';
import { isJsonObject, parseJson, stringifyJson } from '../values/json.ts';
import type { EntryQuery, JournalEntry, NewEntry, Outcome, Resolution, UnconfirmedWrite } from './entry.ts';
import { apiPath, requestDigest } from './request-digest.ts';
import { insertRow, numberColumn, type StoredRow, textColumn } from './row-store.ts';
import { leftUnchanged } from './undo-plan.ts';

const SELECT = `SELECT *, (SELECT number FROM entries AS undo WHERE undo.undoes = entries.number AND undo.outcome = 'done') AS undone_by
  FROM entries`;

const DAY_MS = 24 * 60 * 60_000;
/** The clock can go back by this many milliseconds before the age of an entry counts as unknown. */
const SLIGHT_MS = 60_000;

export function findEntry(database: DatabaseSync, number: number): JournalEntry | undefined {
  return one(database.prepare(`${SELECT} WHERE number = ?`).get(number));
}

export function findByKey(database: DatabaseSync, key: string): JournalEntry | undefined {
  return one(database.prepare(`${SELECT} WHERE key = ? ORDER BY number DESC LIMIT 1`).get(key));
}

export function findWritesTo(database: DatabaseSync, collection: string, record: string, recordId: string): JournalEntry[] {
  const made = database.prepare(`${SELECT} WHERE method = 'POST' AND record_id = ? AND outcome = 'done'`).all(recordId);
  const changes = database
    .prepare(`${SELECT} WHERE method <> 'POST' AND outcome = 'done' AND (path = :path OR (path > :path || '?' AND path < :path || '@'))`)
    .all({ ':path': record });
  return [...made.map(toEntry).filter(({ path }) => path.split('?', 1)[0] === collection), ...changes.map(toEntry)].sort(
    (one, other) => one.number - other.number,
  );
}

export function findHistory(database: DatabaseSync, { since, sentSince, noun, outcome, limit }: EntryQuery): JournalEntry[] {
  const conditions = [
    since === undefined ? '' : 'at >= :since',
    sentSince === undefined ? '' : 'sent_at >= :sentSince',
    noun === undefined ? '' : 'noun = :noun',
    outcome ? 'outcome = :outcome' : '',
  ];
  const where = conditions.filter((condition) => condition !== '').join(' AND ') || 'TRUE';
  const given = Object.entries({ since, sentSince, noun, outcome }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`:${name}`, value]],
  );
  return database
    .prepare(`${SELECT} WHERE ${where} ORDER BY number DESC LIMIT :limit`)
    .all({ ...Object.fromEntries(given), ':limit': limit ?? -1 })
    .map(toEntry);
}

export function findGroup(database: DatabaseSync, group: number): JournalEntry[] {
  return database.prepare(`${SELECT} WHERE group_number = ? ORDER BY number`).all(group).map(toEntry);
}

export function findLast(database: DatabaseSync): JournalEntry | undefined {
  const rows = database.prepare(`${SELECT} WHERE outcome = 'done' AND undoes IS NULL AND undone_by IS NULL ORDER BY number DESC`);
  for (const row of rows.iterate()) {
    const entry = toEntry(row);
    if (!leftUnchanged(entry)) return entry;
  }
  return undefined;
}

export function findOutbox(database: DatabaseSync, now: number): UnconfirmedWrite[] {
  const found = database.prepare(`${SELECT} WHERE outcome IN ('waiting', 'unknown') ORDER BY number`).all();
  return found.map((row) => withAge(toEntry(row), now));
}

/** Returns the latest unconfirmed write of a request. @param dead numbers of ended senders, in case svc can’t mark their entries. */
export function findUnconfirmed(
  database: DatabaseSync,
  request: string,
  now: number,
  dead: readonly number[] = [],
): UnconfirmedWrite | undefined {
  const found = database
    .prepare(`${SELECT} WHERE (outcome = 'unknown' OR ${sentBy(dead)}) AND request = ? ORDER BY number DESC LIMIT 1`)
    .get(...dead, request);
  return found === undefined ? undefined : withAge(toEntry(found), now);
}

export function findOpenChanges(database: DatabaseSync, path: string, dead: readonly number[] = []): JournalEntry[] {
  const [record = ''] = path.split('?', 1);
  return database
    .prepare(
      `${SELECT} WHERE method = 'PATCH' AND (outcome IN ('waiting', 'unknown') OR ${sentBy(dead)})
        AND (path = ? OR (path > ? || '?' AND path < ? || '@')) ORDER BY number`,
    )
    .all(...dead, record, record, record)
    .map(toEntry);
}

function sentBy(senders: readonly number[]): string {
  return `outcome = 'sent' AND sender IN (${senders.map(() => '?').join(', ')})`;
}

function withAge(entry: JournalEntry, now: number): UnconfirmedWrite {
  const ageMs = now - (entry.sentAt ?? entry.at);
  return { entry, ageMs, lapsed: entry.sentAt !== undefined && (ageMs > DAY_MS || ageMs < -SLIGHT_MS) };
}

function one(row: StoredRow | undefined): JournalEntry | undefined {
  return row === undefined ? undefined : toEntry(row);
}

function toEntry(row: StoredRow): JournalEntry {
  const before = parseJson(textColumn(row, 'before') ?? 'null');
  const body = row['body'];
  return {
    number: Number(row['number']),
    at: Number(row['at']),
    sentAt: numberColumn(row, 'sent_at'),
    settledAt: numberColumn(row, 'settled_at'),
    command: JSON.parse(textColumn(row, 'command') ?? '[]') as string[],
    noun: textColumn(row, 'noun'),
    group: numberColumn(row, 'group_number'),
    method: textColumn(row, 'method') ?? '',
    path: textColumn(row, 'path') ?? '',
    body: body instanceof Uint8Array ? body : undefined,
    bodyWithheld: row['body_withheld'] === 1,
    request: textColumn(row, 'request') ?? '',
    key: textColumn(row, 'key') ?? '',
    etagSeen: textColumn(row, 'etag_seen'),
    etagLeft: textColumn(row, 'etag_left'),
    before: isJsonObject(before) ? before : undefined,
    collection: textColumn(row, 'collection'),
    undoes: numberColumn(row, 'undoes'),
    plannedBy: textColumn(row, 'planned_by'),
    approvedBy: textColumn(row, 'approved_by'),
    undoneBy: numberColumn(row, 'undone_by'),
    outcome: textColumn(row, 'outcome') as Outcome,
    status: numberColumn(row, 'status'),
    recordId: textColumn(row, 'record_id'),
  };
}

// In this file, the caller of a function that changes entries must open a transaction. Times are milliseconds since 1970.

export function insertEntry(database: DatabaseSync, write: NewEntry, now: number, sender: number | undefined): number {
  const path = apiPath(write.path);
  const method = write.method.toUpperCase();
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO entries (at, sent_at, command, noun, group_number, method, path, body, body_withheld, request, key, etag_seen, before,
         collection, undoes, outcome, sender, planned_by, approved_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      write.plannedBy ?? null,
      write.approvedBy ?? null,
    );
  const number = Number(lastInsertRowid);
  if (write.row !== undefined) insertRow(database, write.collection ?? path, { ...write.row, entry: number });
  return number;
}

export function takeEntry(database: DatabaseSync, number: number, now: number, sender: number): boolean {
  const { changes } = database
    .prepare(
      `UPDATE entries SET outcome = 'sent', sender = ?, sent_at = coalesce(sent_at, ?) WHERE number = ? AND outcome IN ('waiting', 'unknown')`,
    )
    .run(sender, now, number);
  return changes > 0;
}

/**
 * Records the outcome of an entry. Returns false unless the entry is `sent` or `unknown`. A later failure must not replace the outcome of a
 * resolved entry.
 */
export function resolveEntry(database: DatabaseSync, number: number, resolution: Resolution, now: number): boolean {
  const { outcome } = resolution;
  const done = outcome === 'done' ? resolution : undefined;
  const isOpen = outcome === 'unknown' || outcome === 'waiting';
  const { changes } = database
    .prepare(
      `UPDATE entries SET outcome = ?, status = ?, record_id = ?, etag_left = ?, settled_at = ?, sender = NULL,
         sent_at = CASE WHEN ? THEN NULL ELSE sent_at END
       WHERE number = ? AND outcome IN ('sent', 'unknown')`,
    )
    .run(
      outcome,
      ('status' in resolution ? resolution.status : undefined) ?? null,
      done?.recordId ?? null,
      done?.etagLeft ?? null,
      isOpen ? null : now,
      Number(outcome === 'waiting'),
      number,
    );
  return changes > 0;
}

export function dropEntry(database: DatabaseSync, number: number, now: number): boolean {
  const { changes } = database
    .prepare(`UPDATE entries SET outcome = 'dropped', settled_at = ? WHERE number = ? AND outcome IN ('waiting', 'unknown')`)
    .run(now, number);
  return changes > 0;
}

export function insertGroup(database: DatabaseSync, command: readonly string[], now: number): number {
  return Number(database.prepare('INSERT INTO groups (at, command) VALUES (?, ?)').run(now, JSON.stringify(command)).lastInsertRowid);
}
