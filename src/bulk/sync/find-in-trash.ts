import { assumedFilters } from '../../client/assumed.ts';
import type { Query } from '../../client/cost.ts';
import { pages } from '../../client/pages.ts';
import { integerId } from '../../database/record-id.ts';
import { ForbiddenError, RefusedError } from '../../errors.ts';
import { wholeQuery } from '../export/run.ts';
import type { FindingDifferences, IdDifferences, Subject } from './differences.ts';
import { PAGE_UNITS } from './run.ts';

interface Trashed extends Pick<Subject, 'path' | 'known'> {
  readonly before: string;
  /** The time of the earliest deletion to find. */
  readonly since: string;
  /** The number of rows to find. */
  readonly wanted: number;
}

/** The rate-limit units that a search for one row costs without the trash. svc therefore does not read a large trash for a few rows. */
const ELSEWHERE = 3;

/**
 * Finds deleted records in the service’s trash. The documentation shows no values of `trashed`, and no filter or order by `deleted_at`
 * (rules 8.36, 18.27). svc therefore tries several queries. Only a record with a deletion date counts as deleted. The caller then compares
 * the row counts.
 */
export async function findInTrash(finding: FindingDifferences, trashed: Trashed, found: IdDifferences): Promise<void> {
  const ways: readonly Query[] = [[['filter[deleted_at][gte]', trashed.since]], [['sort', '-deleted_at']], []];
  for (const way of ways) if (await isRead(finding, way, trashed, found)) return;
}

/** Tries one query. Returns true if the service accepts the query, or if no rate-limit units are left. */
async function isRead(
  { client, budget, context }: FindingDifferences,
  way: Query,
  { path, since, wanted, known, before }: Trashed,
  { gone }: IdDifferences,
): Promise<boolean> {
  const isSorted = way.some(([name]) => name === 'sort');
  const query = [['trashed', 'only'] as const, ...wholeQuery({ view: 'detail' }).filter(([name]) => !isSorted || name !== 'sort'), ...way];
  const assumed = [...assumedFilters(query), ...(isSorted ? ['sort=-deleted_at'] : [])];
  let left = wanted;
  // Only the detail view reliably has the deletion date. That view costs two more rate-limit units per page than ids.
  let units = wanted * ELSEWHERE;
  if (budget.left() < PAGE_UNITS) return true;
  try {
    for await (const { rows } of pages(client, { method: 'GET', path, query, assumed, signal: context.signal }, { patient: true })) {
      const deleted = rows.map((row) => row['deleted_at']);
      // A row with an older deletion date ends the search, but still counts as deleted.
      const other = deleted.findIndex((at) => typeof at !== 'string' || at === '');
      const old = isSorted ? deleted.findIndex((at) => typeof at === 'string' && at !== '' && at < since) : -1;
      const end = Math.min(other < 0 ? rows.length : other, old < 0 ? rows.length : old + 1);
      const there = await known.held(
        { from: undefined, before },
        rows.slice(0, end).flatMap((row) => integerId(row) ?? []),
      );
      for (const id of there) gone.add(id);
      await known.remove(there);
      left -= there.length;
      if (other >= 0 || old >= 0) return true;
      units -= PAGE_UNITS;
      if (left <= 0 || units < PAGE_UNITS || budget.left() < PAGE_UNITS) return true;
    }
    return true;
  } catch (error) {
    // A user who can see records might not be allowed to see deleted records.
    if (error instanceof RefusedError || error instanceof ForbiddenError) return false;
    throw error;
  }
}
