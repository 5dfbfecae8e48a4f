import { type CheckedRead, type NamedRecords, readNamed, readRunningTimers } from '../../records/checked-records.ts';
import { type DayRange, readEntryRecords } from '../../records/entries.ts';
import type { Understanding } from '../../records/kinds.ts';
import { readTeamLeave, type TeamLeaveIn } from '../../records/leave.ts';
import type { Member } from '../../records/team.ts';
import type { Needs } from '../../session/context.ts';
import { type CheckedEntry, readCheckedEntry } from '../../time/checks/checked-entry.ts';
import { type DateContext, today } from '../../values/dates.ts';
import type { JsonObject } from '../../values/json.ts';
import { together } from '../../values/together.ts';
import { type AskedPeople, openEnded, readPeople } from './people.ts';

/** All that a check looks at. */
export interface CheckMaterial {
  readonly asked: AskedPeople;
  readonly span: DayRange;
  /** Where the user is. */
  readonly dates: DateContext;
  readonly members: readonly Member[];
  /** Of these days, and, where they reach today, of any day ahead. */
  readonly entries: readonly CheckedEntry[];
  readonly timers: CheckedRead<readonly JsonObject[]>;
  readonly leaveIn: TeamLeaveIn;
  readonly named: NamedRecords;
}

/**
 * Reads all that is needed, in two rounds of requests: people with their leave, worklogs and timers; then the projects, budgets and rows of
 * invoices that the worklogs name.
 *
 * @throws ForbiddenError where worklogs or users may not be seen: nothing could be judged.
 */
export async function gather(context: Needs<Understanding | 'timeZone'>, asked: AskedPeople, span: DayRange): Promise<CheckMaterial> {
  const dates = await context.dates();
  const { ids, own, question } = asked;
  const reach = span.last < today(dates) ? span : openEnded(span);
  const isEverybody = ids === undefined && question.manager === undefined && question.branch === undefined;
  const reading = readPeople(context, asked);
  const theirIds = async () => ids ?? (await reading).map(({ id }) => id);
  // Everybody's are asked for without naming anybody.
  const filter = async () => (isEverybody ? undefined : theirIds());
  const readEntries = async (users: readonly number[] | undefined) => {
    const whose = users?.length === 1 ? { user: users[0] } : { users };
    return Array.fromAsync(readEntryRecords(context, { ...reach, ...whose, view: 'detail', include: [] }));
  };
  const [members, records, timers, leaveIn] = await together(
    reading,
    filter().then(readEntries),
    filter().then((users) => readRunningTimers(context, users)),
    theirIds().then((some) => readTeamLeave(context, some, own, span)),
  );
  const wanted = new Set(members.map(({ id }) => id));
  const entries = records
    .map((record) => {
      const entry = readCheckedEntry(record);
      // Of one person alone everything is theirs, shown or not.
      return entry.userId === undefined && ids?.length === 1 ? { ...entry, userId: ids[0] } : entry;
    })
    .filter(({ userId }) => isEverybody || userId == null || wanted.has(userId));
  const idsIn = (of: (entry: CheckedEntry) => number | null | undefined) => [...new Set(entries.flatMap((entry) => of(entry) ?? []))];
  const named = await readNamed(context, {
    projects: idsIn((entry) => entry.projectId),
    budgets: idsIn((entry) => entry.budgetId),
    rows: idsIn((entry) => entry.rowId),
  });
  return { asked, span, dates, members, entries, timers, leaveIn, named };
}
