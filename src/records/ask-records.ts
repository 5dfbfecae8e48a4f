import type { Resource } from '../catalog/define.ts';
import { findResource } from '../catalog/index.ts';
import type { Candidate } from '../cli/complete/candidate.ts';
import { rows } from '../client/pages.ts';
import { RefusedError } from '../errors.ts';
import { htmlToLine } from '../output/html-text.ts';
import type { Context } from '../session/context.ts';
import { tokenInEnvironment } from '../session/environment.ts';
import { openKeptFiles } from '../session/kept-records.ts';
import { type JsonObject, scalarText } from '../values/json.ts';

/** So many of a noun are kept, the latest: more would be no help in a list that a person looks through. */
const MOST = 300;

/** Asks the service for the records of a noun, and keeps what completion needs of them. */
export async function askRecords(context: Context, noun: string): Promise<void> {
  const resource = await findResource(noun);
  if (resource === undefined || resource.parent !== undefined) return;
  const files = await openKeptFiles(context);
  const before = await accountId(context);
  const records = (await latest(context, resource)).flatMap((record) => candidateOf(resource, record));
  // Somebody else may have signed in meanwhile: these names are not theirs.
  if ((await accountId(context)) === before) await files.write(noun, { at: context.clock.now(), records });
}

async function accountId(context: Context): Promise<string | undefined> {
  if (tokenInEnvironment(context.env) !== undefined) return undefined;
  const found = await (await context.accounts()).find((await context.host()).name);
  return String(found?.record.account?.user_id ?? found?.record.grant?.issued_at);
}

/** The newest first, where the service sorts that way (which is not documented); else as it gives them. */
async function latest(context: Context, resource: Resource): Promise<JsonObject[]> {
  try {
    return await read(context, resource, [['sort', '-id']]);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return read(context, resource, []);
  }
}

async function read(context: Context, resource: Resource, query: readonly (readonly [string, string])[]): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  const request = { method: 'GET', path: resource.path, query: [...query, ['per_page', '100'] as const] };
  for await (const row of rows(await context.client(), request, { limit: MOST })) found.push(row);
  return found;
}

function candidateOf(resource: Resource, record: JsonObject): Candidate[] {
  const value = (resource.keyed && scalarText(record['issue_key'] ?? null)) || scalarText(record['id'] ?? null);
  return value === '' ? [] : [{ value, about: nameOf(record) }];
}

/** What a person knows a record by, in one line. */
function nameOf(record: JsonObject): string {
  const words = ['number', 'name', 'title', 'file_name'].map((field) => scalarText(record[field] ?? null)).filter((text) => text !== '');
  const rest =
    words.length > 0 ? [] : ['date', 'start', 'description', 'body'].map((field) => htmlToLine(scalarText(record[field] ?? null)));
  return [...words, ...rest.filter((text) => text !== '')].join(' ').slice(0, 80);
}
