import { READING_GLOBALS } from '../../cli/globals.ts';
import { anyWords, defineCommand, parsed } from '../../cli/spec.ts';
import { UsageError } from '../../errors.ts';
import type { Report, ReportCell } from '../../output/report.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import type { Needs } from '../../session/context.ts';
import { inZone } from '../../session/time-zone.ts';
import { addDays, daysBetween, weekNumber, weekOf } from '../../time/calendar.ts';
import { type Capacity, exactly, sumCapacity } from '../../time/capacity.ts';
import { type DateRange, readDateRange } from '../../time/date-range.ts';
import type { DateContext } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { parseInteger } from '../../values/scalars.ts';
import { readTeamChoice, TEAM_OPTIONS } from '../choose-team.ts';
import { nameOf, type ReadingLeave, rangeText } from '../leave/people-leave.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { boundedText, totalText } from '../time/week/figure-text.ts';
import { peopleTotal } from '../time/week/week-team.ts';
import { type PersonCapacity, readPeopleCapacity } from './people-capacity.ts';

const WEEKS = 4;
const MOST_DAYS = 366;

export const usersCapacity = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc prints the hours that each person can work, by week. These are the working hours of the record, without public holidays, free days and leave. A day begins and ends in the time zone of each person. svc leaves out people who are not active, unless you name them.\n\nWith uncertain leave, the capacity is a range. Leave is uncertain if it is only requested, has no end, or has an uncertain last day. A table shows the upper bound of a range. In JSON, capacity_minutes is null, and capacity_at_least_minutes and capacity_at_most_minutes have both bounds. Without permission to see the leave of a person, the lower bound is 0. Without working hours, all figures are null.',
  args: [
    anyWords('when', '"next month", last-week, 2026-Q3, 2026-12-07..2026-12-18; at most a year (default: this week and the next three)'),
  ],
  options: {
    ...TEAM_OPTIONS,
    weeks: parsed(
      '--weeks <n>',
      'Show this many weeks, starting with the week of the first day',
      (value) => parseInteger(value, { min: 1, max: 52 }),
      { type: 'integer' },
    ),
  },
  examples: [
    { args: 'users capacity next month', does: 'Show how many hours everybody has next month' },
    { args: 'users capacity --weeks 8 --manager me', does: 'Show the next eight weeks of your team' },
    {
      args: "users capacity 2026-Q3 --jq '.[] | .user as $user | .weeks[] | [$user, .week, .capacity_minutes] | @csv'",
      does: 'Print a row for each person and week, for a spreadsheet',
    },
    { args: "users capacity next-week --jq 'map({user, capacity_minutes})'", does: 'Print a figure for each person' },
  ],
  async run(context: Needs<Reporting | ReadingValues | ReadingLeave>, { args, options }) {
    const range = await inZone(context, (dates) => readWeeks(args.join(' '), options.weeks, dates));
    const dates = await context.dates();
    const days = daysBetween(range.first, range.last, dates.temporal);
    const people = await readPeopleCapacity(context, await readTeamChoice(context, options), range);
    const weeks = [...Map.groupBy(days, (date) => weekNumber(date, dates.temporal))].map(([week, own]) => ({ week, days: own }));
    const rows = people.map((person): Row => {
      const byWeek = weeks.map((week) => sumCapacity(week.days.map(person.capacityOn)));
      return { person, byWeek, total: sumCapacity(byWeek) };
    });
    await printReport(context, {
      records: () => rows.map((row) => recordOf(row, weeks)),
      report: () => capacityReport(`Capacity ${rangeText(range, dates)}`, rows, weeks),
    });
  },
});

/**
 * Reads the date range from the words and `--weeks`. Default: this week and the next three. With a number of weeks, the range starts on the
 * first day of a week.
 *
 * @throws UsageError for more than 366 days.
 */
function readWeeks(typed: string, weeks: number | undefined, dates: DateContext): DateRange {
  const named = readDateRange(typed === '' ? 'this week' : typed, dates);
  const count = weeks ?? (typed === '' ? WEEKS : undefined);
  const first = count === undefined ? named.first : (weekOf(named.first, dates.temporal)[0] ?? named.first);
  const last = count === undefined ? named.last : addDays(first, 7 * count - 1, dates.temporal);
  if (addDays(first, MOST_DAYS, dates.temporal) > last) return { first, last };
  throw new UsageError(`${first} to ${last} is longer than a year.`, { hint: 'For example: svc users capacity 2026' });
}

interface Week {
  readonly week: string;
  readonly days: readonly string[];
}

interface Row {
  readonly person: PersonCapacity;
  readonly byWeek: readonly (Capacity | undefined)[];
  readonly total: Capacity | undefined;
}

function recordOf({ person, byWeek, total }: Row, weeks: readonly Week[]): JsonObject {
  const { id, name = null, leave } = person;
  const fields = (week: Week | undefined, last: Week | undefined, capacity: Capacity | undefined) => ({
    from: week?.days[0] ?? null,
    to: last?.days.at(-1) ?? null,
    working_minutes: capacity?.working ?? null,
    capacity_minutes: exactly(capacity) ?? null,
    capacity_at_least_minutes: capacity?.least ?? null,
    capacity_at_most_minutes: capacity?.most ?? null,
  });
  return {
    user_id: id,
    user: name,
    ...fields(weeks[0], weeks.at(-1), total),
    absences_known: leave.isComplete,
    timezone: person.person.timeZone,
    timezone_assumed: person.person.timeZoneAssumed,
    weeks: weeks.map((week, at) => ({ week: week.week, ...fields(week, week, byWeek[at]) })),
  };
}

function capacityReport(title: string, rows: readonly Row[], weeks: readonly Week[]): Report {
  return {
    title,
    parts: [
      {
        kind: 'table',
        name: 'People',
        levels: ['User'],
        isDense: weeks.length > 5,
        columns: [...weeks.map(({ week }) => ({ label: week.slice(5) })), { label: 'Total' }],
        rows: rows.map(({ person, byWeek, total }) => ({
          label: nameOf(person),
          cells: [...byWeek, total].map(textOf),
        })),
        totals: [
          {
            label: peopleTotal(rows.length),
            cells: [...weeks.map((_, at) => rows.map(({ byWeek }) => byWeek[at])), rows.map(({ total }) => total)].map(totalOf),
          },
        ],
      },
    ],
  };
}

function textOf(capacity: Capacity | undefined): string {
  return boundedText(exactly(capacity), capacity?.most);
}

/** Formats the sum of a column. Formats the lower bound if the working hours of somebody are unknown. */
function totalOf(column: readonly (Capacity | undefined)[]): ReportCell {
  const sum = sumCapacity(column);
  return sum === undefined ? totalText(column.map((capacity) => capacity?.least)) : textOf(sum);
}
