import { type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import type { JournalEntry } from './entry.ts';
import { writtenBody } from './written-values.ts';

/** The request that undoes a write. svc sends it under a new key, with {@link JournalEntry.undoes} naming the entry. */
export interface UndoRequest {
  readonly kind: 'request';
  readonly entry: JournalEntry;
  /** A DELETE needs a personal access token (rule 13.53). */
  readonly method: 'DELETE' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body: JsonObject | undefined;
  /** The ETag that the write left: 412 when somebody changed the record since (rule 6.9). Undefined after later writes of this account. */
  readonly ifMatch: string | undefined;
  readonly before: JsonObject | undefined;
}

export interface NoUndo {
  readonly kind: 'none';
  readonly entry: JournalEntry;
  /** `not-seen`: nobody read the earlier values, at least of the fields in `fields`. `unchanged`: the write left every field as it was. */
  readonly reason: 'deleted' | 'action' | 'not-seen' | 'not-done' | 'undone' | 'undo' | 'unchanged';
  /** For `not-seen`. */
  readonly fields?: readonly string[] | undefined;
  /** For `deleted`: the words after `svc`. */
  readonly again?: readonly string[] | undefined;
}

export type UndoPlan = UndoRequest | NoUndo;

export const UPLOAD_TICKET = 'upload-tickets';

/** @param operations Numbers of entries that did something and created nothing, with any answer. */
export function planUndo(
  entry: JournalEntry,
  isWritable: (noun: string, field: string) => boolean,
  operations: ReadonlySet<number> = new Set(),
): UndoPlan {
  const none = (reason: NoUndo['reason'], more: Pick<NoUndo, 'fields' | 'again'> = {}): NoUndo => ({
    kind: 'none',
    entry,
    reason,
    ...more,
  });
  if (entry.outcome !== 'done') return none('not-done');
  if (entry.undoneBy !== undefined) return none('undone');
  if (entry.undoes !== undefined) return none('undo');
  const { method, noun, before, etagLeft: ifMatch } = entry;
  const path = entry.path.split('?', 1)[0] ?? '';
  const body = writtenBody(entry);
  if (method === 'DELETE') return none('deleted', { again: createCommand(noun, before, isWritable) });
  if (method === 'PATCH' || isTransition(path)) {
    const overwritten = Object.keys(body ?? {});
    const unseen = overwritten.filter((name) => before === undefined || !Object.hasOwn(before, name));
    if (unseen.length > 0 || overwritten.length === 0) return none('not-seen', { fields: unseen });
    if (leftUnchanged(entry)) return none('unchanged');
    const old = Object.fromEntries(overwritten.map((name): [string, JsonValue] => [name, before?.[name] ?? null]));
    return { kind: 'request', entry, method: method === 'PATCH' ? 'PATCH' : 'POST', path, body: old, ifMatch, before: body };
  }
  // A ticket for a file ends by itself.
  const isTicket = noun === UPLOAD_TICKET;
  if (method !== 'POST' || path.includes('/actions/') || isTicket || operations.has(entry.number)) return none('action');
  if (entry.recordId === undefined) return none('not-seen');
  const record = `${entry.collection ?? path}/${encodeURIComponent(entry.recordId)}`;
  return { kind: 'request', entry, method: 'DELETE', path: record, body: undefined, ifMatch, before: undefined };
}

/** Plans how to undo a bulk run: its writes one by one, the last one first, since later ones may build on earlier ones. */
export function planGroupUndo(
  entries: readonly JournalEntry[],
  isWritable: (noun: string, field: string) => boolean,
  operations?: ReadonlySet<number>,
): UndoPlan[] {
  const newestFirst = entries.toSorted((one, other) => other.number - one.number);
  // A write that was not done needs no undo.
  return newestFirst
    .map((entry) => planUndo(entry, isWritable, operations))
    .filter((plan) => plan.kind === 'request' || plan.reason !== 'not-done');
}

/** Whether an update or a transition wrote the values that the record had. False where svc did not read them. */
export function leftUnchanged({ before, ...entry }: Pick<JournalEntry, 'before' | 'body' | 'method' | 'path'>): boolean {
  if (entry.method !== 'PATCH' && !isTransition(entry.path.split('?', 1)[0] ?? '')) return false;
  const fields = Object.entries(writtenBody(entry) ?? {});
  return (
    fields.length > 0 &&
    fields.every(([name, value]) => before?.[name] !== undefined && stringifyJson(before[name]) === stringifyJson(value))
  );
}

/** The one action that has an opposite: itself, with the earlier status (rule 9.46). */
function isTransition(path: string): boolean {
  return path.endsWith('/actions/transition');
}

/** Returns `worklogs create --data {…}` with the record’s fields. Undefined if svc does not know the resource or any writable field. */
function createCommand(
  noun: string | undefined,
  before: JsonObject | undefined,
  isWritable: (noun: string, field: string) => boolean,
): string[] | undefined {
  if (noun === undefined || before === undefined) return undefined;
  const fields = Object.entries(before).filter(([name, value]) => value !== null && isWritable(noun, name));
  return fields.length === 0 ? undefined : [noun, 'create', '--data', stringifyJson(Object.fromEntries(fields))];
}
