import type { TeamLeave } from '../../records/leave.ts';
import type { Member } from '../../records/people.ts';
import type { Needs } from '../../session/context.ts';
import { localDayAndTime } from '../../time/calendar.ts';
import { type CheckedTimer, checkProjects, checkTimers } from '../../time/checks/check-around.ts';
import { BILLED_WITHIN_DAYS, checkBilled, checkBudgets, checkInvoiceRows } from '../../time/checks/check-billing.ts';
import { type CheckedPerson, checkDays, withoutMissing } from '../../time/checks/check-days.ts';
import { checkEntries, checkFuture, checkReviews } from '../../time/checks/check-entries.ts';
import type { CheckedEntry } from '../../time/checks/checked-entry.ts';
import { CHECKS, type Check, type Finding, type Judgement, joined, type NotJudged, onlyNotJudged } from '../../time/checks/finding.ts';
import { knownHours } from '../../time/read-working-hours.ts';
import { describeHours } from '../../time/working-hours.ts';
import { type DateContext, today } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { compareTexts, counted } from '../../values/text.ts';
import type { CheckMaterial } from './gather.ts';

export type Checked = ReturnType<typeof judgeAll>;

/** Runs all checks on the records. An entry after today gets only the finding `future-date`. */
export function judgeAll({ checkedPeople, range, dates, members, entries, timers, leaveIn, named }: CheckMaterial) {
  const leaves = new Map<number, TeamLeave>();
  const people = new Map<number, CheckedPerson>();
  for (const member of members) {
    const zoned = { ...dates, timeZone: member.timeZone };
    const leave = leaveIn(zoned, member.id);
    leaves.set(member.id, leave);
    people.set(member.id, personOf(member, leave, zoned));
  }
  const theirToday = ({ userId }: CheckedEntry) => people.get(userId ?? 0)?.today ?? today(dates);
  const due = entries.filter((entry) => entry.date <= theirToday(entry) && entry.date <= range.last);
  const ahead = entries.filter((entry) => entry.date > theirToday(entry));
  const dueBy = byUser(due);
  // An entry without a visible user can belong to anybody. On the day of such an entry, svc reports no missing hours.
  const anybodys = new Set((dueBy.get(null) ?? []).map(({ date }) => date));
  const old = dates.temporal.PlainDate.from(today(dates)).subtract({ days: BILLED_WITHIN_DAYS }).toString();
  const projects = new Map(named.projects.seen.flatMap((record) => (typeof record['id'] === 'number' ? [[record['id'], record]] : [])));
  const { findings, notJudged } = joined([
    ...[...people.values()].map((person) => withoutMissing(checkDays(person, range, dueBy.get(person.id) ?? []), anybodys)),
    ...[...dueBy].map(([userId, own]) => checkEntries(userId, own)),
    ...[...byUser(ahead)].map(([userId, own]) => ({ findings: checkFuture(userId, own), notJudged: [] })),
    checkReviews(due),
    checkBilled(due, old),
    judgeIf(named.projects.withheld, 'project-ended', () => checkProjects(due, projects)),
    judgeIf(named.budgets.withheld, 'over-budget', () => checkBudgets(due, named.budgets.seen)),
    judgeIf(named.rows.withheld, 'row-differs', () => judgeRows(due, named.rows.seen, named.rowMinutes)),
    judgeIf(timers.withheld, 'timer-running', () => checkTimers(timersOf(timers.seen, people, dates, checkedPeople.ids), range.last)),
    { findings: [], notJudged: [...unknownLeave(leaves, members), ...unknownPeople(due, people)] },
  ]);
  return { findings: [...findings].sort(compareFindings), notJudged, people, entries, own: checkedPeople.own };
}

function compareFindings(one: Finding, other: Finding): number {
  return (
    CHECKS.indexOf(one.kind) - CHECKS.indexOf(other.kind) ||
    compareTexts(one.date ?? '', other.date ?? '') ||
    (one.userId ?? 0) - (other.userId ?? 0) ||
    (one.ids[0] ?? 0) - (other.ids[0] ?? 0)
  );
}

function byUser(entries: readonly CheckedEntry[]): ReadonlyMap<number | null, readonly CheckedEntry[]> {
  return Map.groupBy(entries, ({ userId }) => userId ?? null);
}

function personOf(member: Member, leave: TeamLeave, dates: DateContext): CheckedPerson {
  const { id, name, hours, isActive, record } = member;
  const since = record['started_on'];
  const hidden = {
    none: 'The record has no working hours, so svc does not know which hours are missing',
    absent: 'The record does not show working hours, so svc does not know which hours are missing',
    unreadable: 'svc cannot read the working hours, so svc does not know which hours are missing',
  };
  return {
    id,
    name,
    dates,
    today: today(dates),
    hours: knownHours(hours),
    hoursHidden: hours.kind === 'read' ? undefined : hidden[hours.kind],
    absences: leave.absences,
    daysOff: leave.daysOff,
    leaveKnown: leave.shown && leave.daysOffShown && leave.unreadable === 0,
    // The service documents neither `is_active` nor `started_on` (rule 18.23). A person without these fields counts as employed.
    isEmployed: (date) => isActive !== false && !(typeof since === 'string' && date < since),
  };
}

/**
 * Converts timer records for the checks. Leaves out the timers of people whom svc does not check.
 *
 * @param ids The requested people. With only one person, a timer without a visible user belongs to that person.
 */
function timersOf(
  records: readonly JsonObject[],
  people: ReadonlyMap<number, CheckedPerson>,
  dates: DateContext,
  ids: readonly number[] | undefined,
): CheckedTimer[] {
  return records.flatMap(({ id, user_id: user, started_at: started }) => {
    const userId = typeof user === 'number' ? user : ids?.length === 1 ? (ids[0] ?? null) : null;
    const person = people.get(userId ?? 0);
    if (typeof id !== 'number' || (userId !== null && person === undefined)) return [];
    const here = person?.dates ?? dates;
    const timestamp = typeof started === 'string' ? Date.parse(started) : Number.NaN;
    const startedOn = Number.isNaN(timestamp) ? undefined : localDayAndTime(timestamp, here).date;
    return [{ id, userId, startedOn, today: today(here), minutes: Math.floor((dates.now - timestamp) / 60_000) }];
  });
}

export async function reportAssumed(context: Needs<'notice'>, members: readonly Member[]): Promise<void> {
  const [first, ...others] = members.filter(({ timeZoneAssumed }) => timeZoneAssumed);
  const more = (count: number) => (count === 0 ? '' : ` and ${counted(count, 'other')}`);
  if (first !== undefined)
    await context.notice(`The record of ${first.name}${more(others.length)} names no time zone. svc assumes ${first.timeZone}.`);
  const [chosen, ...rest] = members.flatMap(({ name, hours }) => (hours.kind === 'read' && hours.chosen ? [{ name, hours }] : []));
  if (chosen !== undefined)
    await context.notice(
      `The working hours of ${chosen.name}${more(rest.length)} are not clear. svc assumes ${describeHours(chosen.hours.hours)}.`,
    );
}

/** Runs a check if svc could read the records of the check. @param withheld The message of the 403 if the service withheld the records. */
function judgeIf(withheld: string | undefined, kind: Check, judge: () => Judgement): Judgement {
  return withheld === undefined ? judge() : onlyNotJudged(kind, withheld);
}

/**
 * Returns the findings about the rows of invoices.
 *
 * @param sums The minutes by row id. Undefined if the service hides the worklogs of rows.
 */
function judgeRows(
  entries: readonly CheckedEntry[],
  rows: readonly JsonObject[],
  sums: ReadonlyMap<number, number> | undefined,
): Judgement {
  const shown = joined([
    checkInvoiceRows(rows, sums ?? new Map()),
    ...(entries.some(({ rowId }) => rowId === undefined)
      ? [onlyNotJudged('row-differs', 'The service does not show which entries are on a row of an invoice')]
      : []),
  ]);
  if (sums !== undefined || rows.length === 0) return shown;
  return onlyNotJudged('row-differs', 'The service does not list the worklogs of a row, so svc cannot compare the minutes of rows');
}

const OF_DAYS = ['missing-hours', 'hours-on-leave'] as const;

function unknownLeave(leaves: ReadonlyMap<number, TeamLeave>, members: readonly Member[]): NotJudged[] {
  const all = [...leaves];
  const hidden = all.filter(([, { shown }]) => !shown).map(([id]) => id);
  const names = members.filter(({ id }) => hidden.includes(id)).map(({ name }) => name);
  const whose = names.length > 3 ? counted(names.length, 'person', 'people') : names.join(', ');
  const found: [userId: number | null, message: string][] = all.flatMap(([userId, { unreadable }]) =>
    unreadable === 0 ? [] : [[userId, `svc cannot read the start or the end of ${counted(unreadable, 'absence')}`]],
  );
  if (all.some(([, { daysOffShown }]) => !daysOffShown)) found.unshift([null, 'svc cannot see public holidays or free days']);
  if (hidden.length > 0)
    found.unshift([
      hidden.length === 1 ? (hidden[0] ?? null) : null,
      `svc cannot see the absences of ${whose}; to see absences of others, you need the permission absences::manage`,
    ]);
  return found.map(([userId, message]) => ({ kinds: OF_DAYS, userId, message }));
}

function unknownPeople(entries: readonly CheckedEntry[], people: ReadonlyMap<number, CheckedPerson>): NotJudged[] {
  const ids = [...new Set(entries.map(({ userId }) => userId ?? null))].filter((id) => id === null || !people.has(id));
  return ids.map((userId) =>
    userId === null
      ? {
          // svc cannot compare an entry without a visible user with other entries of the same user.
          kinds: [...OF_DAYS, 'impossible-day', 'duplicate', 'no-project'] as const,
          userId,
          message: 'The service does not show the users of all entries',
        }
      : { kinds: OF_DAYS, userId, message: `svc cannot see user ${userId}, who logged hours` },
  );
}
