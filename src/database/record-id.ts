import type { JsonObject } from '../values/json.ts';

/** Returns the id of a record if the id is an integer. Undefined for any other id. Databases convert a text such as `0x10` differently. */
export function integerId({ id }: JsonObject): number | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}
