import { NotFoundError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import { type JsonObject, type JsonValue, scalarText } from '../values/json.ts';
import { compareTexts, hasOnlyDigits } from '../values/text.ts';
import { DETAIL, openRows } from './all-rows.ts';
import type { Naming } from './cached-names.ts';
import { type FindingByName, idByName, type Named, type Reading } from './find-by-name.ts';
import { assumedFilter } from './list-filter.ts';
import { namedRows, recordIncluding, uncountedRows } from './named-rows.ts';

/** A time budget, in minutes. `null` means that the value is not set. `undefined` means that the service does not show the value. */
export interface Budget {
  readonly id: number;
  readonly name: string;
  readonly projectId: number | null | undefined;
  readonly project: string | undefined;
  readonly budget: number | null | undefined;
  readonly logged: number | undefined;
}

/**
 * Reads budgets in the detail view (rule 18.23). For up to 8 ids, svc sends one request for each id.
 * @throws NotFoundError; UsageError if several budgets have a typed name.
 */
export async function readBudgets(
  context: Needs<FindingByName | Naming>,
  { named: typed, project }: { readonly named: readonly string[]; readonly project: number | undefined },
): Promise<readonly Budget[]> {
  const ids = typed.every(hasOnlyDigits) ? [...new Set(typed.map(Number))] : [];
  const client = await context.client();
  const filters = project === undefined ? [] : [assumedFilter('project_id', project)];
  const rows = await namedRows(context, {
    path: '/budgets',
    references: [{ field: 'project_id', relation: 'project', noun: 'projects', includes: true }],
    open: (include) =>
      ids.length > 0 && ids.length <= FEW
        ? uncountedRows(async function* () {
            yield await Promise.all(ids.map((id) => readOne(context, id, include)));
          })
        : openRows(client, '/budgets', DETAIL, { filters, include }),
  });
  const budgets = (await Array.fromAsync(rows.batches())).flat().flatMap(readBudget);
  const wanted = typed.length === 0 ? budgets : await chooseBudgets(context, typed, budgets);
  const others = wanted.filter(({ projectId }) => project !== undefined && projectId !== undefined && projectId !== project);
  if (others[0] !== undefined) throw noSuch(others[0].id);
  return wanted.toSorted(
    (one, other) => compareTexts(one.project ?? '', other.project ?? '') || compareTexts(one.name, other.name) || one.id - other.id,
  );
}

/** The most budgets that svc reads with one request each. For more budgets, svc reads the list. */
const FEW = 8;

async function readOne(context: Needs<'client'>, id: number, include: readonly string[]): Promise<JsonObject> {
  try {
    return await recordIncluding(context, `/budgets/${id}`, include);
  } catch (error) {
    throw error instanceof NotFoundError ? noSuch(id, error) : error;
  }
}

function noSuch(id: number, cause?: NotFoundError): NotFoundError {
  return new NotFoundError(`There is no budget ${id} that you can see.`, {
    hint: 'Check the id, the project and your permission: svc budgets list',
    ...(cause !== undefined && { details: cause.details, cause }),
  });
}

/** Returns the name of a budget with its project: `Web shop: Build`. */
export function budgetName({ name, project }: Pick<Budget, 'name' | 'project'>): string {
  return project === undefined ? name : `${project}: ${name}`;
}

function readBudget(record: JsonObject): Budget[] {
  const { id, project_id: projectId, project } = record;
  if (typeof id !== 'number') return [];
  const called = typeof project === 'string' && !/^#\d+$/.test(project) ? project : undefined;
  return [
    {
      id,
      name: scalarText(record['name']).trim() || `Budget ${id}`,
      projectId: typeof projectId === 'number' || projectId === null ? projectId : undefined,
      project: called,
      budget: record['budget'] === null ? null : minutesIn(record['budget']),
      logged: minutesIn(record['logged_minutes']),
    },
  ];
}

function minutesIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? Math.round(value) : undefined;
}

async function chooseBudgets(context: Needs<FindingByName>, typed: readonly string[], budgets: readonly Budget[]): Promise<Budget[]> {
  const resource = await context.catalog.of('budgets');
  const records: readonly Named[] = budgets.map((budget) => ({
    id: budget.id,
    label: `${budgetName(budget)} (#${budget.id})`,
    names: [budget.name, budgetName(budget)],
    name: budget.name,
  }));
  const all = async () => records;
  const read: Reading = { first: async () => ({ records, isWhole: true }), searched: all, all };
  const found = new Set<Budget>();
  for (const text of typed) {
    const id = hasOnlyDigits(text) ? Number(text) : (await idByName(context, resource, text, NotFoundError, read)).id;
    const budget = budgets.find((one) => one.id === id);
    if (budget === undefined) throw noSuch(id);
    found.add(budget);
  }
  return [...found];
}
