import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { readDays, readWeekdays } from '../../src/time/day-list.ts';
import { readEntryWords } from '../../src/time/entry-words.ts';
import type { DateContext } from '../../src/values/dates.ts';
import { formatDuration } from '../../src/values/duration.ts';
import { loadTemporal } from '../../src/values/temporal.ts';

// Wednesday.
const dates: DateContext = { now: Date.parse('2026-06-03T12:00:00Z'), timeZone: 'Europe/Amsterdam', temporal: await loadTemporal() };

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} | ${error.hint}`;
    throw error;
  }
  return 'not refused';
}

describe('a natural-language entry', () => {
  test.each([
    [['1h30', 'ABC-12', 'Review'], { minutes: 90, workItem: 'ABC-12', description: 'Review' }],
    [['ABC-12', '1h30', 'Review'], { minutes: 90, workItem: 'ABC-12', description: 'Review' }],
    [['90'], { minutes: 90 }],
    [['90m', 'x'], { minutes: 90, description: 'x' }],
    [['1h30m', 'x'], { minutes: 90, description: 'x' }],
    [['1.5h', 'x'], { minutes: 90, description: 'x' }],
    [['1:30', 'x'], { minutes: 90, description: 'x' }],
    [['2h', 'abc-12'], { minutes: 120, workItem: 'ABC-12' }],
    [['1h', 'project:3', 'Plan'], { minutes: 60, project: '3', description: 'Plan' }],
    [['30m', 'project:Web shop'], { minutes: 30, project: 'Web shop' }],
    [['project: Web shop', '30m', 'Plan'], { minutes: 30, project: 'Web shop', description: 'Plan' }],
    [['30m', 'PROJECT:web', 'Plan'], { minutes: 30, project: 'web', description: 'Plan' }],
    [['30m', 'item:4711', 'Plan'], { minutes: 30, workItem: '4711', description: 'Plan' }],
    [['30m', 'work-item:abc-12'], { minutes: 30, workItem: 'ABC-12' }],
    [['30m', 'See https://example.com/project:3'], { minutes: 30, description: 'See https://example.com/project:3' }],
    [['30m', 'feat:', 'login'], { minutes: 30, description: 'feat: login' }],
    [['30m', 'Date: agreed with project:3'], { minutes: 30, description: 'Date: agreed with project:3' }],
    [
      ['1h', 'ABC-12', 'Fix', '2', 'bugs', 'of', 'ABC-13', 'today'],
      { minutes: 60, workItem: 'ABC-12', description: 'Fix 2 bugs of ABC-13 today' },
    ],
    [['1h', '2 bugs fixed'], { minutes: 60, description: '2 bugs fixed' }],
    [['Stand-up'], { description: 'Stand-up' }],
    [['1 h 30 m', 'x'], { minutes: 90, description: 'x' }],
    [[], {}],
  ])('sets the duration, the work item or project, and the description from %j', (words, understood) => {
    expect(readEntryWords(words)).toEqual(understood);
  });

  test.each([
    [['1h5', 'x'], '"1h5" could be 1h05 or 1.5h. | Write 1h05 or 1.5h.'],
    [['1.5', 'x'], '"1.5" has no unit: hours or minutes? | For hours, write 1.5h.'],
    [
      ['1h', '30m'],
      '"1h" is 1h, and "30m" could be 30m. | Write 1h30 for the sum of both durations; quote a text that begins with a number.',
    ],
    [
      ['90', '4711'],
      '"90" is 1h30, and "4711" could be 78h31, or work item 4711, or the beginning of the text. | For the work item: --work-item 4711. For text: quote the text, or use --description.',
    ],
    [
      ['1h', 'ABC-1', 'ABC-2'],
      'An entry belongs to one work item or project, not to ABC-1 and ABC-2. | If ABC-2 begins the text, quote all of the text, or use --description.',
    ],
    [
      ['1h', 'yesterday'],
      '"yesterday" could be the day or the beginning of the text. | For the day: --date yesterday. For the text: --description.',
    ],
    [
      ['1h', '2026-06-01', 'x'],
      '"2026-06-01" could be the day or the beginning of the text. | For the day: --date 2026-06-01. For the text: --description.',
    ],
    [['1h', '-2d'], '"-2d" could be the day or the beginning of the text. | For the day: --date -2d.'],
    [
      ['30m', 'project:', 'Web'],
      '"project:" names no project. | Write project:3, or quote its name: "project:Web shop". For text: --description.',
    ],
    [['30m', 'item:login'], '"item:login" names no work item by its id or key. | Write ABC-12 or item:4711. For text: --description.'],
    [
      ['30m', 'user:12', 'x'],
      '"user:12" looks like a field, but is part of the text. | For the field: --user 12. For text: --description.',
    ],
    [
      ['30m', 'ABC-12', 'Review', 'date:monday'],
      '"date:monday" looks like a field, but is part of the text. | For the field: --date monday.',
    ],
    [['30m', 'user:Zoë Müller'], '"user:Zoë Müller" looks like a field'],
    [
      ['30m', 'Review', 'project:3'],
      '"project:3" is inside the text, so svc does not use it. | Put the word before the text, or quote the whole text.',
    ],
    [['30m', 'project:3', 'ABC-12'], 'An entry belongs to one work item or project, not to project:3 and ABC-12'],
    [['2d', 'x'], '"2d": svc does not know how many hours your day has.'],
    [['90s'], '"90s" is in seconds; durations are whole minutes.'],
    [['1h75'], '"1h75" has 75 minutes after the hours'],
  ])('is refused with the reason for %j', (words, message) => {
    expect(refusalOf(() => readEntryWords(words))).toContain(message);
  });

  test('reads back the duration and the quoted text that svc prints', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), fc.string(), (minutes, text) => {
        const description = `text ${text}`.trim();
        expect(readEntryWords([formatDuration(minutes), 'ABC-12', description])).toEqual({ minutes, workItem: 'ABC-12', description });
      }),
    );
  });
});

describe('the days of an entry', () => {
  test.each([
    [[], undefined, ['2026-06-03']],
    [['2026-05-31'], undefined, ['2026-05-31']],
    [['today'], undefined, ['2026-06-03']],
    [['yesterday'], undefined, ['2026-06-02']],
    [['monday'], undefined, ['2026-06-01']],
    [['thursday'], undefined, ['2026-05-28']],
    [['-3d'], undefined, ['2026-05-31']],
    [['+1w'], undefined, ['2026-06-10']],
    [['mon,tue', 'mon'], undefined, ['2026-06-01', '2026-06-02']],
    [['monday..today'], undefined, ['2026-06-01', '2026-06-02', '2026-06-03']],
    [['2026-12-30..2027-01-02'], undefined, ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']],
    [[], 'mon-fri', ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05']],
    [['2027-01-01'], 'mon,sun', ['2026-12-28', '2027-01-03']],
  ])('are read from %j with --repeat %s', (texts, repeat, days) => {
    expect(readDays(texts, repeat, dates)).toEqual(days);
  });

  test.each([
    [['friday..monday..tuesday'], undefined, 'is not a range of days'],
    [['thursday..wednesday,monday..fri'], undefined, 'is before its start: 2026-06-01 to 2026-05-29'],
    [['2026-01-01..2026-12-31'], undefined, 'The command names 365 days'],
    [['soon'], undefined, 'is not a date'],
    [[], 'fri-mon', 'continues after Sunday, the end of a week'],
    [[], 'daily', 'names no weekdays'],
    [[], 'mo', 'names no weekdays'],
    [[], 'mon-wed-fri', 'names no weekdays'],
  ])('are refused for %j with --repeat %s', (texts, repeat, words) => {
    expect(refusalOf(() => readDays(texts, repeat, dates))).toContain(words);
  });

  test('can be a range and a list of weekdays', () => {
    expect([...readWeekdays('mon-wed, saturday')]).toEqual([0, 1, 2, 5]);
  });
});
