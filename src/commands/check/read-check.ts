import { readNamed, readRunningTimers } from '../../records/checked-records.ts';
import type { DayRange } from '../../records/entries.ts';
import { readEntryRecords } from '../../records/entries.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readTeamLeave, type TeamLeave } from '../../records/leave.ts';
import type { Member } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import { placeOf } from '../../time/calendar.ts';
import { type CheckedTimer, checkProjects, checkTimers } from '../../time/checks/check-around.ts';
import { BILLED_WITHIN_DAYS, checkBilled, checkBudgets } from '../../time/checks/check-billing.ts';
import { type CheckedPerson, checkDays } from '../../time/checks/check-days.ts';
import { checkEntries, checkFuture, checkReviews } from '../../time/checks/check-entries.ts';
import { type CheckedEntry, readCheckedEntry } from '../../time/checks/checked-entry.ts';
import { CHECKS, type Check, type Judgement, joined } from '../../time/checks/finding.ts';
import { type DateContext, today } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { checkRowsOf, strangers, tellAssumed, unless, withheldLeave } from './not-judged.ts';
import { type Asked, employedOn, openEnded, readPeople } from './people.ts';

/** What was found, and what it was found in. */
export interface Checked extends Judgement {
  readonly people: ReadonlyMap<number, CheckedPerson>;
  /** Entries of these days, up to today, and those that are dated ahead. */
  readonly entries: readonly CheckedEntry[];
  readonly own: number;
}

/**
 * Reads all that is needed and judges it. Two rounds of requests: people with their leave, worklogs and timers; then the projects, budgets and
 * rows of invoices that the worklogs name.
 *
 * @throws ForbiddenError where worklogs or users may not be seen: nothing could be judged.
 */
export async function readCheck(context: Needs<Understanding | 'timeZone'>, asked: Asked, span: DayRange): Promise<Checked> {
  const dates = await context.dates();
  const { ids, own } = asked;
  const reach = span.last < today(dates) ? span : openEnded(span);
  const question = { ...reach, view: 'detail', include: [] } as const;
  const entriesOf = (users: readonly number[] | undefined) =>
    Array.fromAsync(readEntryRecords(context, { ...question, ...(users?.length === 1 ? { user: users[0] } : { users }) }));
  const isEverybody = ids === undefined && asked.question.manager === undefined && asked.question.branch === undefined;
  const reading = readPeople(context, asked);
  const idsOf = async () => (await reading).map(({ id }) => id);
  const leaveOf = async (some: readonly number[]) => readTeamLeave(context, some, own, span);
  const [members, records, timers, leaveIn] = await together(
    reading,
    ids !== undefined || isEverybody ? entriesOf(ids) : idsOf().then(entriesOf),
    ids !== undefined || isEverybody ? readRunningTimers(context, ids) : idsOf().then((some) => readRunningTimers(context, some)),
    ids !== undefined ? leaveOf(ids) : idsOf().then(leaveOf),
  );
  const wanted = new Set(members.map(({ id }) => id));
  // Of one person alone everything is theirs, shown or not.
  const whose = (entry: CheckedEntry): CheckedEntry => (ids?.length === 1 ? { ...entry, userId: ids[0] } : entry);
  const all = records
    .map(readCheckedEntry)
    .map(whose)
    .filter(({ userId }) => isEverybody || userId == null || wanted.has(userId));
  const naming = (of: (entry: CheckedEntry) => number | null | undefined) => [...new Set(all.flatMap((entry) => of(entry) ?? []))];
  const named = await readNamed(context, {
    projects: naming((entry) => entry.projectId),
    budgets: naming((entry) => entry.budgetId),
    rows: naming((entry) => entry.rowId),
  });
  const leaves = new Map<number, TeamLeave>();
  const people = new Map<number, CheckedPerson>();
  for (const member of members) {
    const zoned = { ...dates, timeZone: member.timeZone };
    const leave = leaveIn(zoned, member.id);
    leaves.set(member.id, leave);
    people.set(member.id, personOf(member, leave, zoned));
  }
  await tellAssumed(context, members);
  const isDue = ({ userId, date }: CheckedEntry) => date <= (people.get(userId ?? 0)?.today ?? today(dates)) && date <= span.last;
  const due = all.filter(isDue);
  const dueBy = Map.groupBy(due, ({ userId }) => userId ?? null);
  const ahead = Map.groupBy(
    all.filter(({ userId, date }) => date > (people.get(userId ?? 0)?.today ?? today(dates))),
    ({ userId }) => userId ?? null,
  );
  const day = dates.temporal.PlainDate.from(today(dates)).subtract({ days: BILLED_WITHIN_DAYS }).toString();
  const judged = joined([
    ...[...people.values()].map((person) => checkDays(person, span, dueBy.get(person.id) ?? [])),
    ...[...dueBy].map(([userId, entries]) => checkEntries(userId, entries)),
    ...[...ahead].map(([userId, entries]) => ({ findings: checkFuture(userId, entries), notJudged: [] })),
    checkReviews(due),
    checkBilled(due, day),
    unless(named.projects.withheld, 'project-ended', () => checkProjects(due, byId(named.projects.seen))),
    unless(named.budgets.withheld, 'over-budget', () => checkBudgets(due, named.budgets.seen)),
    unless(named.rows.withheld, 'row-differs', () => checkRowsOf(due, named.rows.seen, named.rowMinutes)),
    unless(timers.withheld, 'timer-running', () => checkTimers(timersOf(timers.seen, people, dates, ids), span.last)),
    { findings: [], notJudged: [...withheldLeave(leaves, members), ...strangers(due, people)] },
  ]);
  const place = new Map(CHECKS.map((kind, index) => [kind, index]));
  const order = ({ kind }: { readonly kind: Check }) => place.get(kind) ?? 0;
  const findings = [...judged.findings].sort(
    (one, other) =>
      order(one) - order(other) ||
      (one.date ?? '').localeCompare(other.date ?? '') ||
      (one.userId ?? 0) - (other.userId ?? 0) ||
      (one.ids[0] ?? 0) - (other.ids[0] ?? 0),
  );
  return { findings, notJudged: judged.notJudged, people, entries: all, own };
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
    const startedOn = Number.isNaN(moment) ? undefined : placeOf(moment, here).date;
    return [{ id, userId, startedOn, today: today(here), minutes: Math.floor((dates.now - moment) / 60_000) }];
  });
}
