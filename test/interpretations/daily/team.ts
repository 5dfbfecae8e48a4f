import { localDate } from '../../../src/sandbox/dates.ts';
import { ORGANISATION_ZONE } from '../../../src/sandbox/resources/fields.ts';
import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import { type Days, dayAfter, daysOf, loggedIn, overlap, presentMinutes } from '../truth.ts';
import type { Daily } from './daily.ts';

/** A range with holidays, free days, a single day of leave, and leave of several days. */
const RANGE: Days = { first: '2025-04-23', last: '2025-05-25' };

/** Tests of missing hours of a team, and of balances over a longer time. */
export const team: readonly Daily[] = [
  {
    name: 'week of everybody',
    matters: ['person', 'machineZone', 'hoursFilters'],
    run: (place) => attempt(place, ['week', '--team'], { judge: (judge) => teamWeek(judge, place, '2025-06-16', everybody(place)) }),
  },
  {
    name: 'week of some people, with leave and days off',
    matters: ['absenceBounds', 'wholeDayEnd', 'booleans', 'otherFilters'],
    run: (place) =>
      attempt(place, ['week', '2025-05-01', '--team', '--users', '1,4,5,8'], {
        judge: (judge) =>
          teamWeek(
            judge,
            place,
            '2025-04-28',
            everybody(place).filter(({ id }) => [1, 4, 5, 8].includes(id)),
          ),
      }),
  },
  {
    name: 'week of a branch',
    matters: ['summary', 'worklogSummaryIds', 'assumedIncludes', 'otherFilters'],
    run: (place) =>
      attempt(place, ['week', '2025-05-14', '--team', '--branch', '3'], {
        judge: (judge) =>
          teamWeek(
            judge,
            place,
            '2025-05-12',
            everybody(place).filter((person) => person['company_branch_id'] === 3),
          ),
      }),
  },
  {
    name: 'week, balance of some weeks',
    matters: ['person', 'credential', 'absenceBounds'],
    async run(place) {
      await place.addRecord('worklogs', { user_id: place.person.id, date: RANGE.first, minutes: 95, project_id: 2 });
      return attempt(place, ['week', '--balance', '--from', RANGE.first, '--to', RANGE.last], {
        judge: (judge) => ownBalance(judge, place, RANGE),
      });
    },
  },
  {
    name: 'week, balances of people up to today',
    matters: ['credential', 'narrowedMe', 'hoursFilters', 'wholeDayEnd'],
    run: (place) =>
      attempt(place, ['week', '--balance', '--team', '--users', '4,8,10', '--from', RANGE.first, '--to', '2025-06-30'], {
        judge: (judge) => teamBalance(judge, place, [4, 8, 10], { first: RANGE.first, last: '2025-06-30' }),
      }),
  },
];

type Printed = Readonly<Record<string, unknown>>;

/** The true working time and logged time of a person on a day, according to the rows. */
interface Truth {
  readonly date: string;
  readonly target: number | undefined;
  readonly logged: number;
  /** True if the day is in the future for the person. */
  readonly isToCome: boolean;
}

function everybody(place: Place): Row[] {
  return place.rows('users').filter((person) => person['is_active'] !== false);
}

function truthOf(place: Place, person: Row, days: Days): Truth[] {
  const zone = zoneOf(person);
  const absences = absencesOf(place, person);
  const off = [...place.rows('holidays'), ...place.rows('free-days')].filter((row) =>
    [null, person.id].includes((row['user_id'] ?? null) as null),
  );
  const worklogs = place.rows('worklogs').filter((row) => row['user_id'] === person.id);
  return daysOf(days).map((date) => {
    const present = presentMinutes(person, date, absences, zone);
    return {
      date,
      target: present !== undefined && off.some((row) => row['date'] === date) ? 0 : present,
      logged: loggedIn(worklogs, { first: date, last: date }).reduce((sum, { minutes }) => sum + Number(minutes), 0),
      isToCome: date > localDate(place.now(), zone),
    };
  });
}

function zoneOf(person: Row): string {
  return typeof person['timezone'] === 'string' ? person['timezone'] : ORGANISATION_ZONE;
}

function absencesOf(place: Place, person: Row): Row[] {
  return place.rows('absences').filter((row) => row['user_id'] === person.id && row['status'] !== 'declined');
}

/**
 * Compares figures of a person with the truth.
 * If the service’s answer has several meanings, a figure may differ if stderr says so about that person. If the service shows days instead
 * of times, nobody can know the length of a partial absence.
 */
function holding(judge: Judge, place: Place, person: Row, days: Days, isOwn = false) {
  const name = String(person['name']);
  const words = /are not clear|reads the working hours|does not know|not known|cannot (?:be )?read|svc assumes/;
  const isSaid = judge.result.stderr.split('\n').some((line) => words.test(line) && (isOwn || line.includes(name)));
  const isLost =
    place.combination.absenceBounds !== 'date-time' &&
    daysOf(days).some((date) =>
      absencesOf(place, person).some((row) => overlap(row, { first: date, last: date }, zoneOf(person)) === 'part'),
    );
  return (what: string, seen: unknown, truth: number | undefined) => {
    if (isLost) return;
    judge.figure(`${what} of ${name}`, isSaid && seen !== truth ? null : seen, truth ?? null);
  };
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  return values.includes(undefined) ? undefined : values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function teamWeek(judge: Judge, place: Place, monday: string, people: readonly Row[]): void {
  const days = { first: monday, last: dayAfter(monday, 6) };
  const printed = judge.json() as readonly Printed[];
  judge.same('changes', judge.changes, []);
  judge.same('people', printed.map((row) => row['user_id']).sort(), people.map(({ id }) => id).sort());
  for (const person of people) {
    const row = printed.find((one) => one['user_id'] === person.id) ?? {};
    const truth = truthOf(place, person, days);
    const logged = truth.filter((day) => day.logged > 0);
    judge.figure(`logged by ${person.id}`, row['logged_minutes'], sum(truth.map((day) => day.logged)));
    judge.figure(`last entry of ${person.id}`, row['last_entry_date'], logged.at(-1)?.date ?? null);
    // An absence that ends at its start does not show its length.
    const isUnread = judge.result.stderr.includes(`svc cannot read some absences of ${person['name']}`);
    judge.same(`absences of ${person.id} are known`, row['absences_known'], !isUnread);
    if (isUnread) judge.unknown();
    const holds = holding(judge, place, person, days);
    holds('target', row['target_minutes'], sum(truth.map(({ target }) => target)));
    const gaps = truth.map((day) => (day.target === undefined ? undefined : day.isToCome ? 0 : Math.max(0, day.target - day.logged)));
    holds('gap', row['gap_minutes'], sum(gaps));
  }
}

function ownBalance(judge: Judge, place: Place, days: Days): void {
  const printed = judge.json() as readonly Printed[];
  const isAssumed = printed.every((row) => row['timezone_assumed'] === true);
  const holds = holding(judge, place, place.person, days, true);
  const truth = truthOf(place, place.person, days);
  judge.same('changes', judge.changes, []);
  // The first week starts on Wednesday, the others on Monday.
  const mondays = truth.filter(({ date }, index) => index === 0 || new Date(date).getUTCDay() === 1).map(({ date }) => date);
  judge.same(
    'weeks begin',
    printed.map((row) => row['from']),
    mondays,
  );
  let balance: number | undefined = 0;
  for (const [index, row] of printed.entries()) {
    const next = mondays[index + 1] ?? '9999';
    const week = truth.filter(({ date }) => date >= String(row['from']) && date < next);
    const [target, logged] = [sum(week.map((day) => day.target)), sum(week.map((day) => day.logged)) ?? 0];
    balance = balance === undefined || target === undefined ? undefined : balance + logged - target;
    judge.figure(`logged in ${row['week']}`, row['logged_minutes'], logged);
    const either = (seen: unknown, right: number | undefined) => (isAssumed && seen !== right ? null : seen);
    holds(`target in ${row['week']}`, either(row['target_minutes'], target), target);
    holds(`balance in ${row['week']}`, either(row['balance_minutes'], balance), balance);
  }
}

function teamBalance(judge: Judge, place: Place, ids: readonly number[], days: Days): void {
  const printed = judge.json() as readonly Printed[];
  judge.same('changes', judge.changes, []);
  judge.same('people', printed.map((row) => row['user_id']).sort(), [...ids].sort());
  for (const person of place.rows('users').filter(({ id }) => ids.includes(id))) {
    const row = printed.find((one) => one['user_id'] === person.id) ?? {};
    const past = truthOf(place, person, days).filter(({ isToCome }) => !isToCome);
    const [target, logged] = [sum(past.map((day) => day.target)), sum(past.map((day) => day.logged)) ?? 0];
    judge.figure(`logged by ${person.id}`, row['logged_minutes'], logged);
    const holds = holding(judge, place, person, days);
    holds('target', row['target_minutes'], target);
    holds('balance', row['balance_minutes'], target === undefined ? undefined : logged - target);
  }
}
