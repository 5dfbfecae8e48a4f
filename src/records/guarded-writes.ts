import { TOKEN_LIMIT } from '../client/rate-book.ts';
import { ConflictError, NotFoundError } from '../errors.ts';
import type { Plan, PlannedWrite } from '../journal/plan-file.ts';
import { allowsValues, writtenBody } from '../journal/written-values.ts';
import type { Needs } from '../session/context.ts';
import { changedRecord, writtenRecordPath } from '../session/planning.ts';
import { type JsonObject, type JsonValue, ownEntry, stringifyJson } from '../values/json.ts';
import { type PlannedSending, type PlannedWriteState, sendPlanned } from './planned-writes.ts';
import { type CurrentRecord, isStale, recordNow, usableEtag } from './record-at.ts';

/** A field whose value is no longer the value in the plan. */
export interface Difference {
  readonly field: string;
  readonly planned: JsonValue;
  /** Undefined if the record no longer shows the field. */
  readonly now: JsonValue | undefined;
}

/** The state of a record, compared with a planned write that has the earlier values. */
export type GuardedState =
  /** The record has the earlier values. */
  | { readonly kind: 'applies'; readonly current: CurrentRecord }
  /** The record already has the planned values, or is already deleted. */
  | { readonly kind: 'unchanged'; readonly current: CurrentRecord | undefined }
  | { readonly kind: 'differs'; readonly differences: readonly Difference[]; readonly reason: string };

/**
 * Reads a record, and compares the record with the earlier values in the plan.
 * @param expected the values that earlier writes of the plan will set. Default: none.
 */
export async function guardedState(
  context: Needs<'client'>,
  { write, entry }: Pick<PlannedWriteState, 'write' | 'entry'>,
  expected: JsonObject = {},
): Promise<GuardedState> {
  const path = changedRecord(write.method, write.path) ?? '';
  const current = await recordIfThere(context, path);
  if (current === undefined)
    return write.method === 'DELETE'
      ? { kind: 'unchanged', current }
      : { kind: 'differs', differences: [], reason: 'the record was deleted' };
  const planned = plannedValues(write);
  const differences: Difference[] = [];
  let isDone = setsFields(write);
  for (const [field, value] of Object.entries(write.before ?? {})) {
    const now = ownEntry({ ...current.record, ...expected }, field);
    if (now !== undefined && stringifyJson(now) === stringifyJson(value)) isDone = false;
    else if (now === undefined || !allowsValues({ [field]: now }, { [field]: ownEntry(planned, field) ?? null }))
      differences.push({ field, planned: value, now });
  }
  if (differences.length > 0) return { kind: 'differs', differences, reason: differences.map(differenceText).join(', ') };
  if (isDone) return { kind: 'unchanged', current };
  if (entry?.outcome === 'unknown' && entry.etagSeen !== current.etag)
    return {
      kind: 'differs',
      differences,
      reason: `svc sent the write before, nobody saw how it ended, and the record was changed since. To send the write, apply the plan again after: svc outbox drop ${entry.number}`,
    };
  return { kind: 'applies', current };
}

export type GuardedResult = { readonly kind: 'done' | 'unchanged' | 'done before' } | Extract<GuardedState, { readonly kind: 'differs' }>;

/** The most attempts for a record that somebody changes between the read and the write. */
const ATTEMPTS = 3;

/**
 * Reads the record of a planned write, and sends the write if the record still has the earlier values. The write has the ETag of the
 * record, so the service refuses the write after a change in between. svc then reads the record again.
 * @param note the group of the plan in the journal, and the people of the plan.
 * @throws UnavailableError if the service sends no ETag for the record.
 */
export async function sendGuarded(
  context: Needs<'client' | 'journal'>,
  state: PlannedWriteState,
  note: PlanPeople & Pick<PlannedSending, 'group'>,
): Promise<GuardedResult> {
  let { entry } = state;
  for (let attempt = 1; ; attempt += 1) {
    const found = await guardedState(context, { ...state, entry });
    if (found.kind === 'differs') return found;
    if (found.kind === 'unchanged') {
      if (entry?.outcome !== 'unknown') return { kind: 'unchanged' };
      const recordId = changedRecord(state.write.method, state.write.path)?.split('/').at(-1);
      await (await context.journal()).resolve(entry.number, { outcome: 'done', status: 200, recordId, etagLeft: found.current?.etag });
      return { kind: 'done before' };
    }
    const { current } = found;
    try {
      const before = setsFields(state.write) ? overwritten(current.record, state.write) : current.record;
      await sendPlanned(context, { ...state, entry }, { ifMatch: usableEtag(current, 'svc cannot apply this plan.'), before, ...note });
      return { kind: 'done' };
    } catch (error) {
      if (!isStale(error)) throw error;
      if (attempt === ATTEMPTS) return { kind: 'differs', differences: [], reason: 'somebody is changing the record right now' };
      // The service refused the write, so the write did not run.
      entry = undefined;
    }
  }
}

export function differsError({ reason }: Extract<GuardedState, { readonly kind: 'differs' }>): ConflictError {
  return new ConflictError(reason, { hint: 'Check the record, and plan the change again.' });
}

export function guardedRow(result: GuardedResult | GuardedState): JsonObject {
  if (result.kind !== 'differs') return { result: result.kind };
  const differences = result.differences.map(({ now, ...rest }) => ({ ...rest, ...(now !== undefined && { now }) }));
  return { result: 'differs', error: result.reason, differences };
}

/** The people of a plan, for the history. Undefined for a person whose name svc does not know. */
export interface PlanPeople {
  readonly plannedBy: string | undefined;
  readonly approvedBy: string | undefined;
}

/**
 * Returns the rate-limit units of a plan, and the minutes that one token needs for them (rules 15.2, 15.7). Each write costs a write unit
 * and a read unit. Each record whose write has earlier values or an ETag costs one more read unit.
 */
export function planCost({ writes }: Plan): { readonly write: number; readonly read: number; readonly minutes: number } {
  const reads = new Set(writes.filter(({ before, ifMatch }) => (before ?? ifMatch) !== undefined).map(({ path }) => path)).size;
  const [write, read] = [writes.length, writes.length + reads];
  return { write, read, minutes: Math.ceil(Math.max(write / TOKEN_LIMIT.write, read / TOKEN_LIMIT.read)) };
}

/** Returns true if the write sets the fields of its body: an update or a transition. */
export function setsFields({ method, path }: PlannedWrite): boolean {
  return method !== 'DELETE' && writtenRecordPath(method, path) !== undefined;
}

export function plannedValues({ body }: Partial<Pick<PlannedWrite, 'body'>>): JsonObject {
  return (body === undefined ? undefined : writtenBody({ body: Buffer.from(body) })) ?? {};
}

function overwritten(record: JsonObject, write: PlannedWrite): JsonObject {
  return Object.fromEntries(Object.keys(plannedValues(write)).map((name) => [name, record[name] ?? null]));
}

function differenceText({ field, planned, now }: Difference): string {
  return `${field} was ${stringifyJson(planned)} in the plan, and is ${now === undefined ? 'not shown' : stringifyJson(now)} now`;
}

/** Reads a record. Undefined if the record does not exist or has a deletion time. */
async function recordIfThere(context: Needs<'client'>, path: string): Promise<CurrentRecord | undefined> {
  const current = await recordNow(context, path).catch((error: unknown) => {
    // Without the resource, svc does not know whether the record exists.
    if (error instanceof NotFoundError && error.details.type !== 'endpoint-not-found') return undefined;
    throw error;
  });
  return typeof current?.record['deleted_at'] === 'string' ? undefined : current;
}
