import type { JsonObject } from '../values/json.ts';
import type { RecordSource } from './local-database.ts';

/**
 * The most records that svc reads before a transaction. Most changes have fewer records, so their transactions do not wait for the service.
 */
const FIRST = 1_000;

/**
 * Reads the first records of a source.
 *
 * @returns `first`: these records; `all`: all records of the source, including `first`. Reading `all` empties `first`.
 */
export async function readFirstRecords(
  records: RecordSource,
): Promise<{ readonly first: readonly JsonObject[]; readonly all: AsyncIterable<JsonObject> }> {
  const rest = Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]();
  const first: JsonObject[] = [];
  while (first.length < FIRST) {
    const { done, value } = await rest.next();
    if (done) return { first, all: chained(first, undefined) };
    first.push(value);
  }
  return { first, all: chained(first, rest) };
}

async function* chained(
  first: JsonObject[],
  rest: AsyncIterator<JsonObject> | Iterator<JsonObject> | undefined,
): AsyncGenerator<JsonObject> {
  try {
    yield* first;
    first.length = 0;
    if (rest === undefined) return;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    await rest?.return?.();
  }
}
