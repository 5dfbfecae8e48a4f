import { AT_ONCE, inOrder } from '../../bulk/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { pluralOf } from '../../cli/words.ts';
import { NotFoundError, SvcError, withMore } from '../../errors.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted, were } from '../../values/text.ts';

/** A requested record that svc could not find. `index` is its position in the command, from 0. */
export interface Missing {
  readonly index: number;
  readonly error: NotFoundError;
}

/**
 * Yields the records, and adds missing records to `missing`.
 *
 * @throws the first other error, with the number of records so far.
 */
export async function* eachFound(
  paths: readonly string[],
  read: (path: string) => Promise<JsonObject>,
  missing: Missing[],
): AsyncGenerator<JsonObject> {
  let found = 0;
  const readOne = async (path: string, index: number): Promise<JsonObject | undefined> => {
    try {
      return await read(path);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      missing.push({ index, error });
      return undefined;
    }
  };
  try {
    for await (const record of inOrder(paths.entries(), AT_ONCE, ([index, path]) => readOne(path, index))) {
      if (record === undefined) continue;
      yield record;
      found += 1;
    }
  } catch (error) {
    if (found === 0 || !(error instanceof SvcError)) throw error;
    throw withMore(error, { lines: [`${counted(found, 'record')} ${were(found)} read before the failure.`] });
  }
  missing.sort((one, other) => one.index - other.index);
}

/** Makes the error that names the missing records. If all records are missing, the message of the service stays. */
export function notAllFound(resource: Resource, missing: readonly Missing[], ids: readonly string[]): NotFoundError {
  const named = missing.map(({ index }) => ids[index]).join(', ');
  const [first] = missing;
  if (missing.length === ids.length && first !== undefined) return withMore(first.error, { lines: [`Not found: ${named}`] });
  return new NotFoundError(`${missing.length} of ${ids.length} ${pluralOf(resource)} ${were(missing.length)} not found: ${named}.`, {
    hint: 'svc printed the other records. Check the ids, and your permission to see these records.',
    details: { status: 404, request_id: first?.error.details.request_id },
  });
}
