import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand } from '../../cli/spec.ts';
import { type AwayInDays, absencesIn, readLeaveDays } from '../../records/absences.ts';
import type { Naming } from '../../records/cached-names.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { type Printing, printRecords } from '../../session/print.ts';
import { localDayAndTime } from '../../time/calendar.ts';
import type { DateContext } from '../../values/dates.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { rangeText } from './people-leave.ts';

export const whoIsAway = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc lists the absences on these days that you have permission to see. svc includes absences without an end, and leaves out rejected absences. svc prints types and statuses as the service sends them. A day begins and ends in your time zone. A weekday means today or the next such day. For past days, write the dates in full.',
  args: [{ name: 'days', summary: 'today, "next week", 2026-12-07..friday, 2026-12 (default: today)', optional: true, variadic: true }],
  options: {},
  examples: [
    { args: 'absences who next week', does: 'Show who is away next week' },
    { args: "absences who --jq 'map(.user)'", does: 'Print the names of people who are away today' },
  ],
  async run(context: Needs<Printing | ReadingValues | Naming | Asking>, { args }) {
    const range = await readLeaveDays(context, args.length === 0 ? 'today' : args.join(' '));
    const dates = await context.dates();
    const away = await absencesIn(context, range, dates);
    if (away.length === 0) await context.notice(`Nobody whom you have permission to see is away ${rangeText(range, dates)}.`);
    const { isScreen } = await context.presentation();
    const rows = away.map((one) => {
      const row = rowOf(one, dates);
      const isNamed = !isScreen || row['user'] !== null || row['user_id'] === null;
      return isNamed ? row : { ...row, user: `#${scalarText(row['user_id'])}` };
    });
    await printRecords(context, rows, ['user', 'from', 'until', 'type', 'status'], { from: 'date-time', until: 'date-time' });
  },
});

/** Creates the row of an absence in the user’s time zone. A start or end within a day gets a time of day. Hidden values are null. */
function rowOf({ record, absence, name }: AwayInDays, dates: DateContext): JsonObject {
  return {
    id: record['id'] ?? null,
    user_id: record['user_id'] ?? null,
    user: name ?? null,
    from: absence === undefined ? null : edgeOf(absence.start, 'start', dates),
    until: absence === undefined || absence.end === Number.POSITIVE_INFINITY ? null : edgeOf(absence.end, 'end', dates),
    runs: absence === undefined ? null : absence.end === Number.POSITIVE_INFINITY,
    type: record['type'] ?? null,
    status: record['status'] ?? null,
    start: record['start'] ?? null,
    end: record['end'] ?? null,
  };
}

/**
 * Formats the start or end of an absence: `2026-12-07 12:30`. A start at 00:00 becomes the date alone, and so does an end at the end of a
 * day.
 */
function edgeOf(timestamp: number, edge: 'start' | 'end', dates: DateContext): string {
  const { date, time } = localDayAndTime(timestamp, dates);
  const before = localDayAndTime(timestamp - 1_000, dates);
  if (edge === 'end' && before.time === '23:59') return before.date;
  return edge === 'start' && time === '00:00' ? date : `${date} ${time}`;
}
