import { RefusedError, UnavailableError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { NamedRecord } from '../time/places.ts';
import { scalarText } from '../values/json.ts';
import { together } from '../values/together.ts';
import { readBilledProjects, readNames, unlessWithheld } from './billed-projects.ts';
import { recordAt } from './record-at.ts';

/** The customer that a project is billed to; null: none, undefined: not known. */
export type CustomerOf = (projectId: number) => NamedRecord | null | undefined;

/**
 * The customers of projects: a walk of all projects, and one of customers for their names. Whether a project shows its
 * `customer_id` is not documented (rule 18.27): a customer that is not shown stays unknown, and a notice says so.
 */
export async function readCustomersOfProjects(context: Needs<'client' | 'notice'>): Promise<CustomerOf> {
  const [projects, names] = await together(
    unlessWithheld(context, readBilledProjects(context), 'Without customers'),
    unlessWithheld(context, readNames(context, '/customers'), 'Without names of customers'),
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

/** A customer, as far as a letter to them needs it. */
export interface Customer extends NamedRecord {
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
 * The ids of the projects of a customer.
 *
 * @throws UnavailableError where projects do not show their customer.
 */
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
