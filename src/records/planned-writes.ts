import { recordIdIn } from '../client/record.ts';
import { ConflictError, NotFoundError, undefinedFor } from '../errors.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { WriteDetails } from '../journal/journaled-client.ts';
import type { Plan, PlannedWrite } from '../journal/plan-file.ts';
import { showsValues } from '../journal/written-values.ts';
import type { Needs } from '../session/context.ts';
import { changedRecord } from '../session/planning.ts';
import { findLapsed } from '../session/unconfirmed-write.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { together } from '../values/together.ts';
import { type CurrentRecord, recordAt } from './record-at.ts';

export interface PlannedWriteState {
  readonly write: PlannedWrite;
  readonly number: number;
  /** The journal entry of an earlier run of the plan. Undefined if no run sent the write, or if the write was refused or dropped. */
  readonly entry: JournalEntry | undefined;
  readonly isDone: boolean;
}

/**
 * Finds the state of each write of a plan. An unconfirmed write is done if its record has the planned values. svc then also records this
 * outcome in the journal.
 * @throws ConflictError if records have changed since the plan, or if svc can’t know whether an old unconfirmed write ran.
 */
export async function planState(context: Needs<'account' | 'client' | 'journal'>, { writes }: Plan): Promise<readonly PlannedWriteState[]> {
  const journal = await context.journal();
  const states: PlannedWriteState[] = [];
  const changed: string[] = [];
  const doubtful: string[] = [];
  const own = new Set<string>();
  const known = new Map((await journal.entriesByKey(writes.map(({ key }) => key))).map((entry) => [entry.key, entry]));
  const lookups = writes.map((write, index) => {
    const found = known.get(write.key);
    const entry = found?.outcome === 'dropped' || found?.outcome === 'refused' ? undefined : found;
    const at = changedRecord(write.method, write.path) ?? '';
    const asks = entry?.outcome !== 'done' && write.ifMatch !== undefined && !own.has(at);
    own.add(at);
    return { write, entry, at, asks, number: index + 1 };
  });
  const records = await together(
    ...lookups.map(({ asks, at }) => (asks ? recordAt(context, at).catch(undefinedFor(NotFoundError)) : undefined)),
  );
  for (const [index, { write, entry: before, at, asks, number }] of lookups.entries()) {
    const now = records[index];
    let entry = before;
    if (asks && now?.etag !== write.ifMatch) {
      if (entry?.outcome === 'unknown' && holds(now, write)) {
        await journal.resolve(entry.number, { outcome: 'done', status: 200, recordId: recordIdIn(now?.record), etagLeft: now?.etag });
        entry = await journal.entry(entry.number);
      } else changed.push(`write ${number}: ${at} ${now === undefined ? 'was deleted' : 'was changed since'}`);
    }
    if (entry?.outcome === 'unknown' && write.method === 'POST' && at === '') {
      const lapsed = (await journal.outbox()).find((one) => one.lapsed && one.entry.number === entry?.number);
      const found = lapsed === undefined ? undefined : await findLapsed(context, await context.client(), lapsed);
      if (found !== undefined) {
        await journal.resolve(entry.number, { outcome: 'done', status: 200, recordId: found });
        entry = await journal.entry(entry.number);
      } else if (lapsed !== undefined) doubtful.push(doubtOf(number, entry));
    }
    states.push({ write, number, entry, isDone: entry?.outcome === 'done' });
  }
  if (changed.length === 0 && doubtful.length === 0) return states;
  if (changed.length === 0)
    throw new ConflictError('The service may have run writes of this plan more than a day ago, so svc sent nothing now.', {
      hint: 'If a matching record exists, the write is done. If not, drop the entry of the write, and apply the plan again.',
      details: { lines: doubtful.slice(0, 50) },
    });
  throw new ConflictError('Somebody changed a record of the plan after you created the plan, so svc sent nothing.', {
    hint: 'Create the plan again.',
    details: { lines: changed.slice(0, 50) },
  });
}

function doubtOf(number: number, entry: JournalEntry): string {
  const day = new Date(entry.sentAt ?? entry.at).toISOString().slice(0, 10);
  return `write ${number}: was sent on ${day}, nobody saw how it ended, and its record was not found. To send the write, apply the plan again after: svc outbox drop ${entry.number}`;
}

/** The precondition of a write of a plan, and the details that the journal stores with the write. */
export interface PlannedSending extends Pick<WriteDetails, 'before' | 'group' | 'plannedBy' | 'approvedBy'> {
  readonly ifMatch: string | undefined;
}

export async function sendPlanned(
  context: Needs<'client'>,
  { write, entry }: PlannedWriteState,
  { ifMatch, before, group, ...people }: PlannedSending,
): Promise<{ readonly id: string | undefined; readonly etag: string | undefined }> {
  const client = await context.client();
  const response = await client.send({
    method: write.method,
    path: write.path,
    ...(write.body !== undefined && { body: { raw: write.body } }),
    ...(write.method === 'POST' && { idempotencyKey: write.key }),
    ...(ifMatch !== undefined && { ifMatch }),
    note: {
      key: write.key,
      ...(write.noun !== undefined && { noun: write.noun }),
      ...(before !== undefined && { before }),
      ...(group !== undefined && { group }),
      ...people,
      ...(entry?.outcome === 'unknown' && { entry: entry.number }),
    },
  });
  return { id: recordIdIn(response.body()), etag: response.etag };
}

function holds(now: CurrentRecord | undefined, { method, body }: PlannedWrite): boolean {
  if (method === 'DELETE') return now === undefined;
  if (now === undefined || body === undefined) return false;
  const written = parseJson(body);
  return isJsonObject(written) && showsValues(now.record, written);
}
