import { type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import type { JournalEntry } from './entry.ts';
import { createsRecord, writtenBody } from './written-values.ts';

/** The request that undoes a write. svc sends the request with a new key and names the entry in {@link JournalEntry.undoes}. */
export interface UndoRequest {
  readonly kind: 'request';
  readonly entry: JournalEntry;
  /** The method of the request. A DELETE needs a personal access token (rule 13.53). */
  readonly method: 'DELETE' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body: JsonObject | undefined;
  /**
   * The ETag that the write returned. The service answers 412 if somebody has changed the record since (rule 6.9). Undefined without an
   * ETag in the answer, and after later writes of this account.
   */
  readonly ifMatch: string | undefined;
  readonly before: JsonObject | undefined;
  /** The latest write of this account to the record after this write, which nobody has undone. */
  readonly later?: JournalEntry | undefined;
}

export interface NoUndo {
  readonly kind: 'none';
  readonly entry: JournalEntry;
  /**
   * The reason why svc can’t undo the write. `not-seen`: svc did not read the earlier values of `fields`. `unchanged`: the write changed no
   * field. `no-transition`: the workflow does not allow the transition back.
   */
  readonly reason: 'deleted' | 'action' | 'not-seen' | 'not-done' | 'undone' | 'undo' | 'unchanged' | 'no-transition';
  /** The fields whose earlier values are unknown, for `not-seen`. */
  readonly fields?: readonly string[] | undefined;
  /** The arguments of the svc command that creates the record again, for `deleted`. */
  readonly again?: readonly string[] | undefined;
}

export type UndoPlan = UndoRequest | NoUndo;

export const UPLOAD_TICKET = 'upload-tickets';

/** Plans how to undo a write. @param operations numbers of the entries whose POST creates no record, even if the answer has an id. */
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
  // svc can’t undo the request for an upload ticket, but the ticket expires.
  const isTicket = noun === UPLOAD_TICKET;
  if (!createsRecord({ method, path }) || isTicket || operations.has(entry.number)) return none('action');
  if (entry.recordId === undefined) return none('not-seen');
  const record = `${entry.collection ?? path}/${encodeURIComponent(entry.recordId)}`;
  return { kind: 'request', entry, method: 'DELETE', path: record, body: undefined, ifMatch, before: undefined };
}

/** Plans how to undo a bulk run. The last write comes first, because later writes may depend on earlier writes. */
export function planGroupUndo(
  entries: readonly JournalEntry[],
  isWritable: (noun: string, field: string) => boolean,
  operations?: ReadonlySet<number>,
): UndoPlan[] {
  const newestFirst = entries.toSorted((one, other) => other.number - one.number);
  // Only completed writes need an undo.
  return newestFirst
    .map((entry) => planUndo(entry, isWritable, operations))
    .filter((plan) => plan.kind === 'request' || plan.reason !== 'not-done');
}

/** Returns true if an update or a transition wrote the values that the record already had. False if svc did not read the earlier values. */
export function leftUnchanged({ before, ...entry }: Pick<JournalEntry, 'before' | 'body' | 'method' | 'path'>): boolean {
  if (entry.method !== 'PATCH' && !isTransition(entry.path.split('?', 1)[0] ?? '')) return false;
  const fields = Object.entries(writtenBody(entry) ?? {});
  return (
    fields.length > 0 &&
    fields.every(([name, value]) => before?.[name] !== undefined && stringifyJson(before[name]) === stringifyJson(value))
  );
}

/** Returns true for a transition, the one action that svc can reverse: back to the earlier workflow status (rule 9.46). */
function isTransition(path: string): boolean {
  return path.endsWith('/actions/transition');
}

/**
 * Returns `worklogs create --data {…}` with the record’s writable values. Undefined if svc does not know the resource or any writable
 * field.
 */
function createCommand(
  noun: string | undefined,
  before: JsonObject | undefined,
  isWritable: (noun: string, field: string) => boolean,
): string[] | undefined {
  if (noun === undefined || before === undefined) return undefined;
  const fields = Object.entries(before).filter(([name, value]) => value !== null && isWritable(noun, name));
  return fields.length === 0 ? undefined : [noun, 'create', '--data', stringifyJson(Object.fromEntries(fields))];
}
