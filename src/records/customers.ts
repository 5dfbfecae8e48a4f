import type { Query } from '../client/cost.ts';
import { ForbiddenError, NotFoundError, RefusedError, UnavailableError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { idIn, member, textIn } from '../time/entry.ts';
import type { Named } from '../time/places.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { isAboutInclude } from './about-include.ts';
import { collectRows } from './all-rows.ts';
import { filteredRows } from './filtered-rows.ts';
import { recordAt } from './record-at.ts';

/** The customer that a project is billed to; null: none, undefined: not known. */
export type CustomerOf = (projectId: number) => Named | null | undefined;

/**
 * Whom projects are billed to: a walk of all projects, with their customers. That a project shows its `customer_id`, and adds its customer, is
 * not documented (rule 18.27): where it does not add them, the names are read from the customers; what is not shown stays unknown,
 * with a line that says so.
 */
export async function readCustomersOfProjects(context: Needs<'client' | 'notice'>): Promise<CustomerOf> {
  const projects = await orNone(context, 'customers', () => readProjects(context));
  const known = new Map<number, Named | null>();
  let names: ReadonlyMap<number, string> | undefined;
  for (const record of projects) {
    const customer = member(record, 'customer');
    const id = idIn(record['customer_id'], customer);
    if (typeof record['id'] !== 'number' || id === undefined) continue;
    if (id !== null && customer === undefined)
      names ??= namesIn(await orNone(context, 'names of customers', () => collectRows(context, '/customers')));
    known.set(record['id'], id === null ? null : { id, name: textIn(customer, 'name') ?? names?.get(id) });
  }
  if (projects.length > 0 && known.size === 0) await context.notice('The service does not show which customer a project is billed to.');
  return (projectId) => known.get(projectId);
}

/** A customer, as far as a letter to them needs it. */
export interface Customer extends Named {
  readonly name: string;
  /** Lines of the address, as far as the record shows one. */
  readonly address: readonly string[];
}

/** A customer by id: one request. @throws NotFoundError */
export async function readCustomer(context: Needs<'client'>, id: number): Promise<Customer> {
  const { record } = await recordAt(context, `/customers/${id}`);
  const text = (field: string) => scalarText(record[field] ?? null).trim();
  const place = [text('postal_code'), text('city')].filter(Boolean).join(' ');
  const address = [...text('address').split(/\s*\n\s*/), place, text('country')].filter(Boolean);
  return { id, name: text('name') || `Customer ${id}`, address };
}

/**
 * The projects that are billed to a customer. That they can be chosen so is not documented (rule 18.27): where the service refuses it, all
 * are read, and looked through here.
 *
 * @throws UnavailableError where they do not show whom they are billed to.
 */
export async function projectsOf(context: Needs<'client'>, customerId: number): Promise<readonly number[]> {
  const { batches } = filteredRows({
    client: await context.client(),
    path: '/projects',
    cost: (query) => (query.some(([name]) => name === 'view') ? 3 : 1),
    filters: [{ field: 'customer_id', operator: undefined, value: String(customerId), kind: 'id', assumed: true, flag: '--for' }],
    rest: [['per_page', '100']],
    limit: undefined,
    onRefused: async () => undefined,
  });
  const ids: number[] = [];
  try {
    for await (const batch of batches()) for (const { id } of batch) if (typeof id === 'number') ids.push(id);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new UnavailableError('The service does not show which customer a project is billed to.', {
      hint: 'Name the project instead: svc report --project <name>',
      details: error.details,
    });
  }
  return ids;
}

async function readProjects(context: Needs<'client'>): Promise<readonly JsonObject[]> {
  const detail: Query = [['view', 'detail']];
  try {
    return await collectRows(context, '/projects', [...detail, ['include', 'customer']], { cost: 4 });
  } catch (error) {
    // Whoever may not see customers may see whose a project is.
    if (!isAboutInclude(error) && !(error instanceof ForbiddenError)) throw error;
    return collectRows(context, '/projects', detail);
  }
}

function namesIn(customers: readonly JsonObject[]): ReadonlyMap<number, string> {
  return new Map(
    customers.flatMap((record) => {
      const name = textIn(record, 'name');
      return typeof record['id'] === 'number' && name !== undefined ? [[record['id'], name] as const] : [];
    }),
  );
}

/** Records that may be switched off here (404) or closed to this user (403): then there are none, and a line says what is not known. */
async function orNone(
  { notice }: Needs<'notice'>,
  what: string,
  read: () => Promise<readonly JsonObject[]>,
): Promise<readonly JsonObject[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ForbiddenError) && !(error instanceof NotFoundError)) throw error;
    await notice(`Without ${what}: ${error.message}`);
    return [];
  }
}
