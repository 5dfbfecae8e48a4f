import type { Needs } from '../session/context.ts';
import { readWorkingHours, type WorkingHours } from '../time/working-hours.ts';
import { isTimeZone } from '../values/dates.ts';
import { scalarText } from '../values/json.ts';
import { readMe } from './me.ts';
import { recordAt } from './record-at.ts';

/** Whose time it is. */
export type UserRef = number | 'me';

/** Somebody whose days are looked at. */
export interface Person {
  readonly id: number | undefined;
  readonly name: string;
  /** Their own zone; where the record has none, the zone that svc goes by. */
  readonly timeZone: string;
  readonly hours: WorkingHours | undefined;
}

/** The record of a person: one request. */
export async function readPerson(context: Needs<'client' | 'timeZone'>, user: UserRef): Promise<Person> {
  const record = user === 'me' ? await readMe(context) : (await recordAt(context, `/users/${user}`)).record;
  const { id, timezone } = record;
  return {
    id: typeof id === 'number' ? id : undefined,
    name: scalarText(record['name']) || (user === 'me' ? 'You' : `User ${user}`),
    timeZone: typeof timezone === 'string' && isTimeZone(timezone) ? timezone : await context.timeZone(),
    hours: readWorkingHours(record['working_hours']),
  };
}
