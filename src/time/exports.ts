import { UsageError } from '../errors.ts';
import { quote } from '../values/quote.ts';

/** Programs whose exports are known by their columns. */
export type ExportKind = 'Toggl Track' | 'Clockify' | 'Harvest';

/** A row of an export, in svc's terms; names are still names. */
export interface ExportRow {
  /** As it is written; {@link dateReader} knows the order of its parts. */
  readonly date: string;
  readonly seconds: number;
  readonly project: string;
  readonly task: string;
  readonly tags: string;
  readonly description: string;
  /** Undefined where the export does not say. */
  readonly billable: boolean | undefined;
  /** E-mail address or name; empty where the export does not say. */
  readonly person: string;
  readonly personName: string;
}

/** A way to read one program's rows. */
export interface ExportFormat {
  readonly kind: ExportKind;
  read(row: Row): ExportRow;
}

/** A row of a CSV file by the names of its columns. */
export type Row = Readonly<Record<string, string>>;

/**
 * Whose export a file is, by its columns; undefined for none that is known. The columns are those of the detailed reports: Toggl Track
 * (User, Email, Client, Project, Task, Description, Billable, Start date, Start time, End date, End time, Duration, Tags), Clockify (Project, Client,
 * Description, Task, User, Group, Email, Tags, Billable, Start Date, …, Duration (h), Duration (decimal)), Harvest (Date, Client, Project, Project Code,
 * Task, Notes, Hours, …, Billable?, First Name, Last Name).
 */
export function recogniseExport(columns: Iterable<string>): ExportFormat | undefined {
  const names = new Set([...columns].map((name) => name.trim().toLowerCase()));
  const has = (...wanted: readonly string[]) => wanted.every((name) => names.has(name));
  if (has('start date') && (names.has('duration (h)') || names.has('duration (decimal)'))) return { kind: 'Clockify', read: readClockify };
  if (has('start date', 'duration')) return { kind: 'Toggl Track', read: readToggl };
  if (has('date', 'hours') && (names.has('client') || names.has('first name') || names.has('project code')))
    return { kind: 'Harvest', read: readHarvest };
  return undefined;
}

/** Whole minutes of so many seconds: the nearest, but never none at all. */
export function wholeMinutes(seconds: number): number {
  return seconds <= 0 ? 0 : Math.max(1, Math.round(seconds / 60));
}

/** In which order day, month and year are written. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/**
 * Finds out how a file writes its dates: one order for all of them.
 *
 * @param order When somebody said so.
 * @returns what turns one into `YYYY-MM-DD`; it throws UsageError for a text that is no date.
 * @throws UsageError when day and month could be either way in every row.
 */
export function dateReader(dates: readonly string[], order?: DateOrder): (text: string) => string {
  const readers = (order === undefined ? (['ymd', 'dmy', 'mdy'] as const) : [order]).map((name) => ({
    name,
    read: (text: string) => readDate(text, name),
  }));
  const fitting = readers.filter(({ read }) => dates.every((text) => read(text) !== undefined));
  // Dates in which day and month are the same number read alike in any order.
  const [first, other] = fitting;
  const differs = other === undefined ? undefined : dates.find((text) => first?.read(text) !== other.read(text));
  if (first !== undefined && other !== undefined && differs !== undefined) {
    throw new UsageError(
      `${quote(differs)} could be ${first.read(differs)} or ${other.read(differs)}, and so could every date in the file.`,
      {
        hint: 'Say which: --date-order dmy (day first) or --date-order mdy (month first).',
      },
    );
  }
  const known = first ?? readers[0];
  return (text) => {
    const date = known?.read(text);
    if (date !== undefined) return date;
    throw new UsageError(`${quote(text)} is not a date that svc can read here.`, {
      hint: 'Dates are read as 2025-03-31, or by --date-order.',
    });
  };
}

function readToggl(row: Row): ExportRow {
  return readTimer(row, 'duration');
}

function readClockify(row: Row): ExportRow {
  return readTimer(row, 'duration (h)', 'duration (decimal)');
}

/** What the two share: Clockify's columns are Toggl's, but for the duration, which is in the first of these that is filled in. */
function readTimer(row: Row, ...durations: readonly string[]): ExportRow {
  const cell = cellsOf(row);
  return {
    date: cell('start date'),
    seconds: readDuration(durations.map(cell).find((text) => text !== '') ?? ''),
    project: cell('project'),
    task: cell('task'),
    tags: cell('tags'),
    description: cell('description'),
    billable: yesOrNo(cell('billable')),
    person: cell('email') || cell('user'),
    personName: cell('user'),
  };
}

function readHarvest(row: Row): ExportRow {
  const cell = cellsOf(row);
  const name = [cell('first name'), cell('last name')].filter((part) => part !== '').join(' ');
  return {
    date: cell('date'),
    seconds: readDuration(cell('hours')),
    // A project's code is meant to tell it from others.
    project: cell('project'),
    task: cell('task'),
    tags: cell('project code'),
    description: cell('notes'),
    billable: yesOrNo(cell('billable?') || cell('billable')),
    person: name,
    personName: name,
  };
}

function cellsOf(row: Row): (name: string) => string {
  const cells = new Map(Object.entries(row).map(([name, value]) => [name.trim().toLowerCase(), value.trim()]));
  return (name) => cells.get(name) ?? '';
}

function yesOrNo(text: string): boolean | undefined {
  if (/^(?:yes|true|1)$/i.test(text)) return true;
  return /^(?:no|false|0)$/i.test(text) ? false : undefined;
}

/** `01:30:00`, `1:30`, `47:06 min` (minutes and seconds), `0.79 h`, `1.5`, `1,5`: what these programs write. Seconds. */
function readDuration(text: string): number {
  const [, hours, minutes, seconds = '0'] = /^(\d+):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const [, whole, rest] = /^(\d+):([0-5]\d) min$/.exec(text) ?? [];
  if (whole !== undefined && rest !== undefined) return Number(whole) * 60 + Number(rest);
  const [, decimal, unit = 'h'] = /^(\d+(?:[.,]\d+)?)\s*(h|min|sec)?$/.exec(text) ?? [];
  if (decimal === undefined) throw new UsageError(`${quote(text)} is not a duration.`);
  const value = Number(decimal.replace(',', '.'));
  return Math.round(value * (unit === 'h' ? 3600 : unit === 'min' ? 60 : 1));
}

function readDate(text: string, order: DateOrder): string | undefined {
  const [, a = '', mark, b = '', c = ''] = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})$/.exec(text.trim()) ?? [];
  if (mark === undefined) return undefined;
  const yearFirst = a.length === 4;
  if (yearFirst !== (order === 'ymd') || (!yearFirst && c.length !== 4)) return undefined;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  // Points are written where the day comes first.
  if (mark === '.' && order === 'mdy') return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(parsed) || new Date(parsed).toISOString().slice(0, 10) !== date ? undefined : date;
}
