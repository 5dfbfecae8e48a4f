import { requestCost } from '../client/cost.ts';
import { ForbiddenError, NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { BillingPlace } from '../time/billing.ts';
import { type Cents, readAmount } from '../values/amount.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { collectRows } from './all-rows.ts';
import { filteredRows } from './filtered-rows.ts';

/** A project, as far as billing its hours needs it. */
export interface BilledProject {
  readonly name: string | undefined;
  /** null: no customer pays for it; undefined: not shown. */
  readonly customerId: number | null | undefined;
  /** The rate of an hour, where its record shows one; no such field is documented. */
  readonly rate: Cents | undefined;
}

/** The fields of a summary are not documented (rule 18.23), nor are rates. */
const DETAIL = [['view', 'detail']] as const;

/**
 * The projects, by id; those of one customer where one is named. That filter is not documented (rule 18.27): where it is refused,
 * svc reads all projects and filters them here.
 *
 * @throws RefusedError where the service neither filters by the customer nor shows it.
 */
export async function readBilledProjects(context: Needs<'client'>, customer?: number): Promise<ReadonlyMap<number, BilledProject>> {
  const { batches } = filteredRows({
    client: await context.client(),
    path: '/projects',
    cost: (query) => requestCost({ method: 'GET', query, toMany: new Set() }),
    filters:
      customer === undefined
        ? []
        : [{ field: 'customer_id', operator: undefined, value: String(customer), kind: 'id', assumed: true, flag: '--customer' }],
    rest: [...DETAIL, ['per_page', '100']],
    limit: undefined,
  });
  const found = new Map<number, BilledProject>();
  for await (const batch of batches())
    for (const record of batch) {
      const { id } = record;
      if (typeof id === 'number') found.set(id, { name: nameIn(record), customerId: customer ?? customerOf(record), rate: rateIn(record) });
    }
  return found;
}

/** The rate of an hour of each budget, by id; undefined where its record does not show one. */
export async function readBudgetRates(context: Needs<'client'>): Promise<ReadonlyMap<number, Cents | undefined>> {
  const found = new Map<number, Cents | undefined>();
  for (const record of await collectRows(context, '/budgets', DETAIL)) {
    const { id } = record;
    if (typeof id === 'number') found.set(id, rateIn(record));
  }
  return found;
}

/** The names of customers or users, by id. */
export async function readNames(context: Needs<'client'>, path: '/customers' | '/users'): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const record of await collectRows(context, path)) {
    const { id } = record;
    const name = nameIn(record);
    if (typeof id === 'number' && name !== undefined) found.set(id, name);
  }
  return found;
}

/** Returns undefined for data that is withheld (403) or switched off (404), after a notice that names the unknown. */
export async function unlessWithheld<T>(context: Needs<'notice'>, reading: Promise<T>, unknown: string): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    await context.notice(`${unknown}: ${error.message}`);
    return undefined;
  }
}

/** The known rates of an hour. */
export interface Rates {
  /** For every hour, as a person gave it. */
  readonly given: Cents | undefined;
  readonly projects: ReadonlyMap<number, Pick<BilledProject, 'rate'>> | undefined;
  readonly budgets: ReadonlyMap<number, Cents | undefined> | undefined;
}

/** The rate of an entry: the one given, else that of its budget, else that of its project. A budget that is not shown may have any. */
export function rateFor({ projectId, budgetId }: BillingPlace, { given, projects, budgets }: Rates): Cents | undefined {
  if (given !== undefined) return given;
  if (budgetId === undefined || typeof projectId !== 'number') return undefined;
  if (budgetId !== null && budgets?.has(budgetId) !== true) return undefined;
  return (budgetId === null ? undefined : budgets?.get(budgetId)) ?? projects?.get(projectId)?.rate;
}

function customerOf(record: JsonObject): number | null | undefined {
  const { customer_id: id, customer } = record;
  if (typeof id === 'number' || id === null) return id;
  const held = isJsonObject(customer) ? customer['id'] : undefined;
  return typeof held === 'number' ? held : undefined;
}

function nameIn(record: JsonObject): string | undefined {
  return scalarText(record['name']).trim() || undefined;
}

function rateIn(record: JsonObject): Cents | undefined {
  return readAmount(scalarText(record['hourly_rate']));
}
