import type { Needs } from '../session/context.ts';
import { scalarText } from '../values/json.ts';
import { allRows } from './all-rows.ts';

/** A user, with the fields that distinguish them from others. */
export interface UserName {
  readonly id: number;
  readonly name: string;
  /** In lower case; empty where the record does not say. */
  readonly email: string;
}

/**
 * Every user that may be seen: a request for each hundred. They come in the detail view, since the fields of a summary are not
 * documented (rule 18.23). In a summary, a person without an address would look like nobody.
 */
export async function readUsers(context: Needs<'client'>): Promise<readonly UserName[]> {
  const found: UserName[] = [];
  for await (const record of allRows(context, '/users', [['view', 'detail']])) {
    const { id } = record;
    if (typeof id === 'number') found.push({ id, name: scalarText(record['name']), email: scalarText(record['email']).toLowerCase() });
  }
  return found;
}
