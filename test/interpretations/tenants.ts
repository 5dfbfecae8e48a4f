import { DAILY } from './daily/index.ts';
import type { Outcome } from './judge.ts';
import { type Place, startPlace } from './place.ts';
import { COMBINATIONS } from './table.ts';

/** The commands that select rows by their own filters, and need no record that a tenant may have changed. */
const NAMES = [
  'week',
  'week with whole days of leave, behind and ahead of UTC',
  'week with a day of leave in the middle',
  'week of everybody',
  'week of some people, with leave and days off',
  'week, balance of some weeks',
  'status',
  'absences who',
  'absences list, of some days',
  'absences list, of a year',
  'absences calendar, of everybody',
  'absences used, of several',
  'billing unbilled, by customer',
  'check, of one person',
  'check, of three people',
];

/** The result of a command on a different service, with the first printed line about a filter. */
export interface TenantRun extends Outcome {
  readonly name: string;
  readonly aboutFilter: string | undefined;
}

/** Runs daily commands on the service of a seed. */
export async function runTenant(seed: number): Promise<readonly TenantRun[]> {
  let stderr = '';
  const place = await startTenantPlace(seed);
  const heard = {
    ...place,
    svc: async (...run: Parameters<typeof place.svc>) => {
      const result = await place.svc(...run);
      stderr += result.stderr;
      return result;
    },
  };
  try {
    const runs: TenantRun[] = [];
    for (const daily of DAILY.filter(({ name }) => NAMES.includes(name))) {
      stderr = '';
      const outcome = await daily.run(heard);
      runs.push({ ...outcome, name: daily.name, aboutFilter: stderr.split('\n').find((line) => line.includes('filter[')) });
    }
    return runs;
  } finally {
    await place.remove();
  }
}

/** Starts the service of a seed, in one combination of options. With an even seed, svc knows the API spec of the service. */
export async function startTenantPlace(seed: number): Promise<Place> {
  const combination = COMBINATIONS[seed % COMBINATIONS.length];
  if (combination === undefined) throw new Error('There are no readings.');
  const place = await startPlace({ ...combination, openapi: 'served', absenceBounds: BOUNDS[seed % BOUNDS.length] ?? 'date-time' }, seed);
  if (seed % 2 === 0) {
    const { stdout: stdin } = await place.svc(['api', '/openapi.json']);
    const imported = await place.svc(['schema', 'import', '-'], { stdin });
    if (imported.code !== 0) throw new Error(imported.stderr);
  }
  return place;
}

const BOUNDS = ['date-only', 'date', 'date-time'] as const;

/** Returns the runs that are wrong, or that name a filter which nobody typed. */
export function faultsOf(runs: readonly TenantRun[]): readonly string[] {
  return runs
    .filter(({ verdict, aboutFilter }) => verdict === 'wrong' || aboutFilter !== undefined)
    .map(({ command, why, aboutFilter }) => [command, ...why, ...(aboutFilter === undefined ? [] : [aboutFilter])].join('\n    '));
}
