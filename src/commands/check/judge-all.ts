import type { TeamLeave } from '../../records/leave.ts';
import type { Member } from '../../records/team.ts';
import { localDayAndTime } from '../../time/calendar.ts';
import { type CheckedTimer, checkProjects, checkTimers } from '../../time/checks/check-around.ts';
import { BILLED_WITHIN_DAYS, checkBilled, checkBudgets } from '../../time/checks/check-billing.ts';
import { type CheckedPerson, checkDays, withoutMissing } from '../../time/checks/check-days.ts';
import { checkEntries, checkFuture, checkReviews } from '../../time/checks/check-entries.ts';
import type { CheckedEntry } from '../../time/checks/checked-entry.ts';
import { CHECKS, type Finding, type Judgement, joined } from '../../time/checks/finding.ts';
import { compareTexts } from '../../values/compare.ts';
import { type DateContext, today } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import type { CheckMaterial } from './gather.ts';
import { checkRowsOf, strangers, unless, withheldLeave } from './not-judged.ts';
import { employedOn } from './people.ts';

/** What was found, and what it was found in. */
export interface Checked extends Judgement {
  readonly people: ReadonlyMap<number, CheckedPerson>;
  /** Entries of these days, up to today, and those that are dated ahead. */
  readonly entries: readonly CheckedEntry[];
  /** The id of who asks. */
  readonly own: number;
}

/** Judges what was read. Entries of days to come are only found to be that. */
export function judgeAll({ asked, span, dates, members, entries, timers, leaveIn, named }: CheckMaterial): Checked {
  const leaves = new Map<number, TeamLeave>();
  const people = new Map<number, CheckedPerson>();
  for (const member of members) {
    const zoned = { ...dates, timeZone: member.timeZone };
    const leave = leaveIn(zoned, member.id);
    leaves.set(member.id, leave);
    people.set(member.id, personOf(member, leave, zoned));
  }
  const theirToday = ({ userId }: CheckedEntry) => people.get(userId ?? 0)?.today ?? today(dates);
  const due = entries.filter((entry) => entry.date <= theirToday(entry) && entry.date <= span.last);
  const ahead = entries.filter((entry) => entry.date > theirToday(entry));
  const dueBy = byUser(due);
  // Whose these are is not known: anybody may have logged them, and what several logged looks alike.
  const anybodys = new Set((dueBy.get(null) ?? []).map(({ date }) => date));
  const old = dates.temporal.PlainDate.from(today(dates)).subtract({ days: BILLED_WITHIN_DAYS }).toString();
  const { findings, notJudged } = joined([
    ...[...people.values()].map((person) => withoutMissing(checkDays(person, span, dueBy.get(person.id) ?? []), anybodys)),
    ...[...dueBy].map(([userId, own]) => checkEntries(userId, own)),
    ...[...byUser(ahead)].map(([userId, own]) => ({ findings: checkFuture(userId, own), notJudged: [] })),
    checkReviews(due),
    checkBilled(due, old),
    unless(named.projects.withheld, 'project-ended', () => checkProjects(due, byId(named.projects.seen))),
    unless(named.budgets.withheld, 'over-budget', () => checkBudgets(due, named.budgets.seen)),
    unless(named.rows.withheld, 'row-differs', () => checkRowsOf(due, named.rows.seen, named.rowMinutes)),
    unless(timers.withheld, 'timer-running', () => checkTimers(timersOf(timers.seen, people, dates, asked.ids), span.last)),
    { findings: [], notJudged: [...withheldLeave(leaves, members), ...strangers(due, people)] },
  ]);
  return { findings: [...findings].sort(inOrder), notJudged, people, entries, own: asked.own };
}

/** By kind, then day, person and record. */
function inOrder(one: Finding, other: Finding): number {
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
  const { id, name, hours, record } = member;
  const hidden = {
    none: 'The record has no working hours, so what is missing is not known',
    absent: 'The record does not show working hours, so what is missing is not known',
    unreadable: 'svc cannot read the working hours, so what is missing is not known',
  };
  return {
    id,
    name,
    dates,
    today: today(dates),
    hours: hours.kind === 'read' ? hours.hours : undefined,
    hoursHidden: hours.kind === 'read' ? undefined : hidden[hours.kind],
    absences: leave.absences,
    daysOff: leave.daysOff,
    leaveKnown: leave.shown && leave.daysOffShown && leave.unreadable === 0,
    isEmployed: employedOn(record),
  };
}

function byId(records: readonly JsonObject[]): ReadonlyMap<number, JsonObject> {
  return new Map(records.flatMap((record) => (typeof record['id'] === 'number' ? [[record['id'], record]] : [])));
}

/** @param ids whose timers were asked for, where that is one person. */
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
    const moment = typeof started === 'string' ? Date.parse(started) : Number.NaN;
    const startedOn = Number.isNaN(moment) ? undefined : localDayAndTime(moment, here).date;
    return [{ id, userId, startedOn, today: today(here), minutes: Math.floor((dates.now - moment) / 60_000) }];
  });
}
