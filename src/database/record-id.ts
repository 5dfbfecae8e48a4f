import type { JsonObject } from '../values/json.ts';

/** Returns a record’s id if it is an integer, otherwise undefined. Databases convert a text such as `0x10` differently. */
export function integerId({ id }: JsonObject): number | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}
