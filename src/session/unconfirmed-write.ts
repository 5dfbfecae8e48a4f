import type { ApiClient, ApiResponse } from '../client/api-client.ts';
import { unwrapRecord } from '../client/record.ts';
import { ConflictError, DeclinedError, NotFoundError, undefinedFor } from '../errors.ts';
import type { JournalEntry, UnconfirmedWrite } from '../journal/entry.ts';
import { allowsValues, createsRecord, showsValues, writtenBody } from '../journal/written-values.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import type { Asking, Needs } from './context.ts';
import { changedRecord } from './planning.ts';

/**
 * Resolves an unconfirmed create whose key may have expired. The lifetime of a key is not documented (rule 6.12), so a second attempt might
 * create a second record.
 * @returns the record’s answer if the create succeeded; undefined if svc should send the create again.
 * @throws ConflictError if nobody can confirm; DeclinedError if the user declines.
 */
export async function resolveLapsed(
  context: Needs<Asking | 'account' | 'journal' | 'notice'>,
  client: ApiClient,
  unconfirmed: UnconfirmedWrite,
): Promise<ApiResponse | undefined> {
  const { entry } = unconfirmed;
  if (entry.path.includes('/actions/')) return undefined;
  const found = await findLapsed(context, client, unconfirmed);
  const sent = `You sent the same write on ${new Date(entry.sentAt ?? entry.at).toISOString().slice(0, 10)}, and svc received no answer (entry ${entry.number})`;
  const seen = found === undefined ? 'svc found no such record' : `A matching record exists: ${entry.path}/${found}`;
  if (!context.interactive) {
    throw new ConflictError(`${sent}. ${seen}. The service may no longer know the key of that write, so svc sent nothing.`, {
      hint:
        found === undefined
          ? `To send the write, add --again. To drop the earlier write: svc outbox drop ${entry.number}`
          : `If this is your record: svc outbox drop ${entry.number}. For a second record, add --again.`,
    });
  }
  if (found !== undefined) {
    if (await context.prompts.confirm(`${sent}. ${seen}. Is this your record?`, context.signal)) {
      const response = await client.send({ method: 'GET', path: `${entry.path}/${encodeURIComponent(found)}` });
      await (await context.journal()).resolve(entry.number, {
        outcome: 'done',
        status: response.status,
        recordId: found,
        etagLeft: response.etag,
      });
      return response;
    }
  }
  if (await context.prompts.confirm(found === undefined ? `${sent}. ${seen}. Send the write?` : 'Send the write again?', context.signal))
    return undefined;
  throw new DeclinedError('svc sent nothing.', { hint: `To drop the earlier write: svc outbox drop ${entry.number}` });
}

/**
 * Returns the id of a record that has the written values and was created since the write. No other write of this account’s journal created
 * the record. Undefined without such a record. Also undefined for a body without a `date`, because svc searches by day.
 */
export async function findLapsed(
  context: Needs<'account' | 'journal'>,
  client: ApiClient,
  { entry, ageMs }: UnconfirmedWrite,
): Promise<string | undefined> {
  const body = writtenBody(entry) ?? {};
  const { date } = body;
  if (typeof date !== 'string') return undefined;
  const user = body['user_id'] ?? (await context.account())?.user_id;
  const response = await client.send({
    method: 'GET',
    path: entry.path,
    query: [
      ['filter[date][gte]', date],
      ['filter[date][lte]', date],
      ...(user === undefined ? [] : ([['filter[user_id]', scalarText(user)]] as const)),
      ['per_page', '100'],
    ],
    assumed: ['filter[date][gte]', 'filter[date][lte]', 'filter[user_id]'],
  });
  const page = response.body();
  const rows = isJsonObject(page) && Array.isArray(page['data']) ? page['data'].filter(isJsonObject) : [];
  // After the clock was set back, the time of sending is unknown.
  const since = ageMs < 0 ? Number.NEGATIVE_INFINITY : (entry.sentAt ?? entry.at);
  const alike = rows.filter((row) => allowsValues(row, body) && wasMadeSince(row, since)).map((row) => scalarText(row['id'] ?? null));
  const done = await (await context.journal()).history({ noun: entry.noun, outcome: 'done' });
  // Entries with the same key are the same write: two processes sent a row of a file simultaneously.
  const others = new Set(done.filter(({ key }) => key !== entry.key).map(({ recordId }) => recordId));
  return alike.find((id) => id !== '' && !others.has(id));
}

/** The most by which this machine’s clock may have been ahead of the service’s: a time zone, as after the start of another system. */
const CLOCK_AHEAD_MS = 24 * 60 * 60_000;

/** Returns true if a record was created since a time by this machine’s clock. A record without a time counts as new. */
function wasMadeSince(row: JsonObject, since: number): boolean {
  const made = Date.parse(scalarText(row['created_at'] ?? null));
  return Number.isNaN(made) || made >= since - CLOCK_AHEAD_MS;
}

/**
 * Resolves an unconfirmed PATCH. A successful PATCH has changed the ETag of the record, so the service would refuse a second attempt. Without
 * an ETag, a second attempt would overwrite what somebody else wrote since. svc reads the record first.
 * @returns the record’s answer if the record has the written values; undefined if svc should send the PATCH.
 * @throws ConflictError for a PATCH without an ETag, if the record has changed since the first attempt.
 */
export async function resolveLostChange(
  context: Needs<'journal' | 'seen'>,
  client: ApiClient,
  { entry, ageMs }: UnconfirmedWrite,
): Promise<ApiResponse | undefined> {
  const { number, method, path, body, etagSeen, recordId } = entry;
  const written = writtenBody({ body });
  if (method !== 'PATCH' || written === undefined) return undefined;
  const at = path.split('?', 1)[0] ?? '';
  const response = await client.send({ method: 'GET', path: at }).catch(undefinedFor(NotFoundError));
  if (response === undefined || (etagSeen !== undefined && response.etag === etagSeen)) return undefined;
  const record = unwrapRecord(response.body()) ?? {};
  if (showsValues(record, written)) {
    const { status, etag: etagLeft } = response;
    context.seen.see({ path: at, record, etag: etagLeft });
    await (await context.journal()).resolve(number, { outcome: 'done', status, recordId: recordId ?? at.split('/').at(-1), etagLeft });
    return response;
  }
  if (etagSeen !== undefined || !wasChangedWithin(record, response, ageMs)) return undefined;
  throw new ConflictError(`The record of entry ${number} has changed since svc first sent the update, so svc did not send it again.`, {
    hint: `To set the values of the update, run its command again. To drop the update: svc outbox drop ${number}`,
  });
}

/** Returns true if a record was changed less than `ageMs` ago, by the service’s clock. Whole seconds may differ by one. */
function wasChangedWithin(record: JsonObject, { headers }: ApiResponse, ageMs: number): boolean {
  const changed = Date.parse(scalarText(record['updated_at'] ?? null));
  const now = Date.parse(headers['date'] ?? '');
  return changed > now - ageMs + 1_000;
}

/**
 * Returns the number of a later entry that writes the same fields or deletes the record. Sending the earlier write would overwrite the
 * later write. Undefined without such an entry.
 */
export async function overtakenBy(
  context: Needs<'journal'>,
  { number, method, path, noun, body }: JournalEntry,
): Promise<number | undefined> {
  if (createsRecord({ method, path })) return undefined;
  const at = changedRecord(method, path);
  const writes = await (await context.journal()).history({ noun });
  const given = fieldsOf(body);
  const covers = (later: JournalEntry) => later.method === 'DELETE' || given.every((name) => fieldsOf(later.body).includes(name));
  const counts = ({ outcome }: JournalEntry) => outcome === 'done' || outcome === 'unknown' || outcome === 'sent';
  return writes.find((later) => later.number > number && counts(later) && changedRecord(later.method, later.path) === at && covers(later))
    ?.number;
}

function fieldsOf(body: Uint8Array | undefined): string[] {
  return Object.keys(writtenBody({ body }) ?? {});
}
