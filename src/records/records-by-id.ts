import { NotFoundError, RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonObject } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import { recordAt } from './record-at.ts';

/**
 * The records with these ids in their detail view, as far as they are there. svc reads a few one by one, side by side. For more it
 * reads the whole collection, since no collection is documented to take a list of ids. Child records that some organisations list
 * only below their parents (rule 18.18) are always read one by one.
 */
export async function recordsById(context: Needs<'client'>, path: string, ids: readonly number[]): Promise<readonly JsonObject[]> {
  if (ids.length <= FEW) return eachById(context, path, ids);
  const wanted = new Set<unknown>(ids);
  try {
    const all = await collectRows(context, path, [['view', 'detail']]);
    return all.filter(({ id }) => wanted.has(id));
  } catch (error) {
    const isNoList = error instanceof NotFoundError || (error instanceof RefusedError && error.details.status === 405);
    if (!isNoList) throw error;
    return eachById(context, path, ids);
  }
}

/** As many as svc has connections. */
const FEW = 8;

async function eachById(context: Needs<'client'>, path: string, ids: readonly number[]): Promise<readonly JsonObject[]> {
  const each = ids.map(async (id) => {
    try {
      return [(await recordAt(context, `${path}/${id}`)).record];
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  });
  return (await Promise.all(each)).flat();
}
