import type { JsonObject } from '../values/json.ts';

/** Returns a record’s id; undefined without an integer id. A text such as `0x10` is a number to one database and none to another. */
export function integerId({ id }: JsonObject): number | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}
