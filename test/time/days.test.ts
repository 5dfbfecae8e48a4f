import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { daysBetween, parseWeek, startOf, weekNumber, weekOf } from '../../src/time/calendar.ts';
import { computeDay } from '../../src/time/day.ts';
import { covered } from '../../src/time/intervals.ts';
import { readWorkingHours } from '../../src/time/read-working-hours.ts';
import { describeHours, evenWeek, shiftsOn, type WorkingHours } from '../../src/time/working-hours.ts';
import type { DateContext } from '../../src/values/dates.ts';
import type { JsonValue } from '../../src/values/json.ts';
import { loadTemporal } from '../../src/values/temporal.ts';

const temporal = await loadTemporal();
const dates: DateContext = { now: Date.parse('2026-01-01T11:00:00Z'), timeZone: 'Europe/Amsterdam', temporal };

const anyDate = fc.integer({ min: 0, max: 40_000 }).map((days) => temporal.PlainDate.from('1971-01-01').add({ days }).toString());
const anyZone = fc.constantFrom(
  'Europe/Amsterdam',
  'America/St_Johns',
  'Asia/Tokyo',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'UTC',
);

describe('the weeks of a year', () => {
  test('have seven days from Monday, and a number that leads back to the week', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const week = weekOf(date, temporal);
        expect(week).toHaveLength(7);
        expect(week).toContain(date);
        expect(temporal.PlainDate.from(week[0] ?? '').dayOfWeek).toBe(1);
        expect(new Set(week.map((day) => weekNumber(day, temporal))).size).toBe(1);
        expect(weekOf(parseWeek(weekNumber(date, temporal), dates), temporal)).toEqual(week);
      }),
    );
  });

  test.each([
    ['this', '2025-12-29'],
    ['last', '2025-12-22'],
    ['next', '2026-01-05'],
    ['2026-W01', '2025-12-29'],
    ['2026w53', '2026-12-28'],
    ['2025-12-31', '2025-12-29'],
    ['yesterday', '2025-12-29'],
  ])('that you type as %j begin on Monday %s', (typed, monday) => {
    expect(weekOf(parseWeek(typed, dates), temporal)[0]).toBe(monday);
  });

  test.each(['2025-W53', '2026-W00', '2026-W54', 'week', ''])('cannot be typed as %j', (typed) => {
    expect(() => parseWeek(typed, dates)).toThrow(UsageError);
  });
});

test('a date range has each of its days once, in order', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: 0, max: 800 }), (first, more) => {
      const last = temporal.PlainDate.from(first).add({ days: more }).toString();
      const days = daysBetween(first, last, temporal);
      expect(days).toHaveLength(more + 1);
      expect([...new Set(days)].sort()).toEqual(days);
      expect(days.at(-1)).toBe(last);
    }),
  );
});

/** Working hours that can be read. */
function hoursIn(value: JsonValue): WorkingHours {
  const reading = readWorkingHours(value);
  if (reading.kind !== 'read') throw new Error(`These are ${reading.kind}.`);
  return reading.hours;
}

describe('a day in the user’s time zone', () => {
  test('has 23 to 25 hours, except for the day that Samoa left out', () => {
    fc.assert(
      fc.property(anyDate, anyZone, (date, timeZone) => {
        const next = temporal.PlainDate.from(date).add({ days: 1 }).toString();
        const hours = (startOf(next, { timeZone, temporal }) - startOf(date, { timeZone, temporal })) / 3_600_000;
        // Samoa left out 30 December 2011; elsewhere clocks change by an hour or less.
        if (timeZone !== 'Pacific/Apia') expect(hours).toBeGreaterThanOrEqual(23);
        expect(hours).toBeLessThanOrEqual(25);
      }),
    );
  });

  test('has working hours (target plus absence) and a gap (target minus logged time, at least zero)', () => {
    const everyDay = hoursIn(
      Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['08:00-12:00', '13:00-17:30']])),
    );
    fc.assert(
      fc.property(
        anyDate,
        anyZone,
        fc.integer({ min: -2000, max: 2000 }),
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 0, max: 2000 }),
        (date, timeZone, from, length, minutes) => {
          const start = startOf(date, { timeZone, temporal }) + from * 60_000;
          const calendar = {
            hours: everyDay,
            absences: [{ start, end: start + length * 60_000, label: 'x' }],
            daysOff: [],
            dates: { ...dates, timeZone },
            today: '9999-12-31',
          };
          const entry = {
            id: 1,
            date,
            minutes,
            description: '',
            projectId: 1,
            project: 'x',
            workItemId: undefined,
            budgetId: undefined,
            budget: undefined,
            key: undefined,
            title: undefined,
            userId: 1,
            user: 'x',
            billable: true,
            overtime: false,
            showsDescription: true,
            isProjectOver: false,
          };
          const day = computeDay(date, [entry], calendar);
          expect((day.target ?? 0) + (day.away ?? 0)).toBe(day.working);
          expect(day.away).toBeGreaterThanOrEqual(0);
          expect(day.gap).toBe(Math.max(0, (day.target ?? 0) - minutes));
        },
      ),
    );
  });

  test('counts overlapping time away only once', () => {
    const interval = { start: 0, end: 100 };
    expect(
      covered(interval, [
        { start: -5, end: 30 },
        { start: 10, end: 20 },
        { start: 25, end: 40 },
        { start: 90, end: Number.POSITIVE_INFINITY },
      ]),
    ).toBe(50);
    expect(covered(interval, [])).toBe(0);
  });

  it.each([
    // In spring 02:00 to 03:00 does not exist, in autumn it comes twice.
    ['2026-03-28', 420],
    ['2026-10-24', 540],
    ['2026-06-06', 480],
  ])('gives the night shift of %s a length of %i minutes', (date, minutes) => {
    const hours = hoursIn({ saturday: { start: '22:00', end: '06:00' } });
    const [shift] = shiftsOn(date, hours, { timeZone: 'Europe/Amsterdam', temporal });
    expect(((shift?.end ?? 0) - (shift?.start ?? 0)) / 60_000).toBe(minutes);
  });
});

describe('working hours', () => {
  const nine = [{ start: '09:00', end: '17:00' }];
  const weekdays = [nine, nine, nine, nine, nine, [], []];
  test.each([
    ['a member for each weekday', { monday: { start: '09:00', end: '17:00' }, tuesday: null }, [nine, [], [], [], [], [], []]],
    ['short names with from and to', { Mon: { from: '09:00', to: '17:00' } }, [nine, [], [], [], [], [], []]],
    ['strings', { mon: '09:00-17:00' }, [nine, [], [], [], [], [], []]],
    [
      'two shifts',
      { mon: ['09:00-12:00', { start: '13:00', end: '17:00' }] },
      [
        [
          { start: '09:00', end: '12:00' },
          { start: '13:00', end: '17:00' },
        ],
        [],
        [],
        [],
        [],
        [],
        [],
      ],
    ],
    ['a list with names of days', [{ day: 'friday', start: '09:00', end: '17:00' }], [[], [], [], [], nine, [], []]],
    ['one shift for all days', { start: '09:00', end: '17:00' }, weekdays],
    ['an empty shift', { monday: null }, [[], [], [], [], [], [], []]],
    ['lengths', { mon: '08:00', tue: 240, wed: '00:00' }, [nine, [{ start: '09:00', end: '13:00' }], [], [], [], [], []]],
    [
      'lengths of one hour and of a whole day',
      { mon: 60, tue: 1440, wed: 1200, thu: '' },
      [[{ start: '09:00', end: '10:00' }], [{ start: '00:00', end: '24:00' }], [{ start: '04:00', end: '24:00' }], [], [], [], []],
    ],
    ['one length for all days', '08:00', weekdays],
    ['one shift as a string for all days', '09:00-17:00', weekdays],
    ['minutes', 480, weekdays],
    ['a list of seven days', ['08:00', '08:00', '08:00', '08:00', '08:00', '00:00', null], weekdays],
    [
      'two shifts as a string',
      { mon: '09:00-12:00, 13:00-17:00' },
      [
        [
          { start: '09:00', end: '12:00' },
          { start: '13:00', end: '17:00' },
        ],
        [],
        [],
        [],
        [],
        [],
        [],
      ],
    ],
  ])('are read from %s', (_, value, expected) => {
    expect(hoursIn(value)).toEqual(expected);
  });

  test.each([
    [{ monday: { start: '09:00', end: '17:00' } }, 'as stated', false],
    [{ monday: null }, 'as stated', false],
    [{ monday: '08:00' }, 'with times that svc chose', true],
    [480, 'with times that svc chose', true],
    [['09:00-17:00', null, null, null, null, null, null], 'with days that svc chose', true],
    [['08:00', null, null, null, null, null, null], 'with times that svc chose', true],
  ])('are read from %j %s', (value, _, chosen) => {
    expect(readWorkingHours(value)).toMatchObject({ kind: 'read', chosen });
  });

  test.each([
    ['a number of hours', 40],
    ['minutes of less than an hour', 59],
    ['minutes of more than a day', 1441],
    ['a shift without a length', { monday: { start: '09:00', end: '09:00' } }],
    ['a text of 80 characters', 'x'.repeat(78)],
    ['a week of minutes', 2400],
    ['an unknown value', { hours: 40 }],
    ['shifts without times of day', { monday: { start: '9', end: '99:00' } }],
    ['an unknown weekday', { monday: '08:00', holidays: '04:00' }],
    ['an additional break', { monday: { start: '09:00', end: '17:00', break: 30 } }],
    ['six days', ['08:00', '08:00', '08:00', '08:00', '08:00', '08:00']],
    ['a sentence', 'nine to five, mostly'],
    ['true', true],
  ])('are unreadable, and not absent, for %s (rule 18.24)', (_, value) => {
    expect(readWorkingHours(value)).toEqual({ kind: 'unreadable', shown: JSON.stringify(value) });
  });

  test('are shown up to 80 characters when unreadable', () => {
    expect(readWorkingHours('x'.repeat(79))).toEqual({ kind: 'unreadable', shown: `"${'x'.repeat(78)}…` });
  });

  test('count as none when empty, and as absent when hidden', () => {
    for (const value of [null, '', {}, []]) expect(readWorkingHours(value)).toEqual({ kind: 'none' });
    expect(readWorkingHours(undefined)).toEqual({ kind: 'absent' });
  });

  test('are described by the length of each day', () => {
    const of = (...minutes: number[]) => describeHours(minutes.map((length) => evenWeek(length)[0] ?? []));
    expect(of(480, 480, 480, 480, 480, 0, 0)).toBe('Mon to Fri 8h');
    expect(of(480, 0, 240, 240, 0, 0, 60)).toBe('Mon 8h, Wed to Thu 4h, Sun 1h');
    expect(of(0, 0, 0, 0, 0, 0, 0)).toBe('no working day');
  });

  test('are made from a number of minutes a day', () => {
    expect(evenWeek(450)[4]).toEqual([{ start: '09:00', end: '16:30' }]);
    expect(evenWeek(15 * 60)[0]).toEqual([{ start: '09:00', end: '24:00' }]);
    expect(evenWeek(0)[0]).toEqual([]);
  });
});
