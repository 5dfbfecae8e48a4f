import type { SourceRow } from '../../bulk/import/source.ts';
import { UsageError } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { dateReader } from '../../time/exports/dates.ts';
import { inColumn, plainName, yesOrNo } from '../../time/exports/define.ts';
import { readDuration, wholeMinutes } from '../../time/exports/duration.ts';
import { PERSON_COLUMNS } from '../../time/exports/person.ts';
import { formatDuration, parseDuration } from '../../values/duration.ts';
import type { JsonObject, JsonValue } from '../../values/json.ts';
import { quote } from '../../values/quote.ts';
import { choosePeople } from './choose-person.ts';
import type { HoursChoices } from './export-rows.ts';
import type { Matcher } from './match-names.ts';
import type { Somebody } from './match-people.ts';
import { createRowProblems, linesText } from './row-problems.ts';

/** What people call the fields of a worklog, in lower case with underscores; a field's own name counts before any of these. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  date: ['day', 'work_date', 'spent_date'],
  minutes: ['mins', 'duration', 'hours', 'decimal_hours', 'time', 'time_spent'],
  description: ['text', 'notes', 'note', 'comment'],
  project: ['project_name'],
  work_item: ['issue', 'issue_key', 'ticket'],
  billable: ['billable?', 'is_billable'],
};

/** Columns whose numbers are hours, whatever they look like. */
const HOURS = new Set(['hours', 'decimal_hours']);

/** A row under the names of svc's fields, and what the file calls them. */
interface OwnRow {
  readonly line: number;
  readonly values: JsonObject;
  readonly columns: Readonly<Record<string, string>>;
  readonly who: readonly string[];
  /** Columns that say again what another one says. */
  readonly unused: readonly string[];
}

/**
 * The rows of a table of hours in svc's own columns, or in what people call them: names may stand for projects and people, a
 * duration is written as people do.
 *
 * @throws UsageError that lists what is unclear, by line.
 */
export async function ownRows(
  context: Needs<'account' | 'client' | 'notice'>,
  rows: readonly SourceRow[],
  matcher: Matcher,
  { user, dateOrder }: HoursChoices,
): Promise<readonly SourceRow[]> {
  const problems = createRowProblems();
  const own = rows.map((row) => renamed(row));
  const dates = own.map(({ values }) => values['date']).filter(isText);
  // Days by name, such as today, are read as anywhere else; written ones by one order for all of them.
  const written = dates.filter((text) => /^\d+[-/.]\d+[-/.]\d+/.test(text));
  const toDate = written.every((text) => /^\d{4}-\d\d-\d\d$/.test(text)) ? undefined : dateReader(written, dateOrder);
  const isSettled = ({ values }: OwnRow) => isId(values['user_id']) || isId(values['user']);
  const open = own.filter((row) => !isSettled(row));
  const whose =
    open.some(({ who }) => who.length > 0) || user !== undefined
      ? await choosePeople(context, user === undefined ? open : own, user)
      : undefined;
  const named = own.filter(({ values }) => isText(values['project']) && values['project_id'] === undefined);
  if (named.length > 0)
    await matcher.prepare(named.map(({ values }) => ({ project: String(values['project']), task: '', tags: '', description: '' })));
  const empty: number[] = [];
  const done = own.flatMap((row): SourceRow[] => {
    const body = problems.at(row.line, () => {
      const person = user === undefined && isSettled(row) ? undefined : whose?.(row.who);
      return bodyOf(row, matcher, toDate, person);
    });
    if (body === undefined) return [];
    const { minutes } = body.values;
    if (minutes === 0) empty.push(row.line);
    return minutes === 0 ? [] : [{ line: row.line, columns: row.columns, ...body }];
  });
  problems.refuse(rows.length);
  if (empty.length > 0) await context.notice(`Left out, being without any time: ${linesText(empty)}.`);
  const unused = [...new Set(own.flatMap((row) => row.unused))];
  if (unused.length > 0) await context.notice(`Columns that are not used: ${unused.join(', ')}.`);
  return done;
}

/** Puts the file's columns under the names of svc's fields, in the file's order. Records that svc itself printed are left as they are. */
function renamed({ line, values }: SourceRow): OwnRow {
  const byName = new Map(Object.keys(values).map((column) => [plainName(column).replace(/[\s-]+/g, '_'), column]));
  const fieldOf = new Map<string, string>();
  const unused: string[] = [];
  for (const [field, names] of Object.entries(NAMES)) {
    const [column, ...others] = [field, ...names].map((name) => byName.get(name) ?? '').filter((name) => isFilled(values[name]));
    if (column !== undefined) fieldOf.set(column, field);
    unused.push(...others);
  }
  const who = PERSON_COLUMNS.map((name) => byName.get(name.replace(/[\s-]/g, '_'))).filter((column) => {
    const value = column === undefined ? undefined : values[column];
    return isText(value) && !(plainName(column ?? '') === 'user' && isId(value));
  });
  const kept = Object.entries(values).filter(([column]) => !who.includes(column) && !unused.includes(column));
  return {
    line,
    values: Object.fromEntries(kept.map(([column, value]) => [fieldOf.get(column) ?? column, value])),
    columns: Object.fromEntries([...fieldOf].map(([column, field]) => [field, column])),
    who: joinedName(
      who.map((column) => String(values[column ?? ''])),
      values,
      byName,
    ),
    unused,
  };
}

/** A first and a last name are one. */
function joinedName(who: readonly string[], values: JsonObject, byName: ReadonlyMap<string, string>): readonly string[] {
  const parts = ['first_name', 'last_name'].map((name) => values[byName.get(name) ?? '']).filter(isText);
  return parts.length < 2 ? who : [...who.filter((text) => !parts.includes(text)), parts.join(' ')];
}

function bodyOf(
  { values, columns }: OwnRow,
  matcher: Matcher,
  toDate: ((text: string) => string) | undefined,
  person: Somebody | undefined,
): Pick<SourceRow, 'values' | 'shown'> {
  const body: Record<string, JsonValue> = {};
  for (const [field, value] of Object.entries(values)) {
    const set = (name: string, read: () => JsonValue | undefined) => {
      const done = inColumn(columns[field] ?? field, read);
      if (done !== undefined) body[name] = done;
    };
    if (field === 'project' && isText(value)) {
      if (values['project_id'] === undefined) set('project_id', () => matcher.project(value));
    } else if (field === 'work_item' && isText(value)) {
      if (values['work_item_id'] === undefined) body['work_item_id'] = value;
    } else if (field === 'minutes') set('minutes', () => minutesOf(value, columns['minutes'] ?? ''));
    else if (field === 'date' && isText(value)) set('date', () => (toDate !== undefined && /^\d/.test(value) ? toDate(value) : value));
    else if (field === 'billable' && isText(value)) set('is_not_billable', () => (billableOf(value) ? undefined : true));
    else if (person === undefined || (field !== 'user' && field !== 'user_id')) body[field] = value;
  }
  if (person?.id !== undefined) body['user_id'] = person.id;
  const { date, minutes, project_id: project, work_item_id: item, description, user_id: userId, user } = body;
  return {
    values: body,
    shown: {
      date: date ?? 'today',
      duration: typeof minutes === 'number' ? formatDuration(minutes) : (minutes ?? null),
      project: typeof project === 'number' ? matcher.projectName(project) : (project ?? null),
      work_item: item ?? null,
      person: person?.name ?? userId ?? user ?? 'you',
      text: description ?? null,
    },
  };
}

/**
 * Hours are a plain number in a column of hours; a duration is read as the flag is, with the decimal comma that much of the world
 * writes. What cannot be read is left for the check of all rows, which names it together with the rest.
 */
function minutesOf(value: JsonValue, column: string): JsonValue {
  if (HOURS.has(plainName(column).replace(/[\s-]+/g, '_'))) return wholeMinutes(readDuration(String(value)));
  if (!isText(value)) return value;
  const typed = value.replace(/^(\d+),(\d+)(?=\s*h)/i, '$1.$2');
  try {
    return parseDuration(typed);
  } catch {
    return typed;
  }
}

function billableOf(text: string): boolean {
  const said = yesOrNo(text);
  if (said === undefined) throw new UsageError(`${quote(text)} is neither yes nor no.`);
  return said;
}

/** A user by id, or by the word for oneself, which anything that reads a user understands; or a record of one. */
function isId(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'string' || /^(?:me|\d+)$/i.test(value.trim());
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isFilled(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}
