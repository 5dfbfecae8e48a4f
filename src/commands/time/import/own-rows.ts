import type { SourceRow } from '../../../bulk/import/source.ts';
import { UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import { dateReader } from '../../../time/exports/dates.ts';
import { inColumn, plainName, yesOrNo } from '../../../time/exports/define.ts';
import { readDuration, wholeMinutes } from '../../../time/exports/duration.ts';
import { formatDuration, parseDuration } from '../../../values/duration.ts';
import type { JsonValue } from '../../../values/json.ts';
import { quote } from '../../../values/quote.ts';
import { choosePeople } from './choose-person.ts';
import type { HoursChoices } from './export-rows.ts';
import type { Matcher } from './match-names.ts';
import type { Somebody } from './match-people.ts';
import { HOURS, isId, isText, type OwnRow, renamed } from './own-columns.ts';
import { createRowProblems, linesText } from './row-problems.ts';

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
  if (plainName(column) === 'time' && /^\d{1,2}:\d\d/.test(value)) {
    throw new UsageError(`${quote(value)} could be a time of day, or how long: call the column Duration if it is how long.`);
  }
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
