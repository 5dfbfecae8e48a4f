import { createHash } from 'node:crypto';
import { DAY, HOUR, utcSecond } from '../dates.ts';
import type { Row, Values } from '../json.ts';
import { type DefinedResource, storedName } from '../resources/define.ts';
import { resourceNamed } from '../resources/index.ts';
import type { SandboxState } from '../sandbox-state.ts';

export const NOTES = [
  'Review with the team',
  'Fixed the import of old invoices',
  'Planning',
  'Call with the customer',
  'Wrote the release notes',
  'Pairing on the search page',
  'Tests for the billing run',
  'Daily and e-mail',
  'Prepared the workshop',
  'Deployment, then watched the graphs',
] as const;

/** Descriptions with characters that often cause errors in programs. */
export const AWKWARD = [
  'He said "later", then left',
  'one, two; three\tfour',
  'first line\nsecond line\r\nthird line',
  '=1+1',
  '+31 20 123 4567',
  '-5 degrees',
  '@everyone',
  '=HYPERLINK("http://example.com","click")',
  '🚀 shipped 👩‍👩‍👧‍👦 with 🇳🇱',
  'مراجعة مع الفريق (review)',
  '\u202Ereversed\u202C text',
  '\u001b[31mred\u001b[0m and \u001b]0;title\u0007 \u001b[2J',
  'nul \u0000 bell \u0007 backspace \u0008',
  '<b>bold</b> & <script>alert(1)</script>',
  '日本語のメモ、全角文字',
  'e\u0301 combining, zero\u200Bwidth',
  '   spaces around   ',
  '',
  'null',
  '$(rm -rf ~) `id` %PATH% {{7*7}}',
  `A very long note. ${'It goes on and on about the same thing. '.repeat(60)}`,
] as const;

export const TITLES = [
  'Search finds nothing with accents',
  'Invoice PDF cuts off the last row',
  'Add a dark theme',
  'Import customers from a spreadsheet',
  'Log in with a passkey',
  'Slow start on Monday mornings',
  'Round minutes the same way everywhere',
  'Show leave in the week view',
  'Export for the accountant',
  'Mail bounces for long names',
  'Drag and drop on touch screens',
  'Time zone of holidays is wrong',
  'Webhook retries',
  'Show the deleted rows',
  'Reminders for empty days',
] as const;

export type Seeding = ReturnType<typeof createSeeding>;

/** The start of 1 January 2025 in UTC, in milliseconds since 1970. Most records of the sample data are later. */
export const BEGINNING = Date.UTC(2025, 0, 1);

export function defaultsOf(resource: DefinedResource): Values {
  const values: Values = {};
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.compute === undefined && name !== 'id') values[storedName(name, field)] = field.default ?? null;
  }
  return values;
}

export function createSeeding(sandboxState: SandboxState) {
  const now = sandboxState.clock.now();
  const defaults = new Map<string, Values>();
  const defaultsNamed = (resource: string): Values => {
    const known = defaults.get(resource) ?? defaultsOf(resourceNamed(resource));
    defaults.set(resource, known);
    return known;
  };
  return {
    random: createRandom(sandboxState.settings.seed),
    /** Creates a separate random generator for a name. The values are independent of all other generators. */
    randomFor: (name: string) => createRandom(createHash('sha256').update(`${sandboxState.settings.seed} ${name}`).digest().readUInt32LE()),
    now,
    db: sandboxState.db,
    addRecord: (resource: string, values: Values): Row => {
      const created = values['created_at'] ?? utcSecond(BEGINNING + 9 * HOUR);
      return sandboxState.db
        .table(resource)
        .insert({ ...defaultsNamed(resource), ...values, created_at: created, updated_at: values['updated_at'] ?? created });
    },
    all: (resource: string): readonly Row[] => [...sandboxState.db.table(resource).rows.values()],
  };
}

/**
 * Yields each midnight in UTC, from the start of the day of `from` up to but not including `until`. All times are in milliseconds since
 * 1970.
 */
export function* midnightsBetween(from: number, until: number): Generator<number> {
  for (let day = Math.floor(from / DAY) * DAY; day < until; day += DAY) yield day;
}

export function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
}

export type Random = ReturnType<typeof createRandom>;

/**
 * Creates a seeded random generator (mulberry32). The same seed always gives the same values. Not suitable for secrets. `pick` throws a
 * RangeError for an empty list.
 */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    integer: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability: number) => next() < probability,
    pick: <T>(choices: readonly T[]): T => {
      const choice = choices[Math.floor(next() * choices.length)];
      if (choice === undefined) throw new RangeError('pick needs at least one choice');
      return choice;
    },
  };
}
