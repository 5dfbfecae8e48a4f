import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { formatDuration, parseDuration } from '../../src/values/duration.ts';

describe('svc', () => {
  test.each([
    ['90', 90],
    ['0', 0],
    ['90m', 90],
    ['90 min', 90],
    ['1h30', 90],
    ['1h30m', 90],
    ['1H30M', 90],
    ['1h 5m', 65],
    ['1h05', 65],
    ['1.5h', 90],
    ['1,5h', 90],
    ['1.5 h', 90],
    ['0,25 hours', 15],
    ['.5h', 30],
    ['0.25 hours', 15],
    ['1:30', 90],
    ['0:45', 45],
    ['100:00', 6000],
    ['2h', 120],
    [' 2 hrs ', 120],
    // 0.1h is 6 minutes; in floating point 1.1 * 60 is 66.00000000000001.
    ['1.1h', 66],
    ['4.35h', 261],
  ])('reads %s as %d minutes', (text, minutes) => {
    expect(parseDuration(text)).toBe(minutes);
  });

  test.each([
    ['1.33h', '"1.33h" is 79.8 minutes; durations are whole minutes.', 'Write 1h19 or 1h20.'],
    ['0.001h', '"0.001h" is 0.06 minutes; durations are whole minutes.', 'Write 0m or 1m.'],
    ['1h90', '"1h90" has 90 minutes after the hours, and an hour has 60.', 'If you mean 2h30, write 2h30.'],
    ['1:75', '"1:75" has 75 minutes after the hours, and an hour has 60.', 'If you mean 2h15, write 2h15.'],
    ['1:5', '"1:5" could be 1:05 or 1.5h.', 'Write 1:05 or 1.5h.'],
    ['1h5', '"1h5" could be 1h05 or 1.5h.', 'Write 1h05 or 1.5h.'],
    ['1:030', '"1:030" could be 1:30.', 'Write 1:30.'],
    ['1.5', '"1.5" has no unit: hours or minutes?', 'For hours, write 1.5h.'],
    ['1.5m', '"1.5m" is not a whole number of minutes.', undefined],
    ['1.5min', '"1.5min" is not a whole number of minutes.', undefined],
    ['90s', '"90s" is in seconds; durations are whole minutes.', undefined],
    ['1:30:00', '"1:30:00" has seconds; durations are whole minutes.', undefined],
    ['1d', '"1d": svc does not know how many hours your day has.', undefined],
    ['1,250h', '"1,250h" could be 1.250h or 1250h.', 'Write 1.250h or 1250h.'],
    ['1,5', '"1,5" has no unit: hours or minutes?', 'For hours, write 1,5h.'],
    ['-30', '"-30" is negative, and a duration cannot be negative.', undefined],
    ['', '"" is not a duration.', undefined],
    ['h', '"h" is not a duration.', undefined],
    ['1.h', '"1.h" is not a duration.', undefined],
    ['1.5h30', '"1.5h30" is not a duration.', undefined],
    ['1e3', '"1e3" is not a duration.', undefined],
    ['9007199254740992', '"9007199254740992" is too long for a duration.', undefined],
  ])('refuses %s as a duration', (text, message, hint) => {
    const error = refusal(() => parseDuration(text));
    expect(error.message).toBe(message);
    expect(error.hint).toBe(hint ?? 'Write minutes (90, 90m) or hours (2h, 1.5h, 1h30, 1:30).');
  });
});

test.each([
  [0, '0m'],
  [45, '45m'],
  [60, '1h'],
  [65, '1h05'],
  [90, '1h30'],
  [-90, '-1h30'],
])('svc prints a duration of %d minutes as %s', (minutes, text) => {
  expect(formatDuration(minutes)).toBe(text);
});

test('svc reads a printed duration as the same minutes', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (minutes) => parseDuration(formatDuration(minutes)) === minutes));
});

test('five ways to write hours and minutes give the same minutes', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(59), (hours, minutes) => {
      const two = String(minutes).padStart(2, '0');
      const forms = [`${hours}h${two}`, `${hours}h${minutes}m`, `${hours}:${two}`, `${hours * 60 + minutes}m`, `${hours * 60 + minutes}`];
      expect(new Set(forms.map(parseDuration))).toEqual(new Set([hours * 60 + minutes]));
    }),
  );
});

test('svc reads decimal hours exactly, and refuses parts of a minute', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(999), (hours, thousandths) => {
      const text = `${hours}.${String(thousandths).padStart(3, '0')}h`;
      const exact = (thousandths * 60) % 1000 === 0;
      if (exact) expect(parseDuration(text)).toBe(hours * 60 + (thousandths * 60) / 1000);
      else expect(refusal(() => parseDuration(text)).message).toContain('whole minutes');
    }),
  );
});

function refusal(run: () => unknown): UsageError {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}
