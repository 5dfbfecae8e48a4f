import { type JsonObject, type JsonValue, stringifyJson } from '../values/json.ts';
import { writtenBody } from './body-of.ts';
import type { JournalEntry } from './entry.ts';

/** The request that takes a write back. It is sent under a new key, with {@link JournalEntry.undoes} naming the entry. */
export interface UndoRequest {
  readonly kind: 'request';
  readonly entry: JournalEntry;
  /** DELETE needs a personal token (rule 13.53). */
  readonly method: 'DELETE' | 'PATCH' | 'POST';
  readonly path: string;
  readonly body: JsonObject | undefined;
  /**
   * The ETag that the write left: 412 when somebody changed the record since (rule 6.9). Undefined where the service gave none; then
   * only a look at the record tells.
   */
  readonly ifMatch: string | undefined;
  /** What it overwrites in its turn. */
  readonly before: JsonObject | undefined;
}

/** The write cannot be taken back. */
export interface NoUndo {
  readonly kind: 'none';
  readonly entry: JournalEntry;
  /**
   * - `deleted`: a delete is not undone; `again` creates the record anew, where it is known what it held.
   * - `action`: an action that has no opposite, or nobody knows it.
   * - `not-seen`: what was there before was not read, at least the fields in `fields`.
   * - `not-done`: it was refused or dropped, or its outcome is not known yet.
   * - `undone`: it was taken back already.
   * - `undo`: it takes another one back.
   */
  readonly reason: 'deleted' | 'action' | 'not-seen' | 'not-done' | 'undone' | 'undo';
  /** For `not-seen`. */
  readonly fields?: readonly string[] | undefined;
  /** For `deleted`: the words after `svc`. */
  readonly again?: readonly string[] | undefined;
}

export type UndoPlan = UndoRequest | NoUndo;

/** What the journal calls leave to send one file, whatever its path. */
export const UPLOAD_TICKET = 'upload-tickets';

/**
 * How a write is taken back.
 *
 * @param isWritable whether `create` of a noun takes a field (the catalog knows): what the service sets itself is no part of
 *   the command that creates a record anew.
 * @param operations Numbers of entries that did something and created nothing, whatever their answers held.
 */
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

/** How a bulk run is taken back: its writes one by one, the last one first, since later ones may build on earlier ones. */
export function planGroupUndo(
  entries: readonly JournalEntry[],
  isWritable: (noun: string, field: string) => boolean,
  operations?: ReadonlySet<number>,
): UndoPlan[] {
  const newestFirst = entries.toSorted((one, other) => other.number - one.number);
  // What was never done needs no taking back.
  return newestFirst
    .map((entry) => planUndo(entry, isWritable, operations))
    .filter((plan) => plan.kind === 'request' || plan.reason !== 'not-done');
}

/** The one action that has an opposite: itself, with the status that was there (rule 9.46). */
function isTransition(path: string): boolean {
  return path.endsWith('/actions/transition');
}

/** `worklogs create --data {…}`, with what the record held; undefined where nobody read it. */
function createCommand(
  noun: string | undefined,
  before: JsonObject | undefined,
  isWritable: (noun: string, field: string) => boolean,
): string[] | undefined {
  if (noun === undefined || before === undefined) return undefined;
  const fields = Object.entries(before).filter(([name, value]) => value !== null && isWritable(noun, name));
  return fields.length === 0 ? undefined : [noun, 'create', '--data', stringifyJson(Object.fromEntries(fields))];
}
