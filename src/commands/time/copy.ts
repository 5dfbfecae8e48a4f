import { defineCommand, text } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import { readEntryRecords } from '../../records/entries.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { worklogCreation } from '../../records/worklogs.ts';
import type { Asking, Needs } from '../../session/context.ts';
import type { Printing } from '../../session/print.ts';
import { dayName } from '../../time/calendar.ts';
import { rangeOf } from '../../time/date-range.ts';
import { readWeekOrDay } from '../../time/day-list.ts';
import { type Entry, projectName, readEntry, workItemName } from '../../time/entry.ts';
import type { DateContext } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { compareTexts, counted } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import { copyFields } from './like.ts';
import { type ProposedHours, proposeHours, proposeNothing } from './propose-hours.ts';
import { dayNotes, readDaysOf } from './week/read-week.ts';

export const copyHours = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc logs your entries of another week on the same weekdays of this week. With --day, svc logs the entries of that day today. svc leaves out entries that exist: the same day, work item, project, text and minutes. svc also leaves out holidays, days of leave and overtime. svc shows the entries, and asks before it sends the entries.',
  options: {
    week: text('--week <week>', 'Copy this week: last, 2026-W23, or any day of the week'),
    day: text('--day <date>', 'Copy this day: yesterday, 2026-03-31'),
    to: text('--to <date>', 'Copy to this week or day (default: this week, or today)'),
  },
  examples: [
    { args: 'worklogs copy --week last', does: 'Log the entries of last week for this week' },
    { args: 'worklogs copy --day yesterday', does: 'Log the entries of yesterday for today' },
    { args: 'worklogs copy --day 2026-03-30 --to 2026-03-31 --yes', does: 'Copy one day to another, without a question' },
  ],
  async run(context: Needs<Printing | ReadingValues | Asking | 'host' | 'plan' | 'resolveWrites'>, { options }) {
    const dates = await context.dates();
    const { from, to } = daysOf(options, dates);
    const [records, there] = await together(
      Array.fromAsync(readEntryRecords(context, { ...rangeOf(from), user: 'me', view: 'detail', include: ['project', 'work_item'] })),
      readDaysOf(context, 'me', rangeOf(to)),
    );
    const { copies, known, hidden, overtime } = copiesOf(records, from, to, there.entries);
    // Leave or holidays cover these working days completely.
    const closed = there.days.filter(({ working, target }) => working !== undefined && working > 0 && target === 0);
    const ready = copies.filter(({ date }) => !closed.some((day) => day.date === date));
    for (const day of closed) {
      const count = copies.filter(({ date }) => date === day.date).length;
      if (count > 0)
        await context.notice(
          `Left out: ${counted(count, 'entry', 'entries')} on ${dayName(day.date, dates.temporal)}, ${dayNotes(day).join(', ')}.`,
        );
    }
    if (known > 0) await context.notice(`Left out: ${counted(known, 'entry', 'entries')} that you logged already.`);
    if (hidden.length > 0)
      await context.notice(`The service does not show these fields of each entry, so svc does not copy them: ${hidden.join(', ')}.`);
    if (overtime > 0) await context.notice(`svc copies ${counted(overtime, 'entry', 'entries')} of overtime as normal hours.`);
    if (ready.length === 0)
      return proposeNothing(context, COLUMNS, records.length === 0 ? 'There is nothing to copy.' : 'There is nothing left to copy.');
    await proposeHours(context, ready, COLUMNS);
  },
});

const COLUMNS = ['date', 'minutes', 'project', 'work_item', 'description'];

type Choice = Readonly<Record<'week' | 'day' | 'to', string | undefined>>;

/**
 * Returns the days to copy, and the same number of days that get the copies.
 *
 * @throws UsageError without exactly one of --week and --day, or if the days get copies of themselves.
 */
function daysOf({ week, day, to }: Choice, dates: DateContext): { readonly from: readonly string[]; readonly to: readonly string[] } {
  if ((week === undefined) === (day === undefined)) {
    throw new UsageError(week === undefined ? 'svc needs the days to copy.' : 'You cannot use --week and --day together.', {
      hint: 'Give --week last, or --day yesterday.',
    });
  }
  const read = (what: string) => readWeekOrDay(what, day === undefined, dates);
  const [from, target] = [read(week ?? day ?? ''), read(to ?? (day === undefined ? 'this' : 'today'))];
  if (from[0] !== target[0]) return { from, to: target };
  throw new UsageError(`${from[0]} would be copied onto itself.`, { hint: 'Give another day or week with --to.' });
}

function copiesOf(records: readonly JsonObject[], from: readonly string[], to: readonly string[], there: readonly Entry[]) {
  const existing = Map.groupBy(there, (entry) => keyOf(entry, entry.date));
  const hidden = new Set<string>();
  const copies: (ProposedHours & { readonly id: number })[] = [];
  let known = 0;
  let overtime = 0;
  for (const record of records) {
    const entry = readEntry(record);
    const date = to[from.indexOf(entry.date)];
    if (date === undefined) continue;
    // An existing entry matches one copy only.
    if (existing.get(keyOf(entry, date))?.pop() !== undefined) {
      known += 1;
      continue;
    }
    const { fields, hidden: names } = copyFields(record);
    for (const name of names) hidden.add(name);
    if (entry.overtime === true) overtime += 1;
    copies.push({
      id: entry.id ?? 0,
      date,
      minutes: entry.minutes,
      write: worklogCreation({ date, ...fields }),
      record: {
        date,
        minutes: entry.minutes,
        project: entry.projectId === undefined ? 'unknown' : projectName(entry),
        work_item: entry.workItemId === null ? null : workItemName(entry),
        description: entry.description,
        project_id: fields['project_id'] ?? null,
        work_item_id: fields['work_item_id'] ?? null,
      },
    });
  }
  // Copies on the same day keep the order of the original entries.
  copies.sort((one, other) => compareTexts(one.date, other.date) || one.id - other.id);
  return { copies, known, hidden: [...hidden], overtime };
}

/** Returns a key that equal entries share. A field that the service does not show counts as empty. */
function keyOf({ minutes, description, projectId, workItemId }: Entry, date: string): string {
  return JSON.stringify([date, minutes, description.trim(), workItemId ?? null, workItemId == null ? (projectId ?? null) : null]);
}
