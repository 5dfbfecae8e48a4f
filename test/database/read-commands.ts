import type { Resource } from '../../src/catalog/define.ts';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { verbsOf } from '../../src/catalog/rules.ts';

// Command lines that only read. They list every resource by each filter, sort and relation, and read pages and single records. Daily
// commands are included.

/** A record as the sandbox stores it. */
type Row = Readonly<Record<string, unknown>> & { readonly id: number };

const DAILY = [
  'me',
  'week',
  'week -7d',
  'week --balance',
  'report --from -30d --by project',
  'report --from -60d --by week -o csv',
  'report --from -30d --by user',
  'status',
  'status -o table',
  'check',
  'check --month -1',
  'billing unbilled',
  'billing unbilled --from -90d',
  'absences who',
  'absences who tomorrow',
  'absences calendar',
  'absences list --year 2026',
  'absences list --running',
  'absences list --user me',
  'absences list --from monday --to today',
  'worklogs list --from -14d --user me',
  'worklogs list --from -14d -o table',
  'worklogs list --mine -o csv -L 30',
  'work-items list -o table -L 20',
  'work-items list --assignee me',
  'projects list -o table',
  'budgets burn',
  'budgets burn --forecast',
  'users capacity next month',
  'timers status',
  'timers list',
  'resources',
  'users list --search a',
  'worklogs list --trashed only',
  'worklogs list --filter nothing=1',
  'projects list --include everything',
  'open projects 1 --print',
];

/** Returns all command lines about one resource. */
function ofResource(resource: Resource, rows: readonly Row[], parent: Row | undefined): string[] {
  const noun = resource.parent === undefined ? resource.noun : `${resource.parent.noun} ${resource.noun}`;
  if (resource.parent !== undefined && parent === undefined) return [];
  const list = parent === undefined ? `${noun} list` : `${noun} list ${parent.id}`;
  const some = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)].flatMap((row) => row ?? []);
  const filters = Object.entries(resource.filters).flatMap(([field, { operators, noEquality }]) => {
    const values = [...new Set(some.flatMap((row) => wireOf(row[field])))];
    const [value] = values;
    const equality = noEquality || value === undefined ? [] : [`${list} --filter ${field}=${value}`];
    const others = operators.flatMap((operator) => {
      if (operator === 'null') return [`${list} --filter ${field}.null=true`, `${list} --filter ${field}.null=false`];
      if (value === undefined) return [];
      return [`${list} --filter ${field}.${operator}=${operator === 'in' ? values.join(',') : value}`];
    });
    return [...equality, ...others];
  });
  const sorts = Object.entries(resource.fields).flatMap(([field, { kind }]) =>
    kind === 'json' ? [] : [`${list} --sort ${field}`, `${list} --sort -${field} -L 10`],
  );
  const includes = Object.keys(resource.relations ?? {}).flatMap((name) => [
    `${list} --include ${name} -L 30`,
    `${list} --include ${name} --view detail -L 5`,
  ]);
  const counted = resource.counted ? [`${list} --page 2 --per-page 3 -L 3`] : [`${list} --with-total -L 2`];
  const gets =
    resource.parent === undefined && verbsOf(resource).includes('get')
      ? [
          ...some.map(({ id }) => `${noun} get ${id}`),
          `${noun} get 999999`,
          ...Object.keys(resource.relations ?? {}).flatMap((name) =>
            some[0] === undefined ? [] : [`${noun} get ${some[0].id} --include ${name}`],
          ),
          ...(some[0] === undefined ? [] : [`${noun} get ${some[0].id} --view summary`]),
        ]
      : [];
  return [
    list,
    `${list} --view detail`,
    `${list} --view detail --sort id -L 10`,
    `${list} -L 3 -o csv`,
    `${list} --per-page 7 -L 20 -o ids`,
    `${list} -o table`,
    ...counted,
    ...filters,
    ...sorts,
    ...includes,
    ...gets,
  ];
}

function wireOf(value: unknown): string[] {
  return (typeof value === 'string' && /^[\w:.-]+$/.test(value)) || typeof value === 'number' || typeof value === 'boolean'
    ? [String(value)]
    : [];
}

/**
 * Returns command lines that only read.
 * @param rowsOf returns all records of a resource.
 */
export async function readCommands(rowsOf: (noun: string) => readonly Row[]): Promise<string[]> {
  const lines = [...DAILY];
  for (const resource of await builtInCatalog().all()) {
    const parentResource = resource.parent?.noun;
    const rows = rowsOf(resource.parent === undefined ? resource.noun : (resource.itemsOf ?? resource.noun));
    const parents =
      parentResource === undefined
        ? [undefined]
        : rowsOf(parentResource)
            .slice(0, 40)
            .filter((_, at) => at % 13 === 0);
    for (const parent of parents) lines.push(...ofResource(resource, rows, parent));
  }
  return [...new Set(lines)];
}
