import { naming } from '../../cli/naming.ts';
import { anyWords, defineCommand, text } from '../../cli/spec.ts';
import { spelled } from '../../cli/tool-aliases.ts';
import { DeclinedError, ForbiddenError, RefusedError, UsageError, undefinedFor } from '../../errors.ts';
import { absenceCreation, daysText, readLeaveDays } from '../../records/absences.ts';
import { askLine } from '../../records/ask-field.ts';
import { readFields } from '../../records/body.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import { type ReadingValues, readUser } from '../../records/kinds.ts';
import { readLeave } from '../../records/leave.ts';
import { ownUserId } from '../../records/me.ts';
import { readPerson, type UserRef } from '../../records/people.ts';
import { readRecord } from '../../records/record-at.ts';
import { describeWrite } from '../../records/send-write.ts';
import { sendRangeWrite, type Typed } from '../../records/write-range.ts';
import type { Asking, Needs } from '../../session/context.ts';
import { printRecord } from '../../session/print.ts';
import { type PrintingCommand, printCommandLine } from '../../session/printed-command.ts';
import { dayName, daysBetween, localDayAndTime } from '../../time/calendar.ts';
import { countLeave, middleOf } from '../../time/count-leave.ts';
import type { DateRange } from '../../time/date-range.ts';
import { computeDay } from '../../time/day.ts';
import type { Absence } from '../../time/leave.ts';
import { knownHours } from '../../time/read-working-hours.ts';
import { type DateContext, endOfDay, startOfDay, today } from '../../values/dates.ts';
import { formatDuration } from '../../values/duration.ts';
import { scalarText } from '../../values/json.ts';
import { utcSeconds } from '../../values/temporal.ts';
import { KEY_OPTION } from '../resource/write-flags.ts';
import { type Confirming, printWritten } from '../resource/written.ts';
import { dayNotes } from '../time/week/read-week.ts';

type Half = 'am' | 'pm';

export const addLeave = defineCommand({
  showsGlobals: ['host', 'output', 'dryRun', 'yes'],
  description:
    'svc counts the working days of the absence, prints the number, and sends the absence. The count leaves out public holidays, free days and other leave. A weekday means today or the next such day. For past days, write the dates in full. At a terminal svc asks for missing days. svc also asks before it adds leave to a day of leave. svc uses the time zone of the person who is absent. A half day ends or begins in the middle of the working hours. If the working hours are unknown, svc uses 12:30. The service does not document the fields for a type or a reason; -F sends any field.',
  args: [anyWords('days', '2026-12-07..2026-12-11, 2026-12-07..friday, friday, tomorrow, "next week", 2026-W50')],
  options: {
    half: text('--half <am|pm>', 'Add only half of one day', { choices: ['am', 'pm'] }),
    user: text(`${spelled('user')} <id|me|name>`, 'Add the absence for this user (default: you)', { type: 'user' }),
    field: BODY_OPTIONS.field,
    rawField: BODY_OPTIONS.rawField,
    ...KEY_OPTION,
  },
  examples: [
    { args: 'absences add 2026-12-07..2026-12-11', does: 'Take a week off' },
    { args: 'absences add tomorrow --half pm', does: 'Take tomorrow afternoon off' },
    {
      args: 'absences add next week --user "Zoë Müller" -f type=vacation',
      does: 'Add an absence of somebody else, with a field of your organisation',
    },
  ],
  async run(context: Needs<Confirming | ReadingValues | Asking | PrintingCommand | 'host' | 'readFileArgument'>, { args, options }) {
    const range = await readLeaveDays(context, args.length > 0 ? args.join(' ') : await askDays(context));
    const half = options.half as Half | undefined;
    if (half !== undefined && range.first !== range.last)
      throw new UsageError(`--half is for one day; ${range.first} to ${range.last} are several.`, {
        hint: 'Add the whole days with one command, and the half day with another.',
      });
    const fields = await readFields(context, options.rawField, options.field);
    const whose = options.user;
    const user: UserRef = whose === undefined ? 'me' : await naming('--user', () => readUser(context, whose));
    const resource = await context.catalog.of('absences');
    const facts = await readLeaveFacts(context, user, range, half);
    for (const line of facts.lines) await context.notice(line);
    if (facts.existing !== undefined) await confirmSecond(context, facts.existing, range);
    const body = { user_id: user === 'me' ? (facts.person?.id ?? (await ownUserId(context))) : user, ...facts.bounds, ...fields };
    if (context.globals.dryRun)
      return printRecord(context, await describeWrite(context, resource, absenceCreation(body, options.idempotencyKey)));
    // If the service expects dates instead of times, svc sends dates. A field that the user sets with a flag stays unchanged.
    const days = half === undefined ? Object.entries({ start: range.first, end: range.last }) : [];
    const typed: Typed = new Map(days.filter(([name]) => !(name in fields)));
    const sent = sendRangeWrite(context, resource, absenceCreation(body, options.idempotencyKey), typed);
    const record = readRecord(await (half === undefined ? sent : sent.catch(explainHalf(range))));
    const shown = [`Away ${facts.when}`, facts.count, scalarText(record['type']), scalarText(record['status'])];
    const line = shown.filter((part) => part !== '').join(' · ');
    await printWritten(context, { resource, record, line });
  },
});

function explainHalf(range: DateRange): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RefusedError) || error.details.code !== 'date_format') throw error;
    const hint = `To add the whole day: svc absences add ${daysText(range)}`;
    throw new RefusedError('The service takes whole days, so svc cannot add half a day.', { hint, details: error.details, cause: error });
  };
}

async function askDays(context: Needs<ReadingValues | PrintingCommand>): Promise<string> {
  if (!context.interactive) throw new UsageError('svc absences add needs the days.', { hint: 'See: svc absences add --help' });
  const read = async (text: string) => daysText(await readLeaveDays(context, text));
  const answer = await askLine(context, 'Which days (such as friday, next week or 2026-12-07..2026-12-11):', false, read);
  const days = String(answer?.value);
  await printCommandLine(context, [days]);
  return days;
}

async function confirmSecond(
  context: Needs<Asking | 'globals' | 'notice' | 'noticeToday'>,
  { label }: Absence,
  range: DateRange,
): Promise<void> {
  await context.notice(`This time is leave already (${label}).`);
  const { dryRun, yes } = context.globals;
  if (!context.interactive || dryRun || yes || (await context.prompts.confirm('Add this absence anyway?', context.signal))) return;
  throw new DeclinedError('svc sent nothing.', { hint: `See the other leave: svc absences who ${daysText(range)}` });
}

/**
 * Reads the data that svc shows about a new absence. `existing` is the leave that covers the whole new absence. `count` is a text with the
 * number of working days. `count` is empty if the working hours are unknown.
 */
async function readLeaveFacts(
  context: Needs<'client' | 'dates' | 'notice' | 'noticeToday' | 'timeZone'>,
  user: UserRef,
  range: DateRange,
  half: Half | undefined,
) {
  const own = await context.dates();
  // A night shift of the day before can end on the first day.
  const before = own.temporal.PlainDate.from(range.first).subtract({ days: 1 }).toString();
  // Adding an absence needs no permission to see the person.
  const reading = readPerson(context, user).catch(undefinedFor(ForbiddenError));
  const [person, leaveIn] = await Promise.all([reading, readLeave(context, user, { ...range, first: before })]);
  const dates = { ...own, timeZone: person?.timeZone ?? own.timeZone };
  const hours = knownHours(person?.hours);
  const middle = utcSeconds(middleOf(range.first, hours, dates));
  if (half !== undefined && Date.parse(middle) > Date.parse(endOfDay(range.first, dates)))
    throw new UsageError(`The working hours of ${dayName(range.first, dates.temporal)} go past midnight, so svc cannot halve that day.`, {
      hint: 'Send the start and the end instead. See: svc absences create --help',
    });
  const bounds = {
    start: half === 'pm' ? middle : startOfDay(range.first, dates),
    end: half === 'am' ? middle : endOfDay(range.last, dates),
  };
  const { absences, daysOff } = await leaveIn(dates, person?.id ?? (user === 'me' ? undefined : user));
  const calendar = { hours, absences, daysOff, dates, today: today(dates) };
  const days = daysBetween(range.first, range.last, dates.temporal);
  // `bounds.end` is the last second of a day, so svc adds one second. Only a half day in the morning ends exactly at `bounds.end`.
  const end = Date.parse(bounds.end) + (half === 'am' ? 0 : 1_000);
  const start = Date.parse(bounds.start);
  const counted = countLeave([before, ...days], { start, end }, calendar);
  const existing = absences.find((absence) => absence.start <= start && absence.end + 1_000 >= end);
  const when = whenText(range, half, middle, dates);
  const count = counted === undefined ? '' : countText(counted);
  const notes = days.flatMap((date) => dayNotes(computeDay(date, [], calendar)).map((note) => `${dayName(date, dates.temporal)}: ${note}`));
  const known = count === '' ? 'svc does not know the working hours, and cannot count working days' : count;
  const name = person?.name ?? (user === 'me' ? 'You' : `User ${user}`);
  return { person, bounds, when, count, existing, lines: [`${name}: ${when}, ${known}.`, ...notes] };
}

function whenText({ first, last }: DateRange, half: Half | undefined, middle: string, dates: DateContext): string {
  const name = (date: string) => dayName(date, dates.temporal);
  if (half === undefined) return first === last ? name(first) : `${name(first)} to ${name(last)}`;
  return `${name(first)} ${half === 'am' ? 'until' : 'from'} ${localDayAndTime(Date.parse(middle), dates).time}`;
}

function countText({ minutes, days }: NonNullable<ReturnType<typeof countLeave>>): string {
  if (minutes === 0) return 'no working time';
  if (days === 0.5) return `half a working day (${formatDuration(minutes)})`;
  return `${days} working ${days === 1 ? 'day' : 'days'} (${formatDuration(minutes)})`;
}
