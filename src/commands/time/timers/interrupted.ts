import type { JournalEntry } from '../../../journal/entry.ts';
import { hoursStanding, timerOfKey } from '../../../records/timer-hours.ts';
import { stoppedBy } from '../../../records/timers.ts';
import type { Needs } from '../../../session/context.ts';
import { usableJournal } from '../../../session/usable-journal.ts';
import { isJsonObject, type JsonObject } from '../../../values/json.ts';

/**
 * What an operation that ends a timer leaves to do, noted with it before it is sent: it may log hours by itself, and whether it did is only
 * known afterwards. Whoever dies in between finds here what is still to be logged.
 */
export interface LeftToLog {
  /** Of the hours in the journal. */
  readonly key: string;
  readonly body: JsonObject;
  /** Its fields that were typed: what the service refuses may be among them. */
  readonly typed: readonly string[];
  /** Milliseconds since 1970. */
  readonly start: number;
  /** The hours that were there before. */
  readonly worklog_ids: readonly (string | number)[];
}

/** A timer that is over, and whose hours are not known to be logged. */
export interface Interrupted {
  readonly timerId: number;
  /** The write that logged them, or may have. */
  readonly hours: JournalEntry | undefined;
  /** The operation that ended it, and what it left to do. */
  readonly operation:
    | { readonly entry: JournalEntry; readonly left: LeftToLog; readonly nextKey: string; readonly wasRefused: boolean }
    | undefined;
}

/** What was not brought to its end. */
export interface LeftOver {
  readonly interrupted: readonly Interrupted[];
  /** Numbers of entries of which nobody saw the answer, though what they were for has come to be. */
  readonly done: readonly number[];
}

/** Of timers that ended well so many are looked at, for hours that the service refused. */
const LATEST = 5;

/** @param running The ids of the timers that the service shows as running: those are not over. */
export async function findInterrupted(context: Needs<'journal'>, running: readonly number[]): Promise<LeftOver> {
  const journal = await usableJournal(context);
  if (journal === undefined) return { interrupted: [], done: [] };
  const found = new Map<number, Interrupted>();
  const done: number[] = [];
  for (const { entry } of await journal.outbox()) {
    const timerId = timerOfKey(entry.key);
    if (timerId !== undefined && !running.includes(timerId)) found.set(timerId, { timerId, hours: entry, operation: undefined });
    const [, deleted] = /^\/timers\/(\d+)$/.exec(entry.path) ?? [];
    if (entry.method === 'DELETE' && deleted !== undefined && !running.includes(Number(deleted))) done.push(entry.number);
  }
  const [lost, settled] = await Promise.all([
    journal.history({ noun: 'timers', outcome: 'unknown' }),
    journal.history({ noun: 'timers', outcome: 'done', limit: LATEST }),
  ]);
  for (const entry of [...lost, ...settled]) {
    const timerId = stoppedBy(entry);
    const left = leftOf(entry);
    if (timerId === undefined || running.includes(timerId)) continue;
    if (left === undefined) {
      // It had only just begun, so nothing was to follow.
      if (entry.outcome === 'unknown') done.push(entry.number);
      continue;
    }
    const { entry: hours, failed, nextKey } = await hoursStanding({ journal: context.journal }, left.key);
    const wasRefused = failed?.outcome === 'refused';
    // One that is settled went to its end, unless the service would not have the hours.
    const isOpen = hours === undefined && (entry.outcome === 'unknown' ? failed?.undoneBy === undefined : wasRefused);
    if (isOpen) found.set(timerId, { timerId, hours, operation: { entry, left, nextKey, wasRefused } });
    else if (entry.outcome === 'unknown') done.push(entry.number);
  }
  return { interrupted: [...found.values()], done };
}

/** What is noted with an operation. */
export function noteOfOperation(record: JsonObject, { key, body, typed, start, worklog_ids: ids }: LeftToLog): JsonObject {
  return { ...record, [MEMBER]: { key, body, typed: [...typed], start, worklog_ids: [...ids] } };
}

const MEMBER = 'hours_to_log';

function leftOf({ before }: JournalEntry): LeftToLog | undefined {
  const left = before?.[MEMBER];
  if (!isJsonObject(left)) return undefined;
  const { key, body, typed, start, worklog_ids: ids } = left;
  if (typeof key !== 'string' || !isJsonObject(body) || typeof start !== 'number') return undefined;
  if (!Array.isArray(ids) || !Array.isArray(typed)) return undefined;
  const known = ids.filter((id) => typeof id === 'number' || typeof id === 'string');
  return { key, body, typed: typed.filter((name) => typeof name === 'string'), start, worklog_ids: known };
}
