import { isAboutInclude, isRefusal } from '../client/assumed.ts';
import type { Query } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import type { DayMinutes } from '../time/burn.ts';
import type { DateRange } from '../time/date-range.ts';
import { type Entry, readEntry } from '../time/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { allRows, DETAIL, openRows } from './all-rows.ts';
import { readDaySummaryPage } from './day-summary-page.ts';
import type { FilteredRows } from './filtered-rows.ts';
import { assumedFilter, filterName, type ListFilter, MOST_VALUES } from './list-filter.ts';
import { ownId, ownUserIdIfKnown } from './me.ts';
import type { UserRef } from './people.ts';
import { WORKLOGS } from './worklogs.ts';

export interface EntriesQuery extends DateRange {
  readonly user?: UserRef | undefined;
  /**
   * The users whose worklogs svc reads, if `user` is undefined. With more than 100 users (rule 16.3), svc reads all worklogs, and the
   * caller must filter.
   */
  readonly users?: readonly number[] | undefined;
  readonly project?: number | undefined;
  /**
   * The projects whose worklogs svc reads, if `project` is undefined. With more than 100 projects, svc reads all worklogs, and the caller
   * must filter.
   */
  readonly projects?: readonly number[] | undefined;
  /**
   * The view. `detail` costs three rate-limit units a page. `summary` certainly has the day, the minutes, the text and the work item’s id.
   * Other fields can be missing (rule 18.23).
   */
  readonly view: 'summary' | 'detail';
  /** The relations that give names to the entries. Each relation must lead to one record, so that a page contains 100 rows (rule 8.3). */
  readonly include: readonly string[];
  /**
   * True if each entry must show its user, because a summary may lack the user (rule 18.23).
   * svc then includes the user, or reads the detail view. The first page decides for all pages.
   */
  readonly needsUser?: boolean;
  readonly onOpen?: ((rows: Pick<FilteredRows, 'count'>) => void) | undefined;
}

/**
 * Reads worklogs. Filters and relations are undocumented (rule 18.27). If the service refuses a filter, svc reads more worklogs and filters
 * them itself. If the service refuses the relations, entries have ids instead of names.
 * @throws RefusedError if the service refuses a filter and the records lack the field.
 * @throws UnavailableError for a record without a day or without minutes.
 */
export async function* readEntries(
  context: Needs<'account' | 'client' | 'noticeToday'>,
  query: EntriesQuery,
): AsyncGenerator<Entry, void, undefined> {
  for await (const record of readEntryRecords(context, query)) yield readEntry(record);
}

export async function* readEntryRecords(
  context: Needs<'account' | 'client' | 'noticeToday'>,
  query: EntriesQuery,
): AsyncGenerator<JsonObject, void, undefined> {
  for await (const batch of readEntryPages(context, query)) yield* batch;
}

export async function* readEntryPages(
  context: Needs<'account' | 'client' | 'noticeToday'>,
  query: EntriesQuery,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const { first, last, user, users, project, projects } = query;
  const userId = user === 'me' ? await ownId(context) : user;
  const filters = [...onDays(first, last), ...amongIds('user_id', userId, users), ...amongIds('project_id', project, projects)];
  const reported = new Set<string>();
  const printOnce = async (line: string) => {
    if (!reported.has(line)) await context.noticeToday(line);
    reported.add(line);
  };
  let shape: Shape = query;
  for (;;) {
    const { view, include } = shape;
    const rows = openRows(await context.client(), WORKLOGS, view === 'detail' ? DETAIL : [], {
      filters,
      include,
      // The first page of this query may lead to another query. svc therefore requests the second page only after reading the first page.
      patient: query.needsUser === true && shape === query,
      onRefused: ({ field }) => printOnce(notFiltered(field)),
    });
    query.onOpen?.(rows);
    let started = false;
    let next: Shape | undefined;
    try {
      for await (const batch of rows.batches()) {
        next = started || !query.needsUser ? undefined : shapeWithUser(batch, shape);
        if (next !== undefined) break;
        started = true;
        yield batch;
      }
      if (next === undefined) return;
    } catch (error) {
      next = started ? undefined : fullerShape(error, shape);
      if (next === undefined) throw error;
      const lost = query.include.filter((name) => include.includes(name) && next?.include.includes(name) === false);
      if (lost.length > 0)
        await printOnce(`The service does not show the ${lost.join(', ')} of worklogs, so svc prints ids instead of names.`);
    }
    shape = next;
  }
}

const NONE_KNOWN: { readonly entries: readonly Entry[]; readonly areAll: boolean } = { entries: [], areAll: false };

/**
 * Returns up to 100 worklogs of a user from one request. `areAll` is true if the user has no other worklogs on the given days. Empty if svc
 * does not know the user, or if the service does not filter by day (rule 18.27).
 */
export async function knownEntries(
  context: Needs<'account' | 'client'>,
  { first, last }: DateRange,
  user: UserRef,
): Promise<typeof NONE_KNOWN> {
  const userId = user === 'me' ? await ownUserIdIfKnown(context) : user;
  if (userId === undefined) return NONE_KNOWN;
  const days = onDays(first, last).map((filter) => [filterName(filter), filter.value] as const);
  const assumedFilters: Query = [...days, ['filter[user_id]', String(userId)]];
  const page = await readDaySummaryPage(context, { path: WORKLOGS, assumedFilters, needs: days.map(([name]) => name) });
  if ('why' in page) return NONE_KNOWN;
  const byUser = page.value.filteredBy('filter[user_id]');
  const rows = page.value.rows.map(readEntry);
  return {
    entries: rows.filter((entry) => entry.userId === userId || (byUser && entry.userId === undefined)),
    areAll: page.value.complete && (byUser || rows.every((entry) => entry.userId !== undefined)),
  };
}

type Shape = Pick<EntriesQuery, 'view' | 'include'>;

/** Returns the next query to try if rows do not show their user. Undefined if rows show the user, or if no other query shows more. */
function shapeWithUser(rows: readonly JsonObject[], { view, include }: Shape): Shape | undefined {
  if (view === 'detail' || rows.every((row) => readEntry(row).userId !== undefined)) return undefined;
  return include.includes('user') ? { view: 'detail', include } : { view, include: [...include, 'user'] };
}

/**
 * Returns the next query after a refused query. After a refused relation, the next query has the detail view without relations. After
 * another refusal, the next query has the detail view, so that svc can filter the rows. Undefined if svc has no other query to try.
 */
function fullerShape(error: unknown, { view, include }: Shape): Shape | undefined {
  if (isAboutInclude(error)) return include.length === 0 ? undefined : { view: 'detail', include: [] };
  if (!isRefusal(error)) return undefined;
  return view === 'detail' ? undefined : { view: 'detail', include };
}

export interface LoggedQuery {
  readonly field: 'budget_id' | 'work_item_id';
  readonly ids: readonly number[];
  readonly days?: DateRange;
  /** True to add up the minutes of each user too. svc then reads the detail view. */
  readonly needsUser?: boolean;
  /** Receives each worklog of the given records. Default: svc keeps only the sums. */
  readonly onEntry?: (entry: Entry) => void;
}

/** The logged minutes by record. */
export interface Logged {
  readonly byId: ReadonlyMap<number, DayMinutes>;
  /** The logged minutes by record and user. The user is null if the service does not show the user, or if the worklog has no user. */
  readonly byUser: ReadonlyMap<number, ReadonlyMap<number | null, DayMinutes>>;
  /** The number of worklogs that do not show their record, although svc requested several records. The sums are then unknown. */
  readonly unplaced: number;
}

/**
 * Adds up the minutes of some records by day, in one read of their worklogs. If the service refuses an undocumented filter (rule 18.27),
 * svc reads all worklogs and filters them itself. Every view shows the work item (rule 18.23). The sums of several budgets need the detail
 * view.
 * @throws RefusedError if the service refuses a filter and the records lack the field. @throws ForbiddenError
 */
export async function minutesByDay(
  context: Needs<'client' | 'noticeToday'>,
  { field, ids, days, needsUser = false, onEntry }: LoggedQuery,
): Promise<Logged> {
  const byUser = new Map(ids.map((id) => [id, new Map<number | null, Map<string, number>>()]));
  const [only] = ids;
  if (only === undefined) return { byId: new Map(), byUser, unplaced: 0 };
  const isOne = ids.length === 1;
  const filters = [
    ...(days === undefined ? [] : onDays(days.first, days.last)),
    ...(isOne ? [assumedFilter(field, only)] : amongIds(field, undefined, ids)),
  ];
  const refused = new Set<string>();
  const rows = allRows(context, WORKLOGS, needsUser || (!isOne && field === 'budget_id') ? DETAIL : [], {
    filters,
    async onRefused({ field: by }) {
      if (!refused.has(by)) await context.noticeToday(notFiltered(by));
      refused.add(by);
    },
  });
  let unplaced = 0;
  for await (const record of rows) {
    const entry = readEntry(record);
    const { date, minutes, userId = null } = entry;
    const shown = record[field];
    // If the service filtered by one record, a worklog need not show its record.
    const id = shown === undefined && isOne && !refused.has(field) ? only : shown;
    if (id === undefined) unplaced += 1;
    const users = typeof id === 'number' ? byUser.get(id) : undefined;
    if (typeof id !== 'number' || users === undefined) continue;
    const own = users.get(userId) ?? new Map<string, number>();
    users.set(userId, own.set(date, (own.get(date) ?? 0) + minutes));
    onEntry?.(entry);
  }
  return { byId: new Map([...byUser].map(([id, users]) => [id, sumOfDays(users.values())])), byUser, unplaced };
}

/** Adds up the minutes of all parts, by day. */
export function sumOfDays(parts: Iterable<DayMinutes>): DayMinutes {
  const sums = new Map<string, number>();
  for (const part of parts) for (const [day, minutes] of part) sums.set(day, (sums.get(day) ?? 0) + minutes);
  return sums;
}

function onDays(first: string, last: string): readonly ListFilter[] {
  return [assumedFilter('date', first, 'gte'), assumedFilter('date', last, 'lte')];
}

/** Returns the filter for one id or several ids. Returns no filter without ids, or for more ids than the service accepts. */
function amongIds(field: string, id: number | undefined, ids: readonly number[] | undefined): readonly ListFilter[] {
  if (id !== undefined) return [assumedFilter(field, id)];
  return ids === undefined || ids.length > MOST_VALUES ? [] : [assumedFilter(field, ids.join(','), 'in')];
}

function notFiltered(field: string): string {
  return `The service does not filter worklogs by ${field}, so svc reads more worklogs and filters them itself.`;
}
