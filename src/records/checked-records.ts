import { requestCost } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { explainForbidden } from '../session/explain-forbidden.ts';
import type { JsonObject } from '../values/json.ts';
import { together } from '../values/together.ts';
import { collectRows } from './all-rows.ts';
import { filteredRows } from './filtered-rows.ts';
import { inLists, MOST_VALUES } from './list-filter.ts';
import { recordsById } from './records-by-id.ts';
import { WORKLOGS } from './worklogs.ts';

/** Records that were read, or the reason why they can’t be. A resource that the organisation lacks has no records. */
export interface CheckedRead<T> {
  readonly seen: T;
  /** The missing permission, in the words of the 403. */
  readonly withheld?: string;
}

/** Projects, budgets and rows of invoices that entries name. */
export interface NamedRecords {
  readonly projects: CheckedRead<readonly JsonObject[]>;
  readonly budgets: CheckedRead<readonly JsonObject[]>;
  readonly rows: CheckedRead<readonly JsonObject[]>;
  /** Minutes of all worklogs that name a row, by its id; undefined where the service does not filter by it. */
  readonly rowMinutes: ReadonlyMap<number, number> | undefined;
}

/** Reads the records that entries name, side by side. A resource that no entry names is not read. */
export async function readNamed(
  context: Needs<'catalog' | 'client'>,
  ids: { readonly projects: readonly number[]; readonly budgets: readonly number[]; readonly rows: readonly number[] },
): Promise<NamedRecords> {
  const [projects, budgets, rows, rowMinutes] = await together(
    look(context, recordsById(context, '/projects', ids.projects), []),
    look(context, recordsById(context, '/budgets', ids.budgets), []),
    look(context, recordsById(context, '/sales-invoice-rows', ids.rows), []),
    minutesOfRows(context, ids.rows),
  );
  return { projects, budgets, rows, rowMinutes };
}

/**
 * Running timers: of these people, or everybody's. Choosing them by user is not documented (rule 18.27). If it is refused, svc
 * reads all and filters them here.
 */
export async function readRunningTimers(
  context: Needs<'catalog' | 'client'>,
  users: readonly number[] | undefined,
): Promise<CheckedRead<readonly JsonObject[]>> {
  const isListed = users !== undefined && users.length <= MOST_VALUES;
  const timers = async () => {
    const { batches } = filteredRows({
      client: await context.client(),
      path: '/timers',
      cost: (query) => requestCost({ method: 'GET', query, collection: true, toMany: new Set() }),
      filters: isListed ? [{ field: 'user_id', operator: 'in', value: users.join(','), kind: 'id', assumed: true, flag: '--filter' }] : [],
      rest: [
        ['view', 'detail'],
        ['per_page', '100'],
      ],
      limit: undefined,
    });
    return (await Array.fromAsync(batches())).flat();
  };
  return look(context, timers(), []);
}

/** Every worklog that names one of these rows. svc does not try without that filter, since it would have to read all worklogs. */
async function minutesOfRows(context: Needs<'client'>, ids: readonly number[]): Promise<ReadonlyMap<number, number> | undefined> {
  const lists = inLists(ids);
  const sums = new Map(ids.map((id) => [id, 0]));
  try {
    const pages = await Promise.all(
      lists.map((list) =>
        collectRows(
          context,
          WORKLOGS,
          [
            ['filter[sales_invoice_row_id][in]', list.join(',')],
            ['view', 'detail'],
          ],
          { assumed: ['filter[sales_invoice_row_id][in]'] },
        ),
      ),
    );
    for (const { sales_invoice_row_id: row, minutes } of pages.flat()) {
      if (typeof row !== 'number' || typeof minutes !== 'number') return undefined;
      const sum = sums.get(row);
      if (sum !== undefined) sums.set(row, sum + minutes);
    }
    return sums;
  } catch (error) {
    if (error instanceof RefusedError) return undefined;
    throw error;
  }
}

async function look<T>(context: Needs<'catalog'>, reading: Promise<T>, none: T): Promise<CheckedRead<T>> {
  try {
    return { seen: await reading };
  } catch (error) {
    if (error instanceof NotFoundError) return { seen: none };
    if (!(error instanceof ForbiddenError)) throw error;
    const { message, hint } = await explainForbidden(context, error);
    return { seen: none, withheld: /::/.test(message) || hint === undefined ? message : `${message} ${hint}` };
  }
}
