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

/** Records that were read, or the reason why they can’t be. A resource that the organisation lacks has no records. */
export interface CheckedRead<T> {
  readonly seen: T;
  readonly withheld?: string;
}

export interface NamedRecords {
  readonly projects: CheckedRead<readonly JsonObject[]>;
  readonly budgets: CheckedRead<readonly JsonObject[]>;
  readonly rows: CheckedRead<readonly JsonObject[]>;
  /** Minutes of all worklogs that name a row, by its id; undefined where the service does not filter by it. */
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

/** Choosing timers by user is not documented (rule 18.27). If it is refused, svc reads all and filters them here. */
export async function readRunningTimers(
  context: Needs<'catalog' | 'client'>,
  users: readonly number[] | undefined,
): Promise<CheckedRead<readonly JsonObject[]>> {
  const filters = users === undefined || users.length > MOST_VALUES ? [] : [assumedFilter('user_id', users.join(','), 'in')];
  return readChecked(context, collectRows(context, '/timers', DETAIL, { filters }), []);
}

/** Every worklog that names one of these rows. svc does not try without that filter, since it would have to read all worklogs. */
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
 * A few one by one, else out of the whole collection: none is documented to take a list of ids. Child records that some
 * organisations list only below their parents (rule 18.18) are always read one by one.
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
