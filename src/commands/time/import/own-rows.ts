import type { SourceRow } from '../../../bulk/import/source.ts';
import { UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import { dateReader } from '../../../time/exports/dates.ts';
import { inColumn, plainName, yesOrNo } from '../../../time/exports/define.ts';
import { readDuration, wholeMinutes } from '../../../time/exports/duration.ts';
import { PERSON_COLUMNS } from '../../../time/exports/person.ts';
import { formatDuration, parseDuration } from '../../../values/duration.ts';
import type { JsonValue } from '../../../values/json.ts';
import { quote } from '../../../values/text.ts';
import type { HoursChoices } from './export-rows.ts';
import type { Matcher } from './match-names.ts';
import { findRowUsers, type RowUser } from './match-people.ts';
import { createRowProblems, linesBy } from './row-problems.ts';

/**
 * Reads rows whose columns have the names of svc’s fields, or other usual names.
 *
 * @throws UsageError with the lines of unclear rows.
 */
export async function ownRows(
  context: Needs<'account' | 'client' | 'notice'>,
  rows: readonly SourceRow[],
  matcher: Matcher,
  { user, dateOrder }: HoursChoices,
): Promise<readonly SourceRow[]> {
  const problems = createRowProblems();
  const own = rows.map(renameColumns);
  const dates = own.map(({ values }) => values['date']).filter(isText);
  // All numeric dates share one order of day and month. svc reads any other day, such as `today`, as in a flag.
  const written = dates.filter((text) => /^\d+[-/.]\d+[-/.]\d+/.test(text));
  const toDate = written.every((text) => /^\d{4}-\d\d-\d\d$/.test(text)) ? undefined : dateReader(written, dateOrder);
  const hasUser = ({ values }: OwnRow) => isId(values['user_id']) || isId(values['user']);
  const open = own.filter((row) => !hasUser(row));
  const isNamed = open.some(({ who }) => who.length > 0) || user !== undefined;
  const userOf = isNamed ? await findRowUsers(context, user === undefined ? open : own, user) : undefined;
  const named = own.filter(({ values }) => isText(values['project']) && values['project_id'] === undefined);
  if (named.length > 0)
    await matcher.prepare(named.map(({ values }) => ({ project: String(values['project']), task: '', tags: '', description: '' })));
  const done = own.flatMap((row): SourceRow[] => {
    const body = problems.at(row.line, () => {
      const person = user === undefined && hasUser(row) ? undefined : userOf?.(row.who);
      return bodyOf(row, matcher, toDate, person);
    });
    return body === undefined ? [] : [{ line: row.line, columns: row.columns, ...body }];
  });
  problems.refuse(rows.length);
  const isEmpty = ({ values }: SourceRow) => values['minutes'] === 0;
  for (const [, at] of linesBy(done.filter(isEmpty), () => '')) await context.notice(`Left out (without any time): ${at}.`);
  const unused = [...new Set(own.flatMap((row) => row.unused))];
  if (unused.length > 0) await context.notice(`Unused columns: ${unused.join(', ')}.`);
  return done.filter((row) => !isEmpty(row));
}

function bodyOf(
  { values, columns }: OwnRow,
  matcher: Matcher,
  toDate: ((text: string) => string) | undefined,
  person: RowUser | undefined,
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
 * Converts a duration to minutes. In a column of hours, a number means hours. Text that svc cannot read stays unchanged, and a later check
 * reports the text.
 */
function minutesOf(value: JsonValue, column: string): JsonValue {
  if (HOURS_COLUMNS.has(plainName(column).replace(/[\s-]+/g, '_'))) return wholeMinutes(readDuration(String(value)));
  if (!isText(value)) return value;
  if (plainName(column) === 'time' && /^\d{1,2}:\d\d/.test(value)) {
    throw new UsageError(`${quote(value)} can be a time of day or a duration. For durations, name the column Duration.`);
  }
  const typed = value.replace(/^(\d+),(\d+)(?=\s*h)/i, '$1.$2');
  try {
    return parseDuration(typed);
  } catch {
    return typed;
  }
}

function billableOf(text: string): boolean {
  const answer = yesOrNo(text);
  if (answer === undefined) throw new UsageError(`${quote(text)} is neither yes nor no.`);
  return answer;
}

/** The usual column names for the fields of a worklog, in lower case with underscores. The name of the field itself takes precedence. */
const COLUMN_NAMES: Readonly<Record<string, readonly string[]>> = {
  date: ['day', 'work_date', 'spent_date'],
  minutes: ['mins', 'duration', 'hours', 'decimal_hours', 'time', 'time_spent'],
  description: ['text', 'notes', 'note', 'comment'],
  project: ['project_name'],
  work_item: ['issue', 'issue_key', 'ticket'],
  billable: ['billable?', 'is_billable'],
};

const HOURS_COLUMNS = new Set(['hours', 'decimal_hours']);

type OwnRow = ReturnType<typeof renameColumns>;

function renameColumns({ line, values }: SourceRow) {
  const byName = new Map(Object.keys(values).map((column) => [plainName(column).replace(/[\s-]+/g, '_'), column]));
  const fieldOf = new Map<string, string>();
  const unused: string[] = [];
  for (const [field, names] of Object.entries(COLUMN_NAMES)) {
    const [column, ...others] = [field, ...names].map((name) => byName.get(name) ?? '').filter((name) => (values[name] ?? '') !== '');
    if (column !== undefined) fieldOf.set(column, field);
    unused.push(...others);
  }
  const who = PERSON_COLUMNS.map((name) => byName.get(name.replace(/[\s-]/g, '_'))).filter((column) => {
    const value = column === undefined ? undefined : values[column];
    return isText(value) && !(plainName(column ?? '') === 'user' && isId(value));
  });
  const names = who.map((column) => String(values[column ?? '']));
  const parts = ['first_name', 'last_name'].map((name) => values[byName.get(name) ?? '']).filter(isText);
  const used = Object.entries(values).filter(([column]) => !who.includes(column) && !unused.includes(column));
  return {
    line,
    values: Object.fromEntries(used.map(([column, value]) => [fieldOf.get(column) ?? column, value])),
    columns: Object.fromEntries([...fieldOf].map(([column, field]) => [field, column])),
    // A first name and a last name together are one name.
    who: parts.length < 2 ? names : [...names.filter((text) => !parts.includes(text)), parts.join(' ')],
    unused,
  };
}

/** Returns true if a value is the id of a user, `me`, or a user record. */
function isId(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'string' || /^(?:me|\d+)$/i.test(value.trim());
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
