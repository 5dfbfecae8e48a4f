import type { JsonObject } from '../values/json.ts';

/**
 * A record's id; undefined where it has none that is an integer. A text such as `0x10` is a number to one database and none to another.
 */
export function integerId({ id }: JsonObject): number | undefined {
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}
