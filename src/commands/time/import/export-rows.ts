import type { SourceRow } from '../../../bulk/import/source.ts';
import { UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import { rangeOf } from '../../../time/date-range.ts';
import { type DateOrder, dateReader } from '../../../time/exports/dates.ts';
import { cellsOf, type ExportFormat, type ExportRow, inColumn, plainName } from '../../../time/exports/define.ts';
import { wholeMinutes } from '../../../time/exports/duration.ts';
import { formatDuration } from '../../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { counted } from '../../../values/text.ts';
import type { Matcher } from './match-names.ts';
import { findRowUsers, type RowUser } from './match-people.ts';
import { createRowProblems, linesBy } from './row-problems.ts';

export interface HoursChoices {
  readonly user?: number | 'me';
  readonly dateOrder?: DateOrder;
  readonly invoiced?: 'keep' | 'skip';
}

interface Entry {
  readonly line: number;
  readonly entry: ExportRow;
}

export async function exportRows(
  context: Needs<'account' | 'client' | 'dates' | 'notice'>,
  rows: readonly SourceRow[],
  format: ExportFormat,
  matcher: Matcher,
  { user, dateOrder, invoiced }: HoursChoices,
): Promise<readonly SourceRow[]> {
  const problems = createRowProblems();
  const used = new Set<string>();
  const dates = await context.dates();
  const read = rows.flatMap(({ line, values }): Entry[] => {
    const entry = problems.at(line, () => format.read(cellsOf(texts(values), used), dates));
    return entry === undefined ? [] : [{ line, entry }];
  });
  const reasonOf = ({ entry }: Entry) => {
    const billed = entry.invoiced === true && invoiced === 'skip' ? 'billed by the other program' : undefined;
    return entry.skip ?? (entry.seconds <= 0 ? 'without any time' : billed);
  };
  const worked = read.filter((row) => reasonOf(row) === undefined);
  const billed = worked.filter(({ entry }) => entry.invoiced === true);
  if (billed.length > 0 && invoiced === undefined) throw billedThere(billed);
  const days = worked.map(({ entry }) => entry.date);
  const toDate = dateReader(days, dateOrder);
  // svc reports unclear users before the problems of rows, and before it looks up projects.
  const people = worked.map(({ line, entry: { who } }) => ({ line, who }));
  const userOf = await findRowUsers(context, people, user);
  await matcher.prepare(worked.map(({ entry }) => entry));
  const done = worked.flatMap(({ line, entry }): SourceRow[] => {
    const row = problems.at(line, () => {
      const match = matcher.match(entry);
      const person = userOf(entry.who);
      const date = inColumn(entry.dateColumn, () => toDate(entry.date));
      return { line, ...rowOf(entry, date, match, person) };
    });
    return row === undefined ? [] : [row];
  });
  problems.refuse(rows.length);
  if (done.length > 0) await context.notice(summaryOf(format, worked, done));
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))].filter((name) => !used.has(plainName(name)));
  const lines = [
    ...linesBy(read, reasonOf).map(([why, at]) => `Left out (${why}): ${at}.`),
    ...(billed.length === 0 ? [] : [`svc logs rows that the other program billed already: ${counted(billed.length, 'row')}.`]),
    // Remarks are facts that an entry of svc cannot express.
    ...linesBy(worked, ({ entry }) => entry.remark).map(([remark, at]) => `svc logs these rows in full (${remark}): ${at}.`),
    ...matcher.remarks(),
    ...(columns.length === 0 ? [] : [`Unused columns: ${columns.join(', ')}.`]),
  ];
  for (const line of lines) await context.notice(line);
  return done;
}

function billedThere(billed: readonly Entry[]): UsageError {
  return new UsageError(
    `The other program has billed ${counted(billed.length, 'row')} of the file already. If svc logs these rows, you could bill these hours twice.`,
    {
      hint: 'To leave these rows out, add --invoiced skip. To log these rows too, add --invoiced keep.',
      details: { lines: linesBy(billed, () => 'billed there').map(([text, lines]) => `${lines}: ${text}.`) },
    },
  );
}

function rowOf(
  entry: ExportRow,
  date: string,
  { project, workItem, description, projectName, workItemName }: ReturnType<Matcher['match']>,
  person: RowUser,
): Omit<SourceRow, 'line'> {
  const minutes = wholeMinutes(entry.seconds);
  return {
    values: {
      date,
      minutes,
      ...(description !== '' && { description }),
      ...(workItem !== undefined && { work_item_id: workItem }),
      ...(project !== undefined && workItem === undefined && { project_id: project }),
      ...(person.id !== undefined && { user_id: person.id }),
      ...(entry.billable === false && { is_not_billable: true }),
    },
    shown: {
      date,
      duration: formatDuration(minutes),
      project: projectName,
      work_item: workItemName,
      person: person.name,
      text: description,
    },
  };
}

function texts(values: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

/** Returns a value in the form of CSV: a list of tags gets commas. */
function textOf(value: JsonValue): string {
  return Array.isArray(value) ? value.map((part) => textOf(part)).join(', ') : scalarText(value);
}

function summaryOf({ kind }: ExportFormat, worked: readonly Entry[], done: readonly SourceRow[]): string {
  const { first, last } = rangeOf(done.map(({ values }) => String(values['date'])));
  const minutes = done.reduce((sum, { values }) => sum + Number(values['minutes']), 0);
  const rounded = worked.filter(({ entry }) => entry.seconds % 60 !== 0).length;
  const items = new Set(done.flatMap(({ values }) => values['work_item_id'] ?? [])).size;
  const projects = new Set(done.flatMap(({ shown }) => (shown?.['project'] ? [shown['project']] : []))).size;
  return [
    `An export of ${kind}: ${counted(done.length, 'row')}, ${first} to ${last}, ${formatDuration(minutes)} in all, on ${counted(items, 'work item')} and ${counted(projects, 'project')}.`,
    ...(rounded > 0 ? [`Rounded to whole minutes: ${counted(rounded, 'row')}.`] : []),
  ].join(' ');
}
