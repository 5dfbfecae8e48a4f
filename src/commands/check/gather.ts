import { readNamed, readRunningTimers } from '../../records/checked-records.ts';
import { readEntryRecords } from '../../records/entries.ts';
import type { ReadingValues } from '../../records/kinds.ts';
import { readTeamLeave } from '../../records/leave.ts';
import { ownId, readMe } from '../../records/me.ts';
import { type Member, personIn, readTeam, type TeamQuery } from '../../records/people.ts';
import type { Needs } from '../../session/context.ts';
import { type CheckedEntry, readCheckedEntry } from '../../time/checks/checked-entry.ts';
import type { DateRange } from '../../time/date-range.ts';
import { today } from '../../values/dates.ts';
import { together } from '../../values/together.ts';
import { checkThere, namesIn, readTeamChoice } from '../choose-team.ts';

type CheckedPeople = Awaited<ReturnType<typeof resolvePeople>>;

/** Finds the people to check. `ids` is undefined for everybody, and for the people of a manager or branch. */
export async function resolvePeople(
  context: Needs<ReadingValues>,
  team: boolean,
  { users, manager, branch }: Partial<Record<'users' | 'manager' | 'branch', string | undefined>>,
) {
  const own = await ownId(context);
  const isTeam = team || [users, manager, branch].some((value) => value !== undefined);
  const query: TeamQuery = isTeam ? await readTeamChoice(context, { user: namesIn(users), manager, branch }, '--users') : { users: [own] };
  const isNarrowed = query.manager !== undefined || query.branch !== undefined;
  return { isTeam, ids: isNarrowed ? undefined : query.users, query, own };
}

export type CheckMaterial = Awaited<ReturnType<typeof gather>>;

/**
 * Reads the records to check: people, leave, worklogs and timers. The worklogs name the projects, budgets and invoice rows that svc reads
 * next. If `range` ends today or later, svc also reads the worklogs of all later days.
 *
 * @param include The relations that give names to the entries. Without relations, a record has exactly the fields of its detail view.
 * Default: project and work item.
 */
export async function gather(
  context: Needs<ReadingValues | 'noticeToday' | 'timeZone'>,
  checkedPeople: CheckedPeople,
  range: DateRange,
  include: readonly string[] = ['project', 'work_item'],
) {
  const dates = await context.dates();
  const { ids, own, query } = checkedPeople;
  const reach = range.last < today(dates) ? range : { first: range.first, last: '9999-12-31' };
  const isEverybody = ids === undefined && query.manager === undefined && query.branch === undefined;
  const reading = readMembers(context, checkedPeople);
  const theirIds = async () => ids ?? (await reading).map(({ id }) => id);
  // A check of everybody needs no filter by user.
  const filter = async () => (isEverybody ? undefined : theirIds());
  const readEntries = async (users: readonly number[] | undefined) => {
    const whose = users?.length === 1 ? { user: users[0] } : { users };
    return Array.fromAsync(readEntryRecords(context, { ...reach, ...whose, view: 'detail', include }));
  };
  const [members, found, timers, leaveIn] = await together(
    reading,
    filter().then(readEntries),
    filter().then((users) => readRunningTimers(context, users)),
    theirIds().then((some) => readTeamLeave(context, some, own, range)),
  );
  const wanted = new Set(members.map(({ id }) => id));
  const checked = found
    .map((record) => {
      const entry = readCheckedEntry(record);
      // If svc requested the entries of one person, an entry without a user belongs to this person.
      return { record, entry: entry.userId === undefined && ids?.length === 1 ? { ...entry, userId: ids[0] } : entry };
    })
    .filter(({ entry: { userId } }) => isEverybody || userId == null || wanted.has(userId));
  const entries = checked.map(({ entry }) => entry);
  const idsIn = (of: (entry: CheckedEntry) => number | null | undefined) => [...new Set(entries.flatMap((entry) => of(entry) ?? []))];
  const named = await readNamed(context, {
    projects: idsIn((entry) => entry.projectId),
    budgets: idsIn((entry) => entry.budgetId),
    rows: idsIn((entry) => entry.rowId),
  });
  const records = checked.map(({ record }) => record);
  return { checkedPeople, range, dates, members, entries, records, timers, leaveIn, named };
}

async function readMembers(
  context: Needs<'client' | 'notice' | 'timeZone'>,
  { isTeam, query, own }: CheckedPeople,
): Promise<readonly Member[]> {
  if (isTeam) {
    const members = await readTeam(context, query);
    checkThere(members, query);
    return members;
  }
  const record = await readMe(context);
  const person = await personIn(record, 'You', context);
  return [{ ...person, id: person.id ?? own, record }];
}
