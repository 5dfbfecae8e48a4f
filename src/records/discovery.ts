import { rows } from '../client/pages.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';

/** The resources of the organisation: an entry for each (rules 9.4 to 9.9), cached like any answer that may be (rule 7.3). */
export async function discover(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  return Array.fromAsync(rows(await context.client(), { method: 'GET', path: '/' }));
}
