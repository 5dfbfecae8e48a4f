import { SvcError } from '../errors.ts';
import { type JsonObject, scalarText } from '../values/json.ts';

/** The id of a record. @param what The record, for the message. @throws SvcError when it has none. */
export function idOf(record: JsonObject, what: string): number {
  const id = Number(scalarText(record['id'] ?? null));
  if (!Number.isSafeInteger(id) || id < 1)
    throw new SvcError(`The service's record of ${what} has no id.`, { hint: 'Use the numeric id instead.' });
  return id;
}
