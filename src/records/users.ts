import type { Needs } from '../session/context.ts';
import { scalarText } from '../values/json.ts';
import { allRows } from './all-rows.ts';

/** A user, as far as they must be told from others. */
export interface UserName {
  readonly id: number;
  readonly name: string;
  /** In lower case; empty where the record does not say. */
  readonly email: string;
}

/** Every user that may be seen: a request for each hundred. */
export async function readUsers(context: Needs<'client'>): Promise<readonly UserName[]> {
  const found: UserName[] = [];
  for await (const record of allRows(context, '/users')) {
    const { id } = record;
    if (typeof id === 'number') found.push({ id, name: scalarText(record['name']), email: scalarText(record['email']).toLowerCase() });
  }
  return found;
}
