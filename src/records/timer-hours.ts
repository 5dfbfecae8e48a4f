import { createHash } from 'node:crypto';
import type { Globals } from '../cli/globals.ts';
import { ConflictError, ForbiddenError, RefusedError, type SvcError, undefinedFor } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { ifUsable } from '../journal/journal-error.ts';
import { writtenBody } from '../journal/written-values.ts';
import type { Asking, Needs } from '../session/context.ts';
import { findLapsed } from '../session/unconfirmed-write.ts';
import type { Timer } from '../time/timer.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { readRecord } from './record-at.ts';
import { sendEntry } from './send-entry.ts';
import { sendWrite, type WriteRequest } from './send-write.ts';
import { worklogCreation } from './worklogs.ts';

export type LoggingOnce = Asking | 'account' | 'client' | 'globals' | 'journal' | 'notice' | 'noticeToday' | 'seen';

/** Returns the key under which svc logs the hours of a timer (rule 6.12). The key stays the same if the minutes change. */
export function hoursKey(host: string, { id, record }: Timer): string {
  const digest = createHash('sha256').update(JSON.stringify([host, id, record['started_at'] ?? null]));
  return `${PREFIX}${id}-${digest.digest('hex').slice(0, 16)}`;
}

export function timerOfKey(key: string): number | undefined {
  const [, id] = /^svc-timer-(\d+)-[0-9a-f]{16}(?:-\d+)?$/.exec(key) ?? [];
  return id === undefined ? undefined : Number(id);
}

/**
 * Returns the state of a timer’s hours from the journal. `entry`: the write that logged the hours, or possibly logged the hours. `failed`:
 * the latest other write. `nextKey`: the key for the next write. With `--again`, no write counts as `entry`, so that svc logs the hours a
 * second time. Without a journal, the state is unknown.
 */
export async function readHoursState(context: Needs<'journal'> & { readonly globals?: Pick<Globals, 'again'> }, key: string) {
  let failed: JournalEntry | undefined;
  const journal = await ifUsable(context.journal());
  for (let nth = 1; ; nth += 1) {
    const nextKey = nth === 1 ? key : `${key}-${nth}`;
    const entry = await journal?.entryByKey(nextKey);
    if (entry === undefined) return { entry, failed, nextKey };
    // svc uses the same key again, so that the service refuses the write if somebody else has logged the hours.
    if (entry.outcome === 'refused' && !context.globals?.again) return { entry: undefined, failed: entry, nextKey };
    const isLogged = entry.outcome !== 'refused' && entry.outcome !== 'dropped' && entry.undoneBy === undefined;
    if (isLogged && !context.globals?.again) return { entry, failed, nextKey };
    failed = entry;
  }
}

/** Returns the request that logs the hours. `svc undo` undoes only this write, because the end of a timer can’t be undone. */
export function hoursCreation(key: string, body: JsonObject): WriteRequest & { readonly body: JsonObject } {
  return { ...worklogCreation(body), idempotencyKey: key, note: { group: undefined } };
}

export async function logHours(context: Needs<'client'>, key: string, body: JsonObject): Promise<JsonObject> {
  try {
    return readRecord(await sendWrite(context, hoursCreation(key, body)));
  } catch (error) {
    if (!isAboutKey(error)) throw error;
    const id = timerOfKey(key);
    throw new ConflictError(`Somebody sent other hours of timer ${id} before, or the service refused the hours, so svc logged nothing.`, {
      hint: `To look for the hours: svc worklogs list --user me --from ${scalarText(body['date'] ?? null)}. To log these hours too: --again. To end the timer: svc timers cancel ${id}`,
      details: error.details,
      cause: error,
    });
  }
}

/** Returns true if an error concerns the key. The answer to a known key with another body is not documented (rule 18.29). */
function isAboutKey(error: unknown): error is SvcError {
  if (!(error instanceof RefusedError) && !(error instanceof ConflictError)) return false;
  const { code, parameter, reason, type } = error.details;
  return /idempotency/i.test([code, parameter, reason, type].join(' '));
}

/**
 * Resolves an unconfirmed write. svc first searches for the record, because the service may run a write with the same key twice (rule
 * 18.29).
 * @throws ConflictError while another svc process is sending the write.
 * @throws ConflictError if nobody can know whether the hours were logged.
 */
export async function resolveHours(context: Needs<LoggingOnce>, entry: JournalEntry): Promise<JsonObject> {
  const sent = writtenBody(entry) ?? {};
  if (entry.outcome === 'done') return { ...sent, id: entry.recordId === undefined ? null : Number(entry.recordId) };
  const journal = await context.journal();
  const unconfirmed = (await journal.outbox()).find((open) => open.entry.number === entry.number);
  if (unconfirmed === undefined)
    throw new ConflictError('Another svc is logging the hours of this timer now.', { hint: 'To see the result: svc history' });
  // The service may refuse this undocumented search (rule 18.27). svc then sends the entry again.
  const findLogged = async () => findLapsed(context, await context.client(), unconfirmed).catch(undefinedFor(RefusedError, ForbiddenError));
  const found = entry.outcome === 'unknown' ? await findLogged() : undefined;
  if (found === undefined) return readRecord(await sendEntry(context, unconfirmed));
  await journal.resolve(entry.number, { outcome: 'done', status: 201, recordId: found });
  return { ...sent, id: Number(found) };
}

const PREFIX = 'svc-timer-';
