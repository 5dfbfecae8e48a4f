import { rows } from '../client/pages.ts';
import type { Context } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';

/** What the organisation has: an entry for each resource (rules 9.4 to 9.9), kept like any answer that may be (rule 7.3). */
export async function discover(context: Context): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  for await (const entry of rows(await context.client(), { method: 'GET', path: '/' })) entries.push(entry);
  return entries;
}
