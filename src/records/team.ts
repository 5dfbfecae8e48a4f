import { requestCost } from '../client/cost.ts';
import type { Needs } from '../session/context.ts';
import { compareTexts } from '../values/compare.ts';
import type { JsonObject } from '../values/json.ts';
import { filteredRows } from './filtered-rows.ts';
import { type ListFilter, MOST_VALUES } from './list-filter.ts';
import { type Person, personIn } from './person.ts';

/** The people to read; everybody that may be seen where nothing is named. */
export interface TeamQuestion {
  /** Their ids. */
  readonly users?: readonly number[] | undefined;
  /** The id of their manager. */
  readonly manager?: number | undefined;
  /** The id of their branch. */
  readonly branch?: number | undefined;
}

/** A person of a team, with their record. */
export interface Member extends Person {
  readonly id: number;
  readonly record: JsonObject;
}

/**
 * People in the detail view, a hundred a request, by name. Choosing users by id, manager or branch is not documented (rule 18.27).
 * If the service refuses that, svc reads all and filters them here.
 *
 * @throws RefusedError where their records do not show the field either.
 */
export async function readTeam(
  context: Needs<'client' | 'notice' | 'timeZone'>,
  { users, manager, branch }: TeamQuestion,
): Promise<readonly Member[]> {
  const chosen = (field: string, operator: string | undefined, value: string): ListFilter => ({
    field,
    operator,
    value,
    kind: 'id',
    assumed: true,
    flag: '--filter',
  });
  const wanted = users === undefined ? undefined : new Set(users);
  const { batches } = filteredRows({
    client: await context.client(),
    path: '/users',
    cost: (query) => requestCost({ method: 'GET', query, collection: true, toMany: new Set() }),
    filters: [
      ...(users === undefined || users.length > MOST_VALUES ? [] : [chosen('id', 'in', users.join(','))]),
      ...(manager === undefined ? [] : [chosen('manager_id', undefined, String(manager))]),
      ...(branch === undefined ? [] : [chosen('company_branch_id', undefined, String(branch))]),
    ],
    rest: [
      ['view', 'detail'],
      ['per_page', '100'],
    ],
    limit: undefined,
  });
  const members: Member[] = [];
  for await (const batch of batches())
    for (const record of batch) {
      const { id } = record;
      if (typeof id !== 'number' || wanted?.has(id) === false) continue;
      members.push({ ...(await personIn(record, `User ${id}`, context)), id, record });
    }
  return members.sort((one, other) => compareTexts(one.name, other.name) || one.id - other.id);
}
