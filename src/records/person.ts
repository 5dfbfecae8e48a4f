import type { Needs } from '../session/context.ts';
import { type HoursReading, readWorkingHours } from '../time/read-working-hours.ts';
import { isTimeZone } from '../values/dates.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { readMe } from './me.ts';
import { recordAt } from './record-at.ts';

/** The user whose time it is. */
export type UserRef = number | 'me';

/** A person whose days svc shows. */
export interface Person {
  readonly id: number | undefined;
  readonly name: string;
  /** In small letters; undefined where the record does not show it. */
  readonly email: string | undefined;
  /** Their own zone; if the record has none, the zone that svc uses. */
  readonly timeZone: string;
  /** Whether the record names no zone: then the organisation's applies, which the API does not show (rules 2.22, 18.36). */
  readonly timeZoneAssumed: boolean;
  readonly hours: HoursReading;
}

/** The record of a person: one request. */
export async function readPerson(context: Needs<'client' | 'timeZone'>, user: UserRef): Promise<Person> {
  const record = user === 'me' ? await readMe(context) : (await recordAt(context, `/users/${user}`)).record;
  return personIn(record, user === 'me' ? 'You' : `User ${user}`, context);
}

/** A person out of a user's record, in its detail view. */
export async function personIn(record: JsonObject, nameless: string, { timeZone }: Needs<'timeZone'>): Promise<Person> {
  const { id, timezone } = record;
  const own = typeof timezone === 'string' && isTimeZone(timezone) ? timezone : undefined;
  return {
    id: typeof id === 'number' ? id : undefined,
    name: scalarText(record['name']) || nameless,
    email:
      scalarText(record['email'] ?? null)
        .trim()
        .toLowerCase() || undefined,
    timeZone: own ?? (await timeZone()),
    timeZoneAssumed: own === undefined,
    hours: readWorkingHours(record['working_hours']),
  };
}
