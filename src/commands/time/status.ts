import { READING_GLOBALS } from '../../cli/globals.ts';
import { defineCommand } from '../../cli/spec.ts';
import { type DaySummaryLine, type DaySummarySection, type DaySummaryView, daySummaryReport } from '../../output/day-summary-report.ts';
import { type Away, type DaySummary, type DaySummaryItem, knownOf, mapKnown, readDaySummary } from '../../records/day-summary.ts';
import type { Known } from '../../records/day-summary-page.ts';
import type { Needs } from '../../session/context.ts';
import { hostFlag } from '../../session/printed-command.ts';
import { dayName, localDayAndTime, WEEKDAYS } from '../../time/calendar.ts';
import { placeOfTimer, readTimer, runningMinutes, timerPlace } from '../../time/timer.ts';
import type { DateContext } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import { counted, quote } from '../../values/text.ts';
import { printReport, type Reporting } from '../print-report.ts';
import { reportUnfinished } from './timers/recovery.ts';
import { withHours } from './timers/running.ts';

export const status = defineCommand({
  showsGlobals: READING_GLOBALS,
  description:
    'svc compares your hours of today with your working hours, less your absences. svc shows your running timer, and your work items that are in progress or due within a week. svc shows who is away, and which writes wait in the outbox. svc sends at most six requests. One line names each part that you have no permission to see. svc does not check public holidays and free days here; svc week does.',
  examples: [
    { args: 'status', does: 'Show your day' },
    { args: 'status --jq .missing_minutes', does: 'Print the missing minutes of today; null if unknown' },
  ],
  async run(context: Needs<Reporting | 'account' | 'credentials' | 'client' | 'clock' | 'env' | 'journal' | 'paths'>) {
    const daySummary = await withoutLogged(context, await readDaySummary(context));
    const host = await hostFlag(context);
    await printReport(context, {
      records: () => daySummaryRecord(daySummary),
      report: () => daySummaryReport(daySummaryView(daySummary, host)),
    });
  },
});

async function withoutLogged(
  context: Needs<'credentials' | 'globals' | 'host' | 'journal' | 'notice' | 'resolvedHost' | 'settings'>,
  daySummary: DaySummary,
): Promise<DaySummary> {
  const running = await withHours(
    context,
    (knownOf(daySummary.timers) ?? []).flatMap((record) => readTimer(record) ?? []),
  );
  if (running.length > 0) await reportUnfinished(context, running);
  const logged = new Set(running.filter(({ worklogId }) => worklogId !== undefined).map(({ id }) => id));
  return { ...daySummary, timers: mapKnown(daySummary.timers, (rows) => rows.filter(({ id }) => !logged.has(Number(id)))) };
}

const MOST_ITEMS = 6;
const MOST_AWAY = 5;
const NO_ITEMS = 'No work items in progress or due within a week.';
const NOBODY = 'Nobody that you can see.';

function daySummaryView(daySummary: DaySummary, host: string): DaySummaryView {
  const { dates, date, timers, items, away, outbox } = daySummary;
  const person = knownOf(daySummary.person);
  const day = dates.temporal.PlainDate.from(date);
  const listed = <T>(
    known: Known<readonly T[]>,
    none: string,
    lineOf: (one: T) => DaySummaryLine,
    most: number,
    all: string,
  ): DaySummaryLine[] => {
    if ('why' in known) return notKnown(known.why);
    if (known.value.length === 0) return faint(none);
    const rest = known.value.length - most;
    const lines = known.value.slice(0, most).map(lineOf);
    const more = `${rest === 1 ? 'There is' : 'There are'} ${rest} more`;
    return rest <= 0 ? lines : [...lines, { cells: [`${more}: ${all}${host}`], narrow: `${more}.`, tone: 'faint' }];
  };
  const sections: DaySummarySection[] = [
    { label: 'Today', lines: todayLines(daySummary, host) },
    { label: 'Running', lines: listed(timers, 'No timer.', (timer) => timerLine(timer, dates), MOST_AWAY, 'svc timers list --user me') },
    {
      label: 'Yours',
      lines: listed(items, NO_ITEMS, (item) => itemLine(item, date, dates), MOST_ITEMS, 'svc work-items list --assignee me'),
    },
    { label: 'Away', lines: listed(away, NOBODY, (one) => awayLine(one, daySummary), MOST_AWAY, 'svc absences who') },
    { label: 'Outbox', lines: outboxLines(outbox, host) },
  ];
  const where = person === undefined ? [] : [person.name, `${person.timeZoneAssumed ? 'assumed ' : ''}${dates.timeZone}`];
  return { title: [`${WEEKDAYS[day.dayOfWeek - 1]} ${date}`, ...where].join(' · '), sections };
}

function todayLines({ logged, day }: DaySummary, host: string): DaySummaryLine[] {
  const minutes = knownOf(logged);
  const { target, gap } = knownOf(day) ?? {};
  const done = minutes === undefined ? 'Hours not known' : formatDuration(minutes);
  const rest = gap ? `, ${formatDuration(gap)} to go` : '';
  const known = (minutesOfDay: number) =>
    minutesOfDay === 0 ? `${done} logged on a day without working hours` : `${done} of ${formatDuration(minutesOfDay)}${rest}`;
  const line = target === undefined ? `${done} logged` : known(target);
  return [
    { cells: [minutes === undefined ? done : `${line}   svc week${host}`] },
    ...('why' in logged ? notKnown(logged.why) : []),
    ...('why' in day ? faint(`Target not known: ${day.why}`) : []),
  ];
}

function timerLine(timer: JsonObject, dates: DateContext): DaySummaryLine {
  const minutes = minutesRunning(timer, dates);
  const text = timer['description'];
  const what = [timerPlace(timer), typeof text === 'string' && text.trim() !== '' ? quote(text) : undefined];
  return { cells: [minutes === null ? '?' : formatDuration(minutes), what.filter(Boolean).join(', ') || 'without a work item or project'] };
}

function itemLine({ record, status, due }: DaySummaryItem, date: string, dates: DateContext): DaySummaryLine {
  const overdue = typeof due === 'string' && due < date;
  const key = scalarText(record['issue_key']) || `#${scalarText(record['id'])}`;
  const when = due === undefined || due === null ? '' : `${overdue ? 'was due' : 'due'} ${shownDay(due, date, dates)}`;
  const title = scalarText(record['title'] ?? record['name']);
  const facts = [status, when].filter(Boolean).join(', ');
  return {
    cells: [key, status ?? '', when, title],
    narrow: `${key} ${title}${facts === '' ? '' : ` (${facts})`}`,
    ...(overdue && { tone: 'marked' as const }),
  };
}

function awayLine({ userId, name, absence, perhaps }: Away, daySummary: DaySummary): DaySummaryLine {
  const { dates, date } = daySummary;
  const who = name ?? (userId === undefined ? 'Somebody' : userId === daySummary.userId ? 'You' : `User ${userId}`);
  if (perhaps) return { cells: [who, absence.label, 'until today; svc does not know whether today counts'] };
  if (!Number.isFinite(absence.end)) return { cells: [who, absence.label, 'with no end yet'] };
  const last = localDayAndTime(absence.end - 1, dates);
  const ends = last.date === date && last.time < '23:00' ? `until ${localDayAndTime(absence.end, dates).time}` : '';
  return { cells: [who, absence.label, ends || `until ${shownDay(last.date, date, dates)}`] };
}

function outboxLines(outbox: DaySummary['outbox'], host: string): DaySummaryLine[] {
  if ('why' in outbox) return notKnown(outbox.why);
  const { waiting, unknown } = outbox.value;
  if (waiting + unknown === 0) return faint('The outbox is empty.');
  const parts = [
    ...(waiting === 0 ? [] : [`${counted(waiting, 'write waits', 'writes wait')}`]),
    ...(unknown === 0 ? [] : [`${unknown} unconfirmed`]),
  ];
  return [{ cells: [`${parts.join(', ')}: svc outbox${host}`], tone: 'marked' }];
}

function notKnown(why: string): DaySummaryLine[] {
  return faint(`Not known: ${why}`);
}

function faint(text: string): DaySummaryLine[] {
  return [{ cells: [text], tone: 'faint' }];
}

/** Formats a day: `today`, `Fri 2026-11-27`. */
function shownDay(day: string, date: string, { temporal }: DateContext): string {
  return day === date ? 'today' : dayName(day, temporal);
}

/** Creates the record of the day for programs, with names next to ids. Durations are in minutes. Unknown values are null. */
function daySummaryRecord(daySummary: DaySummary): JsonObject {
  const { dates, date, outbox } = daySummary;
  const person = knownOf(daySummary.person);
  const day = knownOf(daySummary.day);
  return {
    date,
    timezone: dates.timeZone,
    timezone_assumed: person?.timeZoneAssumed ?? null,
    user_id: daySummary.userId ?? null,
    user: person?.name ?? null,
    logged_minutes: knownOf(daySummary.logged) ?? null,
    working_minutes: day?.working ?? null,
    away_minutes: day?.away ?? null,
    target_minutes: day?.target ?? null,
    missing_minutes: day?.gap ?? null,
    timers: knownOf(daySummary.timers)?.map((timer) => timerRecord(timer, dates)) ?? null,
    work_items: knownOf(daySummary.items)?.map((item) => itemRecord(item, date)) ?? null,
    away: knownOf(daySummary.away)?.map(awayRecord(dates)) ?? null,
    outbox: knownOf(outbox) === undefined ? null : { ...knownOf(outbox) },
    not_known: (['person', 'logged', 'day', 'timers', 'items', 'away', 'outbox'] as const).flatMap((part) => {
      const known = daySummary[part];
      return 'why' in known ? [{ what: NAMES[part], why: known.why }] : [];
    }),
  };
}

const NAMES = {
  person: 'user',
  logged: 'logged_minutes',
  day: 'target_minutes',
  timers: 'timers',
  items: 'work_items',
  away: 'away',
  outbox: 'outbox',
} as const;

function timerRecord(timer: JsonObject, dates: DateContext): JsonObject {
  return {
    id: timer['id'] ?? null,
    ...placeOfTimer(timer),
    started_at: timer['started_at'] ?? null,
    minutes: minutesRunning(timer, dates),
  };
}

function itemRecord({ record, status, inProgress, due }: DaySummaryItem, date: string): JsonObject {
  return {
    id: record['id'] ?? null,
    issue_key: record['issue_key'] ?? null,
    title: record['title'] ?? record['name'] ?? null,
    workflow_status_id: record['workflow_status_id'] ?? null,
    workflow_status: status ?? null,
    in_progress: status === undefined ? null : inProgress,
    due_date: due ?? null,
    overdue: due === undefined ? null : due !== null && due < date,
  };
}

function awayRecord(dates: DateContext): (away: Away) => JsonObject {
  return ({ userId, name, absence, perhaps }) => ({
    user_id: userId ?? null,
    user: name ?? null,
    type: absence.label,
    from: localDayAndTime(absence.start, dates).date,
    to: Number.isFinite(absence.end) ? localDayAndTime(absence.end - 1, dates).date : null,
    running: !Number.isFinite(absence.end),
    today: perhaps ? null : true,
  });
}

function minutesRunning(timer: JsonObject, { now }: DateContext): number | null {
  return runningMinutes(readTimer(timer) ?? { startedAt: undefined }, now);
}
