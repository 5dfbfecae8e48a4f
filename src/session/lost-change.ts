import type { ApiClient, ApiResponse } from '../client/api-client.ts';
import { NotFoundError } from '../errors.ts';
import { writtenBody } from '../journal/body-of.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../values/json.ts';
import type { Needs } from './context.ts';

/**
 * Resolves a PATCH whose answer was lost, and that depended on an ETag. A successful one has changed that ETag. Sent again it would be
 * refused, as if somebody else had changed the record. So svc reads the record first.
 *
 * @returns The record's answer where it has the written values: the entry is resolved then. Undefined where svc should send the PATCH.
 */
export async function settleLostChange(
  context: Needs<'journal'>,
  client: ApiClient,
  { number, method, path, body, etagSeen, recordId }: JournalEntry,
): Promise<ApiResponse | undefined> {
  if (method !== 'PATCH' || etagSeen === undefined || body === undefined) return undefined;
  const at = path.split('?', 1)[0] ?? '';
  const response = await readUnlessGone(client, at);
  if (response === undefined || response.etag === etagSeen || !holds(recordIn(response), body)) return undefined;
  const { status, etag: etagLeft } = response;
  await (await context.journal()).settle(number, { outcome: 'done', status, recordId: recordId ?? at.split('/').at(-1), etagLeft });
  return response;
}

/**
 * The number of a later write that replaces all values of this one, or deletes the record. That write was done or may yet be; undefined
 * without one. Sending the earlier one now would undo the person's last intention.
 */
export async function overtakenBy(
  context: Needs<'journal'>,
  { number, method, path, noun, body }: JournalEntry,
): Promise<number | undefined> {
  if (method === 'POST' && !path.includes('/actions/')) return undefined;
  const at = recordOf(path);
  const writes = await (await context.journal()).history({ noun });
  const given = fieldsOf(body);
  const covers = (later: JournalEntry) => later.method === 'DELETE' || given.every((name) => fieldsOf(later.body).includes(name));
  const counts = ({ outcome }: JournalEntry) => outcome === 'done' || outcome === 'unknown' || outcome === 'sent';
  return writes.find((later) => later.number > number && counts(later) && recordOf(later.path) === at && covers(later))?.number;
}

/** The names of the fields in a body. */
function fieldsOf(body: Uint8Array | undefined): string[] {
  return Object.keys(writtenBody({ body }) ?? {});
}

function recordOf(path: string): string {
  return (path.split('?', 1)[0] ?? '').replace(/\/actions\/.*/, '');
}

async function readUnlessGone(client: ApiClient, path: string): Promise<ApiResponse | undefined> {
  try {
    return await client.send({ method: 'GET', path });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function recordIn(response: ApiResponse): JsonObject {
  const body = response.body();
  if (!isJsonObject(body)) return {};
  const { data } = body;
  return isJsonObject(data) && !Object.hasOwn(body, 'id') ? data : body;
}

/** Whether a record has the values that the write was to leave. */
function holds(record: JsonObject, body: Uint8Array): boolean {
  const fields = writtenBody({ body });
  return (
    fields !== undefined &&
    Object.entries(fields).every(
      ([name, value]) => record[name] !== undefined && stringifyJson(record[name] ?? null) === stringifyJson(value),
    )
  );
}
