import { ForbiddenError, NotFoundError, RefusedError, UnavailableError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { BillingPlace } from '../time/billing.ts';
import type { Beyond, NamedRecord } from '../time/places.ts';
import { isJsonObject, type JsonObject, scalarText } from '../values/json.ts';
import { type Cents, readAmount } from '../values/money.ts';
import { together } from '../values/together.ts';
import { allRows, collectRows, DETAIL } from './all-rows.ts';
import { assumedFilter } from './list-filter.ts';
import { recordAt } from './record-at.ts';

export interface ProjectName {
  readonly id: number;
  readonly name: string;
  /** The start of the keys of the project’s work items. Empty if the record does not show a key. */
  readonly key: string;
}

export async function readProjects(context: Needs<'client'>): Promise<readonly ProjectName[]> {
  const found: ProjectName[] = [];
  for await (const record of allRows(context, '/projects')) {
    const id = record['id'];
    if (typeof id === 'number')
      found.push({ id, name: scalarText(record['name']), key: scalarText(record['key_prefix'] ?? record['key']) });
  }
  return found;
}

export function matchProject(text: string, projects: readonly ProjectName[]): readonly ProjectName[] {
  const typed = text.trim();
  const plain = (name: string) => name.trim().normalize('NFC');
  const tests: readonly ((project: ProjectName) => boolean)[] = [
    ({ id }) => String(id) === typed,
    ({ key }) => key !== '' && key === typed.toUpperCase(),
    ({ name }) => plain(name) === plain(typed),
    ({ name }) => plain(name).toLowerCase() === plain(typed).toLowerCase(),
  ];
  for (const test of tests) {
    const found = projects.filter(test);
    if (found.length > 0) return found;
  }
  return [];
}

export interface BilledProject {
  readonly name: string | undefined;
  /** The customer. Null means that no customer pays for the project. Undefined means that the service does not show the customer. */
  readonly customerId: number | null | undefined;
  /** The hourly rate. Undefined if the record shows no rate. No such field is documented. */
  readonly rate: Cents | undefined;
}

/**
 * Reads the projects of a customer. The filter is undocumented (rule 18.27). If the service refuses the filter, svc filters the projects
 * itself.
 * @param customer Default: all customers.
 * @throws RefusedError if the service refuses the filter, and the records do not show the customer.
 */
export async function readBilledProjects(context: Needs<'client'>, customer?: number): Promise<ReadonlyMap<number, BilledProject>> {
  const filters = customer === undefined ? [] : [assumedFilter('customer_id', customer)];
  const found = new Map<number, BilledProject>();
  for await (const record of allRows(context, '/projects', DETAIL, { filters })) {
    const { id } = record;
    if (typeof id === 'number') found.set(id, { name: nameIn(record), customerId: customer ?? customerOf(record), rate: rateIn(record) });
  }
  return found;
}

export async function readBudgetRates(context: Needs<'client'>): Promise<ReadonlyMap<number, Cents | undefined>> {
  return byId(await collectRows(context, '/budgets', DETAIL), rateIn);
}

export async function readNames(context: Needs<'client'>, path: '/customers' | '/users'): Promise<ReadonlyMap<number, string>> {
  const named = (await collectRows(context, path)).filter((record) => nameIn(record) !== undefined);
  return byId(named, (record) => nameIn(record) ?? '');
}

function byId<T>(records: readonly JsonObject[], read: (record: JsonObject) => T): ReadonlyMap<number, T> {
  return new Map(records.flatMap((record) => (typeof record['id'] === 'number' ? [[record['id'], read(record)]] : [])));
}

/**
 * Returns the result of a read. Undefined if the user can’t see the data (403), or if the data does not exist (404). A notice then names
 * the unknown facts.
 */
export async function unlessWithheld<T>(context: Needs<'notice'>, reading: Promise<T>, unknown: string): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    await context.notice(`${unknown}: ${error.message}`);
    return undefined;
  }
}

export interface Rates {
  readonly given: Cents | undefined;
  readonly projects: ReadonlyMap<number, Pick<BilledProject, 'rate'>> | undefined;
  readonly budgets: ReadonlyMap<number, Cents | undefined> | undefined;
}

/**
 * Returns the hourly rate of an entry: the given rate, or else the budget’s rate, or else the project’s rate. Undefined if unknown, as for
 * a hidden budget, which may have any rate.
 */
export function rateFor({ projectId, budgetId }: BillingPlace, { given, projects, budgets }: Rates): Cents | undefined {
  if (given !== undefined) return given;
  if (budgetId === undefined || typeof projectId !== 'number') return undefined;
  if (budgetId !== null && budgets?.has(budgetId) !== true) return undefined;
  return (budgetId === null ? undefined : budgets?.get(budgetId)) ?? projects?.get(projectId)?.rate;
}

function customerOf(record: JsonObject): number | null | undefined {
  const { customer_id: id, customer } = record;
  if (typeof id === 'number' || id === null) return id;
  const referenced = isJsonObject(customer) ? customer['id'] : undefined;
  return typeof referenced === 'number' ? referenced : undefined;
}

function nameIn(record: JsonObject): string | undefined {
  return scalarText(record['name']).trim() || undefined;
}

function rateIn(record: JsonObject): Cents | undefined {
  return readAmount(scalarText(record['hourly_rate']));
}

/**
 * Reads the customers of projects. A project need not show its `customer_id` (rule 18.27). A hidden customer stays unknown. If svc sees no
 * customer at all, a notice reports the reason.
 */
export async function readCustomersOfProjects(context: Needs<'client' | 'notice'>): Promise<Beyond['customerOf']> {
  const [projects, names] = await together(
    unlessWithheld(context, readBilledProjects(context), 'svc continues without customers'),
    unlessWithheld(context, readNames(context, '/customers'), 'svc leaves out the names of customers'),
  );
  const all = [...(projects ?? [])];
  const known = new Map(
    all.flatMap(([projectId, { customerId: id }]) =>
      id === undefined ? [] : [[projectId, id === null ? null : { id, name: names?.get(id) }] as const],
    ),
  );
  if (all.length > 0 && known.size === 0) await context.notice('The service does not show which customer a project is billed to.');
  return (projectId) => known.get(projectId);
}

export interface Customer extends NamedRecord {
  readonly name: string;
  readonly address: readonly string[];
}

export async function readCustomer(context: Needs<'client'>, id: number): Promise<Customer> {
  const { record } = await recordAt(context, `/customers/${id}`);
  const text = (field: string) => scalarText(record[field] ?? null).trim();
  const place = [text('postal_code'), text('city')].filter(Boolean).join(' ');
  const address = [...text('address').split(/\s*\n\s*/), place, text('country')].filter(Boolean);
  return { id, name: text('name') || `Customer ${id}`, address };
}

export async function projectsOf(context: Needs<'client'>, customerId: number): Promise<readonly number[]> {
  try {
    return [...(await readBilledProjects(context, customerId)).keys()];
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new UnavailableError('The service does not show which customer a project is billed to.', {
      hint: 'Name the project instead: svc report --project <name>',
      details: error.details,
    });
  }
}
