import { rows } from '../client/pages.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';

/** What the organisation has: an entry for each resource (rules 9.4 to 9.9), kept like any answer that may be (rule 7.3). */
export async function discover(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  return Array.fromAsync(rows(await context.client(), { method: 'GET', path: '/' }));
}
