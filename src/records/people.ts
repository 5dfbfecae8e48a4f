import type { Needs } from '../session/context.ts';
import { booleanIn } from '../time/entry.ts';
import { type HoursReading, readWorkingHours } from '../time/read-working-hours.ts';
import { isTimeZone } from '../values/dates.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { compareTexts } from '../values/text.ts';
import { allRows, DETAIL } from './all-rows.ts';
import { assumedFilter, MOST_VALUES } from './list-filter.ts';
import { readMe } from './me.ts';
import { recordAt } from './record-at.ts';

export type UserRef = number | 'me';

export interface Person {
  readonly id: number | undefined;
  readonly name: string;
  /** The e-mail address in lower case. Undefined if the record does not show the address. */
  readonly email: string | undefined;
  readonly timeZone: string;
  /**
   * True if the record names no valid time zone. svc then uses the time zone of the signed-in user, the setting or this machine. The API
   * does not show the organisation’s zone (rules 2.22, 18.36).
   */
  readonly timeZoneAssumed: boolean;
  readonly hours: HoursReading;
  /** Undefined if the record does not show whether the person is active. */
  readonly isActive: boolean | undefined;
}

export async function readPerson(context: Needs<'client' | 'timeZone'>, user: UserRef): Promise<Person> {
  const record = user === 'me' ? await readMe(context) : (await recordAt(context, `/users/${user}`)).record;
  return personIn(record, user === 'me' ? 'You' : `User ${user}`, context);
}

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
    isActive: booleanIn(record['is_active']),
  };
}

export interface UserName {
  readonly id: number;
  readonly name: string;
  /** The e-mail address in lower case. Empty if the record does not show the address. */
  readonly email: string;
}

/** Reads users in the detail view. In a summary (rule 18.23), a person without an address would have no name. */
export async function readUsers(context: Needs<'client'>): Promise<readonly UserName[]> {
  const found: UserName[] = [];
  for await (const record of allRows(context, '/users', DETAIL)) {
    const { id } = record;
    if (typeof id === 'number') found.push({ id, name: scalarText(record['name']), email: scalarText(record['email']).toLowerCase() });
  }
  return found;
}

/** The people to read. Default: all visible people. */
export interface TeamQuery {
  readonly users?: readonly number[] | undefined;
  readonly manager?: number | undefined;
  readonly branch?: number | undefined;
}

export interface Member extends Person {
  readonly id: number;
  readonly record: JsonObject;
}

/**
 * Reads the people of a team. The filters are undocumented (rule 18.27). If the service refuses a filter, svc filters the people itself.
 * @throws RefusedError if the records lack the field of a refused filter.
 */
export async function readTeam(
  context: Needs<'client' | 'notice' | 'timeZone'>,
  { users, manager, branch }: TeamQuery,
): Promise<readonly Member[]> {
  const wanted = users === undefined ? undefined : new Set(users);
  const filters = [
    ...(users === undefined || users.length > MOST_VALUES ? [] : [assumedFilter('id', users.join(','), 'in')]),
    ...(manager === undefined ? [] : [assumedFilter('manager_id', manager)]),
    ...(branch === undefined ? [] : [assumedFilter('company_branch_id', branch)]),
  ];
  const members: Member[] = [];
  for await (const record of allRows(context, '/users', DETAIL, { filters })) {
    const { id } = record;
    if (typeof id !== 'number' || wanted?.has(id) === false) continue;
    members.push({ ...(await personIn(record, `User ${id}`, context)), id, record });
  }
  return members.sort((one, other) => compareTexts(one.name, other.name) || one.id - other.id);
}
