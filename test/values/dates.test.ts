import fc from 'fast-check';
import { Temporal as polyfill } from 'temporal-polyfill/implementation';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import {
  type DateContext,
  endOfDay,
  endOfYear,
  isTimeZone,
  parseCalendarDate,
  parseDateTime,
  parseYear,
  startOfDay,
  startOfYear,
  today,
} from '../../src/values/dates.ts';
import { loadTemporal, type TemporalNamespace } from '../../src/values/temporal.ts';

const implementations: [string, TemporalNamespace][] = [
  ['the built-in Temporal', await loadTemporal()],
  ['the polyfill', polyfill as unknown as TemporalNamespace],
];

describe.each(implementations)('with %s,', (_name, temporal) => {
  // A Wednesday: 2025-03-26, 23:30 UTC, which is Thursday 27th in Amsterdam.
  const now = Date.UTC(2025, 2, 26, 23, 30);
  const utc: DateContext = { now, timeZone: 'UTC', temporal };
  const amsterdam: DateContext = { now, timeZone: 'Europe/Amsterdam', temporal };

  test('today is the day in the time zone of the user', () => {
    expect(today(utc)).toBe('2025-03-26');
    expect(today(amsterdam)).toBe('2025-03-27');
  });

  test.each([
    ['2024-02-29', '2024-02-29'],
    [' Today ', '2025-03-27'],
    ['yesterday', '2025-03-26'],
    ['tomorrow', '2025-03-28'],
    ['thursday', '2025-03-27'],
    ['thu', '2025-03-27'],
    ['thurs', '2025-03-27'],
    ['Friday', '2025-03-21'],
    ['mon', '2025-03-24'],
    ['wednesday', '2025-03-26'],
    ['-3d', '2025-03-24'],
    ['+1w', '2025-04-03'],
    ['-1m', '2025-02-27'],
    ['+1y', '2026-03-27'],
    ['-2025y', '0000-03-27'],
    ['+7974y', '9999-03-27'],
  ])('svc reads the date %s as %s', (text, date) => {
    expect(parseCalendarDate(text, amsterdam)).toBe(date);
  });

  test('a relative date on a day that the month lacks is the last day of that month', () => {
    expect(parseCalendarDate('+1m', { ...utc, now: Date.UTC(2025, 0, 31) })).toBe('2025-02-28');
  });

  test.each([
    ['2025-02-30', '"2025-02-30": there is no such day.'],
    ['2025-13-01', '"2025-13-01": there is no such day.'],
    ['31-02-2025', '"31-02-2025": there is no such day.'],
    ...['2025-3-1', '31-03.2025', '31-03-25', '3/31/2025', '20250331', '3d', '1w', 'someday', '', '-3', '-3h', 'm', 'mo', 'monda'].map(
      (text) => [text, `"${text}" is not a date.`],
    ),
  ])('svc refuses %s as a date', (text, message) => {
    expect(() => parseCalendarDate(text, amsterdam)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
  });

  test.each(['-2026y', '+7975y', '+999999y'])('svc refuses %s, which is outside the years of the service', (text) => {
    expect(() => parseCalendarDate(text, amsterdam)).toThrow(`"${text}": the service cannot store a time so early or late.`);
  });

  test.each([
    ['now', '2025-03-26T23:30:00Z'],
    ['2025-03-31', '2025-03-30T22:00:00Z'],
    ['31-03-2025', '2025-03-30T22:00:00Z'],
    ['31.3.2025', '2025-03-30T22:00:00Z'],
    ['31.03.2025 14:00', '2025-03-31T12:00:00Z'],
    ['today', '2025-03-26T23:00:00Z'],
    ['2025-03-31 14:00', '2025-03-31T12:00:00Z'],
    ['2025-03-31 9:05', '2025-03-31T07:05:00Z'],
    ['2025-03-31T14:00:30', '2025-03-31T12:00:30Z'],
    ['2025-03-31t14:00:30z', '2025-03-31T14:00:30Z'],
    ['2025-03-31T14:00+05:30', '2025-03-31T08:30:00Z'],
    ['2025-03-31T14:00:00-0800', '2025-03-31T22:00:00Z'],
    ['2025-03-31 14:00 +02', '2025-03-31T12:00:00Z'],
    ['2025-03-31T14:00:00.000Z', '2025-03-31T14:00:00Z'],
    ['monday 9:30', '2025-03-24T08:30:00Z'],
    ['-1d 18:00', '2025-03-26T17:00:00Z'],
    // The night of 30 March the clocks skip 02:00 to 03:00; the night of 26 October they repeat it.
    ['2025-03-30 02:30', '2025-03-30T01:30:00Z'],
    ['2025-10-26 02:30', '2025-10-26T00:30:00Z'],
  ])('svc reads %s as %s in UTC, with Europe/Amsterdam as the time zone', (text, expected) => {
    expect(parseDateTime(text, amsterdam)).toBe(expected);
  });

  test.each([
    ['2025-03-31 24:00', '"2025-03-31 24:00": there is no such time of day.'],
    ['2025-03-31 12:60', '"2025-03-31 12:60": there is no such time of day.'],
    ['2025-03-31T12:00:60Z', '"2025-03-31T12:00:60Z": there is no such time of day.'],
    ['2025-03-31T12:00:00.5Z', '"2025-03-31T12:00:00.5Z" has fractions of a second, which the service does not accept.'],
    ['2025-03-31T12:00:00+25:00', '"2025-03-31T12:00:00+25:00": the service cannot store a time so early or late.'],
    ['2025-02-30 12:00', '"2025-02-30 12:00": there is no such day.'],
    ['14:00', '"14:00" is not a date.'],
    ['2025-03-31T', '"2025-03-31T" is not a date.'],
    ['2025-03-31T14', '"2025-03-31T14" is not a date.'],
    ['0000-01-01T00:00:00+14:00', '"0000-01-01T00:00:00+14:00": the service cannot store a time so early or late.'],
    ['9999-12-31T23:59:59-14:00', '"9999-12-31T23:59:59-14:00": the service cannot store a time so early or late.'],
  ])('svc refuses %s as a date-time', (text, message) => {
    expect(() => parseDateTime(text, amsterdam)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
  });

  test('the first and the last second of a day are valid times', () => {
    expect(parseDateTime('2025-03-31T23:59:59Z', amsterdam)).toBe('2025-03-31T23:59:59Z');
    expect(parseDateTime('2025-03-31T00:00:00Z', amsterdam)).toBe('2025-03-31T00:00:00Z');
  });

  test('a day has 23 hours when the clocks go forward, also at midnight', () => {
    expect([startOfDay('2025-03-30', amsterdam), endOfDay('2025-03-30', amsterdam)]).toEqual([
      '2025-03-29T23:00:00Z',
      '2025-03-30T21:59:59Z',
    ]);
    // Beirut's clocks skipped midnight.
    const beirut = { ...utc, timeZone: 'Asia/Beirut' };
    expect(startOfDay('2022-03-27', beirut)).toBe('2022-03-26T22:00:00Z');
    expect(endOfDay('2022-03-26', beirut)).toBe('2022-03-26T21:59:59Z');
  });

  test('a year begins and ends at midnight in the time zone of the user', () => {
    expect([startOfYear(2025, amsterdam), endOfYear(2025, amsterdam)]).toEqual(['2024-12-31T23:00:00Z', '2025-12-31T22:59:59Z']);
  });

  test('the next day begins a second after the end of this day, in any time zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const days = fc.integer({ min: -20_000, max: 40_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    fc.assert(
      fc.property(zones, days, (timeZone, day) => {
        const context = { now, timeZone, temporal };
        const next = temporal.PlainDate.from(day).add({ days: 1 }).toString();
        expect(Date.parse(startOfDay(next, context)) - Date.parse(endOfDay(day, context))).toBe(1000);
        expect(parseDateTime(day, context)).toBe(startOfDay(day, context));
        expect(parseDateTime(endOfDay(day, context), context)).toBe(endOfDay(day, context));
      }),
      { numRuns: 200 },
    );
  });

  test('any text gives a date-time in the form of the service, or a UsageError', () => {
    const pieces = fc.constantFrom(
      '2025-03-31',
      'today',
      'mon',
      '-3d',
      ' ',
      'T',
      '14:00',
      ':30',
      'Z',
      '+02:00',
      '.5',
      '0000-01-01',
      '9999-12-31',
      '+9y',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join('')),
        ),
        (text) => {
          const result = orUsageError(() => parseDateTime(text, amsterdam));
          if (result !== undefined) expect(result).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
          const date = orUsageError(() => parseCalendarDate(text, amsterdam));
          if (date !== undefined) expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('svc accepts only a year of four digits', () => {
  expect(parseYear(' 2025 ')).toBe(2025);
  for (const text of ['25', '02025', '0025', '2025a', '']) expect(() => parseYear(text)).toThrow(UsageError);
});

test('svc accepts only an IANA name as a time zone', () => {
  expect(['Europe/Amsterdam', 'UTC', 'America/Argentina/Ushuaia'].filter(isTimeZone)).toHaveLength(3);
  expect(['Mars/Base', '+02:00', '', 'Europe/Amsterdam ', 'T14:00Z', 'T14:00[Europe/Amsterdam]'].filter(isTimeZone)).toEqual([]);
});

function orUsageError<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
