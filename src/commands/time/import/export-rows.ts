import type { SourceRow } from '../../../bulk/import/source.ts';
import { UsageError } from '../../../errors.ts';
import type { Needs } from '../../../session/context.ts';
import { type DateOrder, dateReader } from '../../../time/exports/dates.ts';
import { type Around, cellsOf, type ExportFormat, type ExportRow, inColumn, plainName } from '../../../time/exports/define.ts';
import { wholeMinutes } from '../../../time/exports/duration.ts';
import { counted } from '../../../values/counted.ts';
import { parseDateTime } from '../../../values/dates.ts';
import { formatDuration } from '../../../values/duration.ts';
import { type JsonObject, type JsonValue, scalarText } from '../../../values/json.ts';
import { choosePeople } from './choose-person.ts';
import type { Matcher } from './match-names.ts';
import { createRowProblems, linesText } from './row-problems.ts';

/** What somebody said about the rows of a file. */
export interface HoursChoices {
  readonly user?: number | 'me';
  readonly dateOrder?: DateOrder;
  readonly invoiced?: 'keep' | 'skip';
}

interface Entry {
  readonly line: number;
  readonly entry: ExportRow;
}

/**
 * The rows of another program's export as entries here. What is no work, and what was billed already and is not wanted, is left
 * out and said.
 *
 * @throws UsageError that lists what is unclear, by line.
 */
export async function exportRows(
  context: Needs<'account' | 'client' | 'dates' | 'notice'>,
  rows: readonly SourceRow[],
  format: ExportFormat,
  matcher: Matcher,
  { user, dateOrder, invoiced }: HoursChoices,
): Promise<readonly SourceRow[]> {
  const problems = createRowProblems();
  const used = new Set<string>();
  const around = await aroundOf(context);
  const read = rows.flatMap(({ line, values }): Entry[] => {
    const entry = problems.at(line, () => format.read(cellsOf(texts(values), used), around));
    return entry === undefined ? [] : [{ line, entry }];
  });
  const { worked, skipped } = sortOut(read, invoiced);
  const toDate = dateReader(
    worked.map(({ entry }) => entry.date),
    dateOrder,
  );
  // Whom a row is of matters more than what else is wrong with it, and no project is looked up for a file of strangers.
  const whose = await choosePeople(
    context,
    worked.map(({ line, entry: { who } }) => ({ line, who })),
    user,
  );
  await matcher.prepare(worked.map(({ entry }) => entry));
  const done = worked.flatMap(({ line, entry }): SourceRow[] => {
    const row = problems.at(line, () => {
      const match = matcher.match(entry);
      const person = whose(entry.who);
      const date = inColumn(entry.dateColumn, () => toDate(entry.date));
      return { line, ...rowOf(entry, date, match, person) };
    });
    return row === undefined ? [] : [row];
  });
  problems.refuse(rows.length);
  if (done.length > 0) await context.notice(summaryOf(format, worked, done));
  for (const line of [...skipped, ...remarksOn(worked), ...matcher.remarks(), ...unusedIn(rows, used)]) await context.notice(line);
  return done;
}

async function aroundOf(context: Needs<'dates'>): Promise<Around> {
  const dates = await context.dates();
  return {
    day: (moment) => dates.temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(dates.timeZone).toPlainDate().toString(),
    moment: (local) => Date.parse(parseDateTime(local, dates)),
  };
}

/** @throws UsageError for hours that were billed there, until somebody says what is to become of them. */
function sortOut(read: readonly Entry[], invoiced: HoursChoices['invoiced']): { worked: readonly Entry[]; skipped: readonly string[] } {
  const reasons = new Map<string, number[]>();
  const worked = read.filter(({ line, entry }) => {
    const reason = entry.skip ?? (entry.seconds <= 0 ? 'without any time' : undefined);
    const billed = entry.invoiced === true && invoiced === 'skip' ? 'billed there already' : undefined;
    const why = reason ?? billed;
    if (why !== undefined) reasons.set(why, [...(reasons.get(why) ?? []), line]);
    return why === undefined;
  });
  const billed = worked.filter(({ entry }) => entry.invoiced === true).map(({ line }) => line);
  if (billed.length > 0 && invoiced === undefined) {
    throw new UsageError(
      `The file has ${counted(billed.length, 'row')} that the other program has billed already; logged here too, they could be billed twice.`,
      {
        hint: 'Leave them out with --invoiced skip, or log them too with --invoiced keep.',
        details: { lines: [`${linesText(billed)}: billed there.`] },
      },
    );
  }
  const kept = billed.length === 0 ? [] : [`Billed there already, and logged all the same: ${counted(billed.length, 'row')}.`];
  return { worked, skipped: [...[...reasons].map(([why, lines]) => `Left out, being ${why}: ${linesText(lines)}.`), ...kept] };
}

function rowOf(
  entry: ExportRow,
  date: string,
  { project, workItem, description, projectName, workItemName }: ReturnType<Matcher['match']>,
  person: { readonly id: number | undefined; readonly name: string },
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

/** A list of tags is written with commas, as CSV has it. */
function textOf(value: JsonValue): string {
  return Array.isArray(value) ? value.map((part) => textOf(part)).join(', ') : scalarText(value);
}

function summaryOf({ kind }: ExportFormat, worked: readonly Entry[], done: readonly SourceRow[]): string {
  const dates = done.map(({ values }) => String(values['date'])).sort();
  const minutes = done.reduce((sum, { values }) => sum + Number(values['minutes']), 0);
  const rounded = worked.filter(({ entry }) => entry.seconds % 60 !== 0).length;
  const items = new Set(done.flatMap(({ values }) => values['work_item_id'] ?? [])).size;
  const projects = new Set(done.flatMap(({ shown }) => (shown?.['project'] ? [shown['project']] : []))).size;
  return [
    `An export of ${kind}: ${counted(done.length, 'row')}, ${dates[0]} to ${dates.at(-1)}, ${formatDuration(minutes)} in all, on ${counted(items, 'work item')} and ${counted(projects, 'project')}.`,
    ...(rounded > 0 ? [`Rounded to whole minutes: ${counted(rounded, 'row')}.`] : []),
  ].join(' ');
}

/** What an entry here cannot say of them. */
function remarksOn(worked: readonly Entry[]): string[] {
  const found = new Map<string, number[]>();
  for (const { line, entry } of worked) {
    if (entry.remark !== undefined) found.set(entry.remark, [...(found.get(entry.remark) ?? []), line]);
  }
  return [...found].map(([remark, lines]) => `Logged whole, though ${remark}: ${linesText(lines)}.`);
}

/** Columns that hold something and were not looked at. */
function unusedIn(rows: readonly SourceRow[], used: ReadonlySet<string>): string[] {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))].filter((name) => !used.has(plainName(name)));
  return names.length === 0 ? [] : [`Columns that are not used: ${names.join(', ')}.`];
}
