import { dayStart, localDate, utcSecond } from '../../../src/sandbox/dates.ts';
import type { Row } from '../../../src/sandbox/start.ts';
import { attempt, differences, type Judge } from '../judge.ts';
import type { Place } from '../place.ts';
import type { OptionName } from '../table.ts';
import { type Days, dayAfter, daysOf, idsOf, minutesAway, overlap, shiftOn, shownAbsence } from '../truth.ts';
import { type Daily, WHO } from './daily.ts';

/** The options that decide how svc finds people, and which of their fields it sees. */
const PEOPLE: readonly OptionName[] = ['workingHours', 'summary', 'otherFilters', 'refusalType'];

const RANGES: readonly OptionName[] = ['absenceBounds', 'wholeDayEnd', 'wrapSingleRecords'];

/** Tests of leave: whole days in the person’s zone, and lists of absent people. */
export const leave: readonly Daily[] = [
  {
    name: 'absences create, whole days',
    matters: [...WHO, ...RANGES, 'idempotencyKey', 'keyMember'],
    run: (place) =>
      attempt(place, ['absences', 'create', '--start', '2025-09-08', '--end', '2025-09-10'], {
        judge: (judge) => {
          const [change] = judge.changes;
          judge.same(
            'rows made',
            judge.changes.map(({ resource, before }) => [resource, before]),
            [['absences', undefined]],
          );
          judge.same('whose', change?.after?.['user_id'], place.person.id);
          wholeDays(judge, place, change?.after, '2025-09-08', '2025-09-10');
        },
      }),
  },
  {
    name: 'absences update, another last day',
    matters: [...WHO, ...RANGES, 'keyMember'],
    async run(place) {
      const start = utcSecond(dayStart('2025-09-15', place.zone));
      const end = utcSecond(dayStart('2025-09-17', place.zone) - 1000);
      const { id } = await place.addRecord('absences', { user_id: place.person.id, start, end, note: 'Sea' });
      return attempt(place, ['absences', 'update', String(id), '--end', '2025-09-17'], {
        judge: (judge) => {
          const [change] = judge.changes;
          judge.same(
            'changed',
            judge.changes.map(({ after }) => after?.id),
            [id],
          );
          judge.same('fields changed', Object.keys(differences(change?.before, change?.after)), ['end']);
          wholeDays(judge, place, change?.after, '2025-09-15', '2025-09-17');
        },
      });
    },
  },
  {
    name: 'absences list, of some days',
    matters: [...WHO, ...RANGES, 'pages'],
    run: (place) => {
      const days = { first: '2025-10-10', last: '2025-10-12' };
      return attempt(place, ['absences', 'list', '--from', days.first, '--to', days.last], {
        judge: (judge) => ids(judge, place, (row) => overlap(row, days, place.zone) !== 'none'),
      });
    },
  },
  {
    name: 'absences list, mine',
    matters: [...WHO, 'me', 'pages'],
    run: (place) =>
      attempt(place, ['absences', 'list', '--user', 'me'], {
        judge: (judge) => ids(judge, place, (row) => row['user_id'] === place.person.id),
      }),
  },
  {
    name: 'absences list, of a year',
    matters: [...WHO, ...RANGES],
    run: (place) =>
      attempt(place, ['absences', 'list', '--year', '2025'], {
        judge: (judge) => ids(judge, place, (row) => localDate(Date.parse(String(row['start'])), place.zone).startsWith('2025')),
      }),
  },
  {
    name: 'absences list, running and without a manager',
    matters: ['booleans', 'absenceBounds', 'refusalType'],
    run: (place) =>
      attempt(place, ['absences', 'list', '--running', '--no-manager'], {
        judge: (judge) => ids(judge, place, (row) => row['end'] === null && row['manager_id'] === null),
      }),
  },
  {
    name: 'absences list, with the user as manager',
    matters: ['me', 'credential', 'narrowedMe', 'person'],
    async run(place) {
      const timestamp = { start: '2025-08-04T06:00:00Z', end: '2025-08-04T15:00:00Z' };
      await place.addRecord('absences', { user_id: 3, manager_id: place.person.id, ...timestamp });
      return attempt(place, ['absences', 'list', '--manager', 'me'], {
        judge: (judge) => ids(judge, place, (row) => row['manager_id'] === place.person.id),
      });
    },
  },
  {
    name: 'absences add, whole days',
    matters: [...WHO, ...RANGES],
    run: (place) =>
      attempt(place, ['absences', 'add', '2025-11-03..2025-11-05'], {
        judge: (judge) => {
          const [change] = judge.changes;
          judge.same(
            'rows made',
            judge.changes.map(({ resource, before }) => [resource, before]),
            [['absences', undefined]],
          );
          judge.same('whose', change?.after?.['user_id'], place.person.id);
          wholeDays(judge, place, change?.after, '2025-11-03', '2025-11-05');
        },
      }),
  },
  {
    name: 'absences add, half a day',
    matters: [...WHO, 'workingHours'],
    run: (place) =>
      attempt(place, ['absences', 'add', '2025-11-12', '--half', 'pm'], {
        judge: (judge) => {
          const [change] = judge.changes;
          judge.inZone('start', change?.after?.['start'], utcSecond(middle(place, '2025-11-12')));
          judge.inZone('end', change?.after?.['end'], utcSecond(dayStart('2025-11-13', place.zone) - 1000));
        },
      }),
  },
  {
    name: 'absences who',
    matters: [...WHO, ...RANGES, 'assumedIncludes', 'booleans'],
    run: (place) => {
      const days = { first: '2025-10-07', last: '2025-10-12' };
      return attempt(place, ['absences', 'who', `${days.first}..${days.last}`], {
        judge: (judge) => {
          judge.same('changes', judge.changes, []);
          const seen = idsOf(judge.json());
          const granted = place.rows('absences').filter(({ status }) => status !== 'declined');
          const within = (range: Days) => idsOf(granted.filter((row) => overlap(row, range, place.zone) !== 'none'));
          if (place.combination.absenceBounds === 'date-time') return judge.inZone('ids', seen, within(days));
          // Days in other people’s zones may be on either side of the edges.
          const inner = within({ first: dayAfter(days.first, 1), last: dayAfter(days.last, -1) });
          const outer = within({ first: dayAfter(days.first, -1), last: dayAfter(days.last, 1) });
          judge.same(
            'ids that are missing',
            inner.filter((id) => !seen.includes(id)),
            [],
          );
          judge.same(
            'ids that are too many',
            seen.filter((id) => !outer.includes(id)),
            [],
          );
        },
      });
    },
  },
  {
    name: 'absences calendar, of two people',
    matters: [...WHO, ...RANGES, ...PEOPLE],
    async run(place) {
      for (const day of ['2027-04-05', '2027-04-07']) await addDays(place, day, day);
      const range = { first: '2027-04-01', last: '2027-04-30' };
      return attempt(place, ['absences', 'calendar', '2027-04', '--user', 'me', '--user', '3'], {
        judge: (judge) => calendarDays(judge, place, range, [place.person.id, 3]),
      });
    },
  },
  {
    name: 'absences calendar, of everybody',
    matters: RANGES,
    run: (place) => {
      const range = { first: '2025-10-01', last: '2025-10-19' };
      return attempt(place, ['absences', 'calendar', `${range.first}..${range.last}`], {
        judge: (judge) => calendarDays(judge, place, range),
      });
    },
  },
  {
    name: 'absences used, whole days',
    matters: [...WHO, ...RANGES, ...PEOPLE],
    async run(place) {
      // One of these days already counts.
      await addDays(place, '2027-03-01', '2027-03-05');
      await addDays(place, '2027-03-05', '2027-03-09');
      return attempt(place, ['absences', 'used', '2027-02-01..2027-03-31'], {
        judge: (judge) => usedDays(judge, place, { first: '2027-02-01', last: '2027-03-31' }, [place.person.id]),
      });
    },
  },
  {
    name: 'absences used, of several',
    matters: ['absenceBounds', 'wholeDayEnd'],
    run: (place) =>
      attempt(place, ['absences', 'used', '2025', '--user', 'me', '--user', '3', '--user', '8'], {
        judge: (judge) => usedDays(judge, place, { first: '2025-01-01', last: '2025-12-31' }, [3, place.person.id, 8]),
      }),
  },
];

/** The forms of working hours that show the start of work, and not only its length. */
const CLOCKS: ReadonlySet<unknown> = new Set(['start-end', 'from-to']);

/**
 * Returns the middle of the person’s day, as far as the form shows it. Otherwise returns the middle of a day from 09:00, or half past
 * twelve.
 */
function middle({ person, combination, zone }: Place, date: string): number {
  const shift = shiftOn(person, date, zone);
  const isUnknown = combination.workingHours === 'null' || combination.workingHours === 'text';
  if (!shift || isUnknown) return dayStart(date, zone) + 12.5 * HOUR;
  if (CLOCKS.has(combination.workingHours)) return (shift.from + shift.until) / 2;
  return dayStart(date, zone) + 9 * HOUR + (shift.until - shift.from) / 2;
}

const HOUR = 3_600_000;

/** Adds leave of the person from one day to another. */
async function addDays(place: Place, first: string, last: string): Promise<void> {
  const [start, end] = [dayStart(first, place.zone), dayStart(dayAfter(last, 1), place.zone) - 1000].map(utcSecond);
  await place.addRecord('absences', { user_id: place.person.id, start, end });
}

/** Checks each day of each absence, in the zone of the absent person. */
function calendarDays(judge: Judge, place: Place, range: Days, users?: readonly number[]): void {
  const { absenceBounds } = place.combination;
  judge.same('changes', judge.changes, []);
  const rows = place.rows('absences').filter(({ status }) => status !== 'declined');
  const printed = judge.json() as readonly { readonly user_id: number; readonly days: readonly Day[] | null }[];
  for (const user of place.rows('users').filter(({ id }) => users?.includes(id) ?? true)) {
    const zone = typeof user['timezone'] === 'string' ? user['timezone'] : 'Europe/Amsterdam';
    const own = rows.filter((row) => row['user_id'] === user.id);
    const touched = daysOf(range).flatMap((date) =>
      own.map((row) => ({ row, date, part: overlap(row, { first: date, last: date }, zone) })).filter(({ part }) => part !== 'none'),
    );
    const record = printed.find(({ user_id: id }) => id === user.id);
    const days = record?.days ?? [];
    const open = new Set(days.filter(({ part }) => part === null).map(({ date }) => date));
    if (open.size > 0) judge.unknown();
    const keys = (some: readonly { readonly date: string; readonly id: unknown }[]) =>
      some.filter(({ date }) => !open.has(date)).map(({ date, id }) => `${date} ${id}`);
    const [seen, truth] = [
      keys(days.map(({ date, absence_id: id }) => ({ date, id }))),
      keys(touched.map(({ date, row }) => ({ date, id: row.id }))),
    ];
    const what = `days of user ${user.id}`;
    // svc assumes a zone for a person without a zone, and reports the assumption.
    if (typeof user['timezone'] !== 'string') {
      if (users !== undefined) judge.sameOrSaid(what, seen.sort(), truth.sort(), /does not know the time zone of/);
      judge.same(
        `${what} are said to be assumed`,
        record === undefined || /does not know the time zone of/.test(judge.result.stderr),
        true,
      );
      continue;
    }
    judge.same(what, seen.sort(), truth.sort());
    if (absenceBounds !== 'date-time') continue;
    for (const { date, row, part } of touched) {
      const day = days.find((one) => one.date === date && one.absence_id === row.id);
      if (day === undefined || day.part === null) continue;
      const shift = shiftOn(user, date, zone);
      const isAll =
        part === 'all' ||
        (CLOCKS.has(place.combination.workingHours) && shift && minutesAway(shift, [row]) * 60_000 === shift.until - shift.from);
      judge.same(`${date} of user ${user.id} is all away`, day.part === 'day', Boolean(isAll));
    }
  }
}

interface Day {
  readonly date: string;
  readonly absence_id: number;
  readonly part: string | null;
}

/** Checks minutes and days of leave, counted minute by minute. The current day is 19 June 2025. */
function usedDays(judge: Judge, place: Place, range: Days, users: readonly number[]): void {
  const off = new Set([...place.rows('holidays'), ...place.rows('free-days')].map(({ date }) => date));
  const printed = judge.json() as readonly (Readonly<Record<string, unknown>> & { readonly user_id: number })[];
  judge.same('changes', judge.changes, []);
  judge.same(
    'users',
    idsOf(printed.map(({ user_id: id }) => ({ id }))),
    [...users].sort((one, other) => one - other),
  );
  for (const record of printed) {
    const user = place.rows('users').find(({ id }) => id === record.user_id) ?? place.person;
    const zone = typeof user['timezone'] === 'string' ? user['timezone'] : 'Europe/Amsterdam';
    const now = dayStart('2025-06-20', zone) - 1000;
    const own = place
      .rows('absences')
      .filter((row) => row['user_id'] === user.id && row['status'] !== 'declined')
      .map((row) => shownAbsence(row, place.combination.absenceBounds, zone))
      // A running absence counts to the end of today.
      .map((row) => (row['end'] === null ? { ...row, end: utcSecond(now) } : row));
    const granted = own.filter(({ status }) => status !== 'requested');
    const sums = { taken: [0, 0], to_come: [0, 0], requested: [0, 0] } as Record<string, [number, number]>;
    const add = (kind: string, minutes: number, working: number) => {
      const sum = sums[kind];
      if (sum === undefined) return;
      sum[0] += minutes;
      sum[1] += minutes / working;
    };
    for (const date of daysOf(range)) {
      const shift = shiftOn(user, date, zone);
      if (!shift || off.has(date)) continue;
      const working = (shift.until - shift.from) / 60_000;
      const minutes = minutesAway(shift, granted);
      add(date <= '2025-06-19' ? 'taken' : 'to_come', minutes, working);
      add('requested', minutesAway(shift, own) - minutes, working);
    }
    for (const [kind, [minutes, days]] of Object.entries(sums)) {
      const either = (name: string, seen: unknown, truth: number) => {
        if (seen === null) judge.unknown();
        else judge.sameOrSaid(`${name} of user ${user.id}`, seen, truth, /does not know|not known|are incomplete/);
      };
      either(`${kind}_minutes`, record[`${kind}_minutes`], minutes);
      either(`${kind}_days`, record[`${kind}_days`], Math.round(days * 100) / 100);
    }
  }
}

/** Checks that an absence lasts from the first second of one day to the last second of another. The days are in the person’s zone. */
function wholeDays(judge: Judge, { zone }: Place, row: Row | undefined, first: string, last: string): void {
  judge.inZone('start', row?.['start'], utcSecond(dayStart(first, zone)));
  judge.inZone('end', row?.['end'], utcSecond(dayStart(dayAfter(last, 1), zone) - 1000));
}

/** Checks that a list contains exactly the expected absences. */
function ids(judge: Judge, place: Place, meant: (row: Row) => boolean): void {
  judge.same('changes', judge.changes, []);
  judge.inZone('ids', idsOf(judge.json()), idsOf(place.rows('absences').filter(meant)));
}
