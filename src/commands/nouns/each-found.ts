import { AT_ONCE, inOrder } from '../../bulk/import/in-order.ts';
import type { Resource } from '../../catalog/define.ts';
import { pluralOf } from '../../cli/words.ts';
import { NotFoundError, SvcError, withMore } from '../../errors.ts';
import { counted, were } from '../../values/counted.ts';
import type { JsonObject } from '../../values/json.ts';

/** A record that was asked for and is not there. */
export interface Missing {
  readonly index: number;
  readonly error: NotFoundError;
}

/** Each record, in the order asked for. One that is not there is noted, and hides none of the others. */
export async function* eachFound(
  paths: readonly string[],
  read: (path: string) => Promise<JsonObject>,
  missing: Missing[],
): AsyncGenerator<JsonObject> {
  let found = 0;
  const look = async (path: string, index: number): Promise<JsonObject | undefined> => {
    try {
      return await read(path);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      missing.push({ index, error });
      return undefined;
    }
  };
  try {
    for await (const record of inOrder(paths.entries(), AT_ONCE, ([index, path]) => look(path, index))) {
      if (record === undefined) continue;
      yield record;
      found += 1;
    }
  } catch (error) {
    throw found > 0 ? halfWay(error, found) : error;
  }
  missing.sort((one, other) => one.index - other.index);
}

/** A failure that leaves records behind says how many. With `--jq` nothing is written before the end. */
function halfWay(error: unknown, count: number): unknown {
  return error instanceof SvcError ? withMore(error, { lines: [`${counted(count, 'record')} ${were(count)} read before this.`] }) : error;
}

/** The failure that names those that are missing. Where that is all of them, the resource itself may be: the service's words say so. */
export function notAllFound(resource: Resource, missing: readonly Missing[], ids: readonly string[]): NotFoundError {
  const named = missing.map(({ index }) => ids[index]).join(', ');
  const [first] = missing;
  if (missing.length === ids.length && first !== undefined) return withMore(first.error, { lines: [`Not found: ${named}`] });
  return new NotFoundError(`${missing.length} of ${ids.length} ${pluralOf(resource)} ${were(missing.length)} not found: ${named}.`, {
    hint: 'The others are printed. Check the ids, and that you may see these records.',
    details: { status: 404, request_id: first?.error.details.request_id },
  });
}
