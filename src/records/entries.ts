import { assumedIn, isAboutInclude, isRefusal } from '../client/assumed.ts';
import { type Query, requestCost } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import { type Entry, readEntry } from '../time/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { type FilteredRows, filteredRows } from './filtered-rows.ts';
import { glanceAt } from './glance-page.ts';
import { filterName, type ListFilter, MOST_VALUES } from './list-filter.ts';
import { ownId, ownUserIdIfKnown } from './me.ts';
import type { UserRef } from './person.ts';
import { WORKLOGS } from './worklogs.ts';

/** Days from the first to the last, both included: `YYYY-MM-DD`. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** The worklogs to read. */
export interface EntryQuestion extends DayRange {
  readonly user?: UserRef | undefined;
  /** Only these people's, where `user` is not given. Of more than a hundred (rule 16.3) everybody's come, for the caller to choose from. */
  readonly users?: readonly number[] | undefined;
  readonly project?: number | undefined;
  /**
   * Only these projects', where `project` is not given. Of more than a hundred, those of every project come, for the caller to
   * choose from.
   */
  readonly projects?: readonly number[] | undefined;
  /**
   * The view: `detail` shows all that the service has, at three units a page. In `summary` only the day, the minutes, the text and
   * the work item's id are sure (rule 18.23).
   */
  readonly view: 'summary' | 'detail';
  /** Relations that the entries need for their names; each leads to one record, so that a page still holds a hundred rows (rule 8.3). */
  readonly include: readonly string[];
  /**
   * Whether each row must show its user. A summary need not show the user (rule 18.23). Then svc includes the user, at two units a
   * page. If that is refused, it reads the detail view, at three. The first page decides for all of them.
   */
  readonly needsUser?: boolean;
  /** Gets the counter of the rows, each time svc changes the way it reads them. */
  readonly onOpen?: ((rows: Pick<FilteredRows, 'count'>) => void) | undefined;
}

/**
 * The worklogs of some days, page by page. Filters by day, user and project, and relations, are not documented (rule 18.27).
 * Without such a filter svc reads every worklog and filters them here. Without relations there are ids instead of names. A notice
 * reports each.
 *
 * @throws RefusedError where a filter is refused and the records do not show that field.
 */
export async function* readEntries(
  context: Needs<'account' | 'client' | 'notice'>,
  question: EntryQuestion,
): AsyncGenerator<Entry, void, undefined> {
  for await (const record of readEntryRecords(context, question)) yield readEntry(record);
}

/** The same as records, as the service gives them. */
export async function* readEntryRecords(
  context: Needs<'account' | 'client' | 'notice'>,
  question: EntryQuestion,
): AsyncGenerator<JsonObject, void, undefined> {
  for await (const batch of readEntryPages(context, question)) yield* batch;
}

/** The same a page at a time. */
export async function* readEntryPages(
  context: Needs<'account' | 'client' | 'notice'>,
  question: EntryQuestion,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const { first, last, user, users, project, projects } = question;
  const userId = user === 'me' ? await ownId(context) : user;
  const filters = [
    filter('date', 'gte', first),
    filter('date', 'lte', last),
    ...(userId === undefined ? [] : [filter('user_id', undefined, String(userId))]),
    ...(userId !== undefined || users === undefined || users.length > MOST_VALUES ? [] : [filter('user_id', 'in', users.join(','))]),
    ...(project === undefined ? [] : [filter('project_id', undefined, String(project))]),
    ...(project !== undefined || projects === undefined || projects.length > MOST_VALUES
      ? []
      : [filter('project_id', 'in', projects.join(','))]),
  ];
  const told = new Set<string>();
  const tell = async (line: string) => {
    if (!told.has(line)) await context.notice(line);
    told.add(line);
  };
  let shape: Shape = question;
  for (;;) {
    const { view, include } = shape;
    const rest: Query = [
      ...(view === 'detail' ? [['view', 'detail'] as const] : []),
      ...(include.length === 0 ? [] : [['include', include.join(',')] as const]),
      ['per_page', '100'],
    ];
    const rows = filteredRows({
      client: await context.client(),
      path: WORKLOGS,
      cost: (query) => requestCost({ method: 'GET', query, toMany: new Set() }),
      filters,
      rest,
      assumed: assumedIn(include),
      limit: undefined,
      // A page that only decides how to read is not followed by another.
      patient: question.needsUser === true && shape === question,
      onRefused: ({ field }) => tell(`The service does not filter worklogs by ${field}, so svc reads more of them, and filters itself.`),
    });
    question.onOpen?.(rows);
    let begun = false;
    let next: Shape | undefined;
    try {
      for await (const batch of rows.batches()) {
        next = begun || !question.needsUser ? undefined : shapeWithUser(batch, shape);
        if (next !== undefined) break;
        begun = true;
        yield batch;
      }
      if (next === undefined) return;
    } catch (error) {
      next = begun ? undefined : fullerShape(error, shape);
      if (next === undefined) throw error;
      const lost = question.include.filter((name) => include.includes(name) && next?.include.includes(name) === false);
      if (lost.length > 0) await tell(`The service does not show worklogs with their ${lost.join(', ')}: there are ids instead of names.`);
    }
    shape = next;
  }
}

/** Entries of some days. */
export interface KnownEntries {
  readonly entries: readonly Entry[];
  /** Whether these are all entries on these days. */
  readonly areAll: boolean;
}

const NONE_KNOWN: KnownEntries = { entries: [], areAll: false };

/**
 * The entries of a user on some days, as far as one request shows; up to a hundred. If the service does not filter by day (rule
 * 18.27), nothing is known. To read all, use {@link readEntries}.
 */
export async function knownEntries(context: Needs<'account' | 'client'>, { first, last }: DayRange, user: UserRef): Promise<KnownEntries> {
  const userId = user === 'me' ? await ownUserIdIfKnown(context) : user;
  if (userId === undefined) return NONE_KNOWN;
  const days: Query = [
    [filterName(filter('date', 'gte', first)), first],
    [filterName(filter('date', 'lte', last)), last],
  ];
  const assumedFilters: Query = [...days, ['filter[user_id]', String(userId)]];
  const page = await glanceAt(context, { path: WORKLOGS, assumedFilters, needs: days.map(([name]) => name) });
  if ('why' in page) return NONE_KNOWN;
  const byUser = page.value.filteredBy('filter[user_id]');
  const rows = page.value.rows.map(readEntry);
  return {
    entries: rows.filter((entry) => entry.userId === userId || (byUser && entry.userId === undefined)),
    areAll: page.value.complete && (byUser || rows.every((entry) => entry.userId !== undefined)),
  };
}

/** The view and the relations of each entry. */
type Shape = Pick<EntryQuestion, 'view' | 'include'>;

/** The next way to read when rows do not show their user; undefined where they do, or where no other way shows more. */
function shapeWithUser(rows: readonly JsonObject[], { view, include }: Shape): Shape | undefined {
  if (view === 'detail' || rows.every((row) => readEntry(row).userId !== undefined)) return undefined;
  return include.includes('user') ? { view: 'detail', include } : { view, include: [...include, 'user'] };
}

/**
 * The next way to read after a refusal: without relations, or with more fields so that svc can filter the rows itself. Undefined
 * when neither helps.
 */
function fullerShape(error: unknown, { view, include }: Shape): Shape | undefined {
  if (isAboutInclude(error)) return include.length === 0 ? undefined : { view: 'detail', include: [] };
  if (!isRefusal(error)) return undefined;
  return view === 'detail' ? undefined : { view: 'detail', include };
}

function filter(field: string, operator: string | undefined, value: string): ListFilter {
  const kind = field === 'date' ? 'date' : 'id';
  return { field, operator, value, kind, assumed: true, flag: '--filter' };
}
