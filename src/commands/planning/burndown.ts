import type { Resource } from '../../catalog/define.ts';
import { READING_GLOBALS } from '../../cli/globals.ts';
import { naming } from '../../cli/naming.ts';
import { defineCommand, text, toggle } from '../../cli/spec.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { burndownReport } from '../../output/burndown-report.ts';
import type { BurndownView, TeamTime } from '../../output/burndown-view.ts';
import { type Logged, minutesByDay, sumOfDays } from '../../records/entries.ts';
import { type FindingRecords, namedRecord } from '../../records/named-place.ts';
import { itemPath } from '../../records/paths.ts';
import { readSprint, readSprintItems, readSprints, type Sprint, type SprintItem } from '../../records/sprints.ts';
import type { Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import { type BurndownDay, burndownOf } from '../../time/burndown.ts';
import { dayName, daysBetween, localDayAndTime } from '../../time/calendar.ts';
import { type CapacityOn, exactly, sumCapacity } from '../../time/capacity.ts';
import type { DateRange } from '../../time/date-range.ts';
import { type DateContext, parseCalendarDate, today } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted, quote } from '../../values/text.ts';
import { together } from '../../values/together.ts';
import type { ReadingLeave } from '../leave/people-leave.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { readPeopleCapacity } from './people-capacity.ts';

export const burndown = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc prints two figures for each day: the hours logged on the work items of the sprint, and the estimation that remains. svc counts work items that are in the sprint now, and hours within its days. The remaining estimation is below zero if people logged more than the estimation. The service documents no history of statuses, so svc counts hours, not closed items. The ideal line falls by the same amount on each calendar day.\n\nWith --capacity, svc reads the working hours, leave and days off of the people on the sprint. These people have a work item of the sprint, or logged time on such a work item during the sprint. svc prints the capacity that is left after each day, and compares the remaining time with this capacity. People on the sprint may also work on something else. With uncertain leave, svc prints a range, as svc users capacity does.',
  args: [
    {
      name: 'sprint',
      summary: 'The sprint, by id or name, or last (default: the active one)',
      optional: true,
      completes: { records: 'sprints', or: ['last'] },
    },
  ],
  options: {
    from: text('--from <date>', 'Count from this day (default: the first day of the sprint)', { type: 'date' }),
    to: text('--to <date>', 'Count until this day (default: the last day of the sprint)', { type: 'date' }),
    capacity: toggle('--capacity', 'Add the capacity of the people on the sprint'),
    html: text('--html <file>', 'Write an HTML page with a chart to this file', { type: 'file', completes: 'file' }),
  },
  examples: [
    { args: 'sprints burndown', does: 'Show the active sprint' },
    { args: 'sprints burndown "Sprint 7"', does: 'Show a sprint' },
    { args: 'sprints burndown --capacity', does: 'Compare the remaining time with the capacity' },
    { args: 'sprints burndown 7 --output csv > sprint.csv', does: 'Write the days of a sprint for a spreadsheet' },
    { args: 'sprints burndown 7 --html sprint.html', does: 'Write a page to share' },
  ],
  async run(context: Needs<Reporting | FindingRecords | ReadingLeave | 'signal'>, { args: [typed = ''], options }) {
    const read = (flag: string, value: string | undefined) =>
      value === undefined ? undefined : naming(flag, () => inZone(context, (dates) => parseCalendarDate(value, dates)));
    const [from, to] = await together(read('--from', options.from), read('--to', options.to));
    const resource = await context.catalog.of('sprints');
    const id = typed === '' ? await activeSprint(context) : await namedRecord(context, resource, typed);
    itemPath(resource, id);
    const [sprint, items, dates] = await together(thatSprint(context, resource, id), readSprintItems(context, id), context.dates());
    const range = rangeOf(sprint, { from, to }, dates);
    const needsUser = options.capacity === true;
    const { byId, byUser } = await minutesByDay(context, {
      field: 'work_item_id',
      ids: items.map(({ id: item }) => item),
      days: range,
      needsUser,
    });
    const logged = sumOfDays(byId.values());
    const estimated = items.some(({ estimation }) => estimation === undefined)
      ? undefined
      : items.reduce((sum, { estimation }) => sum + (estimation ?? 0), 0);
    const teamOn = needsUser ? await teamCapacity(context, items, byUser, range) : undefined;
    const days = burndownOf(daysBetween(range.first, range.last, dates.temporal), estimated, logged, today(dates), teamOn);
    const notes = notesOf(items, (item) => [...(byId.get(item.id)?.values() ?? [])].reduce((sum, minutes) => sum + minutes, 0));
    for (const note of notes) await context.notice(note);
    const view: BurndownView = {
      title: sprint.name,
      today: today(dates),
      range: `${range.first} to ${range.last}`,
      days: days.map((day) => ({ ...day, label: dayName(day.date, dates.temporal) })),
      estimated,
      logged: days.findLast(({ total }) => total !== undefined)?.total,
      items: items.length,
      estimatedItems: items.filter(({ estimation }) => typeof estimation === 'number').length,
      notes,
      ahead: teamOn && timeAhead(days, today(dates)),
    };
    await printReport(context, {
      records: () => days.map((day) => recordOf(sprint, day, estimated, needsUser)),
      report: () => burndownReport(view),
      html: options.html,
    });
  },
});

/**
 * Returns the capacity of the people on a sprint, by day. The capacity is undefined if svc does not know everybody on the sprint, or the
 * working hours of a person.
 */
async function teamCapacity(
  context: Needs<ReadingLeave>,
  items: readonly SprintItem[],
  byUser: Logged['byUser'],
  range: DateRange,
): Promise<CapacityOn> {
  const logging = [...byUser.values()].flatMap((users) => [...users.keys()]);
  const isHidden = logging.includes(null) || items.some(({ assigneeId }) => assigneeId === undefined);
  if (isHidden) await context.notice('The service does not show everybody who works on the sprint, so svc does not know the capacity.');
  if (isHidden) return () => undefined;
  const ids = [...new Set([...logging, ...items.map(({ assigneeId }) => assigneeId)])].filter((id) => typeof id === 'number');
  const people = ids.length === 0 ? [] : await readPeopleCapacity(context, { ids }, range);
  return (date) => sumCapacity(people.map(({ capacityOn }) => capacityOn(date)));
}

function timeAhead(days: readonly BurndownDay[], now: string): TeamTime {
  const sum = sumCapacity(days.flatMap(({ date, capacity }) => (date > now ? [capacity] : [])));
  return { least: sum?.least, most: sum?.most };
}

/**
 * Finds the active sprint. The service does not document the states of sprints. If no sprint has the state `active`, svc uses the dates.
 *
 * @throws UsageError without exactly one active sprint.
 */
async function activeSprint(context: Needs<'client' | 'dates' | 'notice'>): Promise<string> {
  const [sprints, dates] = await together(readSprints(context), context.dates());
  const now = today(dates);
  const lasts = ({ start, end }: Sprint) => (dayOf(start, dates) ?? '9999') <= now && now <= (dayOf(end, dates) ?? '');
  const active = sprints.filter(({ state }) => state === 'active');
  const [only, ...others] = active.length > 0 ? active : sprints.filter((sprint) => sprint.state !== 'completed' && lasts(sprint));
  if (only === undefined || others.length > 0)
    throw new UsageError(only === undefined ? 'No sprint is active.' : `${others.length + 1} sprints are active.`, {
      hint: 'Name a sprint. To see all: svc sprints list',
    });
  await context.notice(`Sprint: ${only.name} (#${only.id})`);
  return String(only.id);
}

/** Reads the sprint of the burndown. @throws NotFoundError, with a hint that depends on whether the organisation has sprints at all. */
async function thatSprint(context: Needs<'catalog' | 'client' | 'host' | 'signal'>, resource: Resource, id: string): Promise<Sprint> {
  try {
    return await readSprint(context, id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw await (await import('../resource/explain-failure.ts')).explainFailure(context, resource, 'get', error);
  }
}

/**
 * Returns the range of the burndown. --from and --to take precedence over the record.
 *
 * @throws UsageError if the start or end is unknown, or if the start is after the end.
 */
function rangeOf(
  sprint: Sprint,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  dates: DateContext,
): DateRange {
  const first = from ?? dayOf(sprint.start, dates);
  const last = to ?? dayOf(sprint.end, dates);
  if (first === undefined || last === undefined) {
    const [fields, flags] = [
      [first === undefined ? ['start_date'] : [], last === undefined ? ['end_date'] : []].flat(),
      [first === undefined ? ['--from 2026-06-01'] : [], last === undefined ? ['--to 2026-06-14'] : []].flat(),
    ];
    throw new UsageError(`svc does not know the days of ${quote(sprint.name)}: the service shows no ${fields.join(' and ')}.`, {
      hint: `Set the days: ${flags.join(' ')}`,
    });
  }
  if (first > last) throw new UsageError(`${first} is after ${last}.`, { hint: '--from is the first day, and --to is the last day.' });
  return { first, last };
}

/** Converts a date or a timestamp to a day in the user’s time zone. Undefined for a value that svc cannot read. */
function dayOf(value: string | null | undefined, dates: DateContext): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  const timestamp = Date.parse(value);
  return Number.isNaN(timestamp) ? undefined : localDayAndTime(timestamp, dates).date;
}

function notesOf(items: readonly SprintItem[], loggedOn: (item: SprintItem) => number): string[] {
  if (items.length === 0) return ['The sprint has no work items that you can see.'];
  const none = items.filter(({ estimation }) => estimation === null);
  const hidden = items.filter(({ estimation }) => estimation === undefined);
  const minutes = none.reduce((sum, item) => sum + loggedOn(item), 0);
  return [
    ...(none.length === 0
      ? []
      : [
          `Not estimated: ${counted(none.length, 'work item')} (${named(none)})${minutes === 0 ? '' : `, with ${formatDuration(minutes)} that count as logged`}.`,
        ]),
    ...(hidden.length === 0
      ? []
      : [
          `The service does not show the estimation of ${counted(hidden.length, 'work item')} (${named(hidden)}), so svc does not know the remaining time.`,
        ]),
  ];
}

function named(items: readonly SprintItem[]): string {
  const shown = items.slice(0, MOST_NAMED).map(({ key }) => key);
  return [...shown, ...(items.length > shown.length ? ['…'] : [])].join(', ');
}

const MOST_NAMED = 12;

function recordOf(sprint: Sprint, day: BurndownDay, estimated: number | undefined, hasCapacity: boolean): JsonObject {
  const { date, logged, total, remaining, ideal, capacity, capacityLeft } = day;
  return {
    date,
    sprint_id: sprint.id,
    sprint: sprint.name,
    logged_minutes: logged ?? null,
    total_minutes: total ?? null,
    estimated_minutes: estimated ?? null,
    remaining_minutes: remaining ?? null,
    ideal_minutes: ideal ?? null,
    ...(hasCapacity && {
      capacity_minutes: exactly(capacity) ?? null,
      capacity_left_minutes: exactly(capacityLeft) ?? null,
      capacity_left_at_least_minutes: capacityLeft?.least ?? null,
      capacity_left_at_most_minutes: capacityLeft?.most ?? null,
    }),
  };
}
