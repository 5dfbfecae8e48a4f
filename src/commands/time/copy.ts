import { defineCommand, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { readEntryRecords } from '../../records/entries.ts';
import type { Understanding } from '../../records/kinds.ts';
import { describeWrite, type WriteRequest } from '../../records/send-write.ts';
import { worklogCreation, worklogs } from '../../records/worklogs.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { type Printing, printOneOrMany, printRecords } from '../../session/print.ts';
import { dayName, parseWeek, weekOf } from '../../time/calendar.ts';
import type { Day } from '../../time/day.ts';
import { type Entry, projectName, readEntry, workItemName } from '../../time/entry.ts';
import { compareTexts } from '../../values/compare.ts';
import { counted } from '../../values/counted.ts';
import { type DateContext, parseCalendarDate } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { COPIED, isSet, valueIn } from './like.ts';
import { logEach } from './log-each.ts';
import { dayNotes } from './notes.ts';
import { lookAt } from './week/look.ts';

/** An entry as it is to be logged once more. */
interface Copy {
  readonly entry: Entry;
  readonly date: string;
  readonly write: WriteRequest & { readonly body: JsonObject };
}

/** `svc worklogs copy --week last`: the same once more, without what is there already. Never sent without a yes. */
export const copyHours = defineCommand({
  name: 'copy',
  summary: 'Log the entries of another week or day again',
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc logs your entries of another week on the same weekdays of this week, or those of another day today. It leaves out entries that exist: the same day, work item, project, text and minutes. It also leaves out holidays, days of leave and overtime. svc shows the entries and asks before it sends them.',
  options: {
    week: text('--week <week>', 'Copy this week: last, 2026-W23, or any day of the week'),
    day: text('--day <date>', 'Copy this day: yesterday, 2026-03-31'),
    to: text('--to <date>', 'Copy to this week or day (default: this week, or today)'),
  },
  examples: [
    { args: 'worklogs copy --week last', does: 'Log the entries of last week in this week' },
    { args: 'worklogs copy --day yesterday', does: 'Log the entries of yesterday today' },
    { args: 'worklogs copy --day 2026-03-30 --to 2026-03-31 --yes', does: 'Copy one day to another, without a question' },
  ],
  async run(context: Needs<Printing | Understanding | Asking | 'host' | 'plan' | 'settleWrites'>, { options }) {
    const dates = await context.dates();
    const { from, to } = daysOf(options, dates);
    const range = (days: readonly string[]) => ({ first: days[0] ?? '', last: days.at(-1) ?? '' });
    const [records, there] = await together(
      Array.fromAsync(readEntryRecords(context, { ...range(from), user: 'me', view: 'detail', include: ['project', 'work_item'] })),
      lookAt(context, 'me', range(to)),
    );
    const { copies, known, hidden, overtime } = copiesOf(records, from, to, there.entries);
    const closed = there.days.filter(isClosed);
    const ready = copies.filter(({ date }) => !closed.some((day) => day.date === date));
    for (const day of closed) {
      const count = copies.filter(({ date }) => date === day.date).length;
      if (count > 0)
        await context.notice(
          `Left out, ${counted(count, 'entry', 'entries')}: ${dayName(day.date, dates.temporal)}, ${dayNotes(day).join(', ')}.`,
        );
    }
    if (known > 0) await context.notice(`Left out, ${counted(known, 'entry', 'entries')}: there already.`);
    if (hidden.length > 0) await context.notice(`Not copied, since the service does not show it of each entry: ${hidden.join(', ')}.`);
    if (overtime > 0)
      await context.notice(
        `Overtime in the other ${from.length > 1 ? 'week' : 'day'}, ${counted(overtime, 'entry', 'entries')}: logged as plain hours.`,
      );
    if (ready.length === 0) {
      if ((await context.presentation()).reader === 'program') await printRecords(context, [], []);
      return context.notice(records.length === 0 ? 'There is nothing to copy.' : 'There is nothing left to copy.');
    }
    const resource = await worklogs(context);
    if (context.globals.dryRun)
      return printOneOrMany(context, await Promise.all(ready.map(({ write }) => describeWrite(context, resource, write))), true);
    await printRecords(context, ready.map(recordOf), ['date', 'minutes', 'project', 'work_item', 'description'], {
      minutes: 'duration',
      date: 'date',
    });
    await logEach(
      context,
      ready.map(({ entry, date, write }) => ({ date, minutes: entry.minutes, write })),
    );
  },
});

interface Choice {
  readonly week?: string | undefined;
  readonly day?: string | undefined;
  readonly to?: string | undefined;
}

/** The days to copy, and those that get the same; as many of each. */
function daysOf({ week, day, to }: Choice, dates: DateContext): { readonly from: readonly string[]; readonly to: readonly string[] } {
  if ((week === undefined) === (day === undefined)) {
    throw new UsageError(week === undefined ? 'What is to be copied?' : '--week and --day cannot be used together.', {
      hint: 'Say --week last, or --day yesterday.',
    });
  }
  const read = (what: string) => (day === undefined ? weekOf(parseWeek(what, dates), dates.temporal) : [parseCalendarDate(what, dates)]);
  const [from, target] = [read(week ?? day ?? ''), read(to ?? (day === undefined ? 'this' : 'today'))];
  if (from[0] !== target[0]) return { from, to: target };
  throw new UsageError(`${from[0]} would be copied onto itself.`, { hint: 'Say where to with --to.' });
}

/** No hour of it is left to work, though it would be a working day. */
function isClosed({ working, target }: Day): boolean {
  return working !== undefined && working > 0 && target === 0;
}

interface Copies {
  readonly copies: readonly Copy[];
  /** How many are there already. */
  readonly known: number;
  /** Fields that some entry does not show. */
  readonly hidden: readonly string[];
  readonly overtime: number;
}

function copiesOf(records: readonly JsonObject[], from: readonly string[], to: readonly string[], there: readonly Entry[]): Copies {
  const existing = new Map<string, number>();
  for (const entry of there) existing.set(likeness(entry, entry.date), (existing.get(likeness(entry, entry.date)) ?? 0) + 1);
  const hidden = new Set<string>();
  const copies: Copy[] = [];
  let known = 0;
  let overtime = 0;
  for (const record of records) {
    const entry = readEntry(record);
    const date = to[from.indexOf(entry.date)];
    if (date === undefined) continue;
    // Two that are alike stay two.
    const left = existing.get(likeness(entry, date)) ?? 0;
    existing.set(likeness(entry, date), left - 1);
    if (left > 0) {
      known += 1;
      continue;
    }
    const values = COPIED.map((name) => [name, valueIn(record, name)] as const);
    for (const [name, value] of values) if (value === undefined) hidden.add(name);
    if (entry.overtime === true) overtime += 1;
    const fields = Object.fromEntries(values.flatMap(([name, value]) => (isSet(value) ? [[name, value ?? null]] : [])));
    copies.push({ entry, date, write: worklogCreation({ date, ...fields }) });
  }
  // In the order in which they were made, whatever the service's is.
  copies.sort((one, other) => compareTexts(one.date, other.date) || (one.entry.id ?? 0) - (other.entry.id ?? 0));
  return { copies, known, hidden: [...hidden], overtime };
}

/** The same hours once more. What an entry does not show is not known to differ. */
function likeness({ minutes, description, projectId, workItemId }: Entry, date: string): string {
  return JSON.stringify([date, minutes, description.trim(), workItemId ?? null, workItemId == null ? (projectId ?? null) : null]);
}

function recordOf({ entry, date, write }: Copy): JsonObject {
  return {
    date,
    minutes: entry.minutes,
    project: entry.projectId === undefined ? 'unknown' : projectName(entry),
    work_item: entry.workItemId === null ? null : workItemName(entry),
    description: entry.description,
    project_id: write.body['project_id'] ?? null,
    work_item_id: write.body['work_item_id'] ?? null,
  };
}
