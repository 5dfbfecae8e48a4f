import { undefinedIfRefused } from '../client/assumed.ts';
import { ForbiddenError, NotFoundError, RefusedError, undefinedFor } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { explainForbidden } from '../session/explain-error.ts';
import type { JsonObject } from '../values/json.ts';
import { together } from '../values/together.ts';
import { collectRows, DETAIL } from './all-rows.ts';
import { assumedFilter, inLists, MOST_VALUES } from './list-filter.ts';
import { recordAt } from './record-at.ts';
import { WORKLOGS } from './worklogs.ts';

/** The records that svc read, or the reason why svc can’t read them. A resource that the organisation lacks has no records. */
export interface CheckedRead<T> {
  readonly seen: T;
  readonly withheld?: string;
}

export interface NamedRecords {
  readonly projects: CheckedRead<readonly JsonObject[]>;
  readonly budgets: CheckedRead<readonly JsonObject[]>;
  readonly rows: CheckedRead<readonly JsonObject[]>;
  /**
   * The minutes of all worklogs that name an invoice row, by row id. Undefined if the service does not filter by row, or if a worklog does
   * not show its row or minutes.
   */
  readonly rowMinutes: ReadonlyMap<number, number> | undefined;
}

export async function readNamed(
  context: Needs<'catalog' | 'client'>,
  ids: { readonly projects: readonly number[]; readonly budgets: readonly number[]; readonly rows: readonly number[] },
): Promise<NamedRecords> {
  const [projects, budgets, rows, rowMinutes] = await together(
    readChecked(context, recordsById(context, '/projects', ids.projects), []),
    readChecked(context, recordsById(context, '/budgets', ids.budgets), []),
    readChecked(context, recordsById(context, '/sales-invoice-rows', ids.rows), []),
    minutesOfRows(context, ids.rows),
  );
  return { projects, budgets, rows, rowMinutes };
}

/**
 * Reads the running timers. The filter by user is undocumented (rule 18.27). If the service refuses the filter, svc reads all timers and
 * filters them itself. With more than 100 users, svc reads all timers, and the caller must filter.
 */
export async function readRunningTimers(
  context: Needs<'catalog' | 'client'>,
  users: readonly number[] | undefined,
): Promise<CheckedRead<readonly JsonObject[]>> {
  const filters = users === undefined || users.length > MOST_VALUES ? [] : [assumedFilter('user_id', users.join(','), 'in')];
  return readChecked(context, collectRows(context, '/timers', DETAIL, { filters }), []);
}

/**
 * Returns the minutes of all worklogs that name one of the given rows. svc does not retry without the filter, because svc would have to
 * read all worklogs.
 */
async function minutesOfRows(context: Needs<'client'>, ids: readonly number[]): Promise<ReadonlyMap<number, number> | undefined> {
  const sums = new Map(ids.map((id) => [id, 0]));
  const read = (list: readonly number[]) =>
    collectRows(context, WORKLOGS, [[ROW_FILTER, list.join(',')], ...DETAIL], { assumed: [ROW_FILTER] });
  const pages = await Promise.all(inLists(ids).map(read)).catch(undefinedIfRefused(ROW_FILTER));
  for (const { sales_invoice_row_id: row, minutes } of pages?.flat() ?? []) {
    if (typeof row !== 'number' || typeof minutes !== 'number') return undefined;
    const sum = sums.get(row);
    if (sum !== undefined) sums.set(row, sum + minutes);
  }
  return pages && sums;
}

const ROW_FILTER = 'filter[sales_invoice_row_id][in]';

async function readChecked<T>(context: Needs<'catalog'>, reading: Promise<T>, none: T): Promise<CheckedRead<T>> {
  try {
    return { seen: await reading };
  } catch (error) {
    if (error instanceof NotFoundError) return { seen: none };
    if (!(error instanceof ForbiddenError)) throw error;
    const { message, hint } = await explainForbidden(context, error);
    return { seen: none, withheld: /::/.test(message) || hint === undefined ? message : `${message} ${hint}` };
  }
}

/**
 * Reads records by id: up to 8 ids with a request each, more ids from the whole list. No documented resource accepts a list of ids. If the
 * resource has no list, svc reads each record. Some organisations list child records only for each parent (rule 18.18).
 */
async function recordsById(context: Needs<'client'>, path: string, ids: readonly number[]): Promise<readonly JsonObject[]> {
  if (ids.length <= FEW) return eachById(context, path, ids);
  const wanted = new Set<unknown>(ids);
  try {
    const all = await collectRows(context, path, DETAIL);
    return all.filter(({ id }) => wanted.has(id));
  } catch (error) {
    const isNoList = error instanceof NotFoundError || (error instanceof RefusedError && error.details.status === 405);
    if (!isNoList) throw error;
    return eachById(context, path, ids);
  }
}

const FEW = 8;

async function eachById(context: Needs<'client'>, path: string, ids: readonly number[]): Promise<readonly JsonObject[]> {
  const found = await Promise.all(ids.map((id) => recordAt(context, `${path}/${id}`).catch(undefinedFor(NotFoundError))));
  return found.flatMap((one) => (one === undefined ? [] : [one.record]));
}
