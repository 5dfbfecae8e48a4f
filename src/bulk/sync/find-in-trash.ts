import { z } from 'zod';
import type { Query } from '../../client/cost.ts';
import { pages } from '../../client/pages.ts';
import { ForbiddenError, RefusedError } from '../../errors.ts';
import { integerId } from '../../mirror/record-id.ts';
import { wholeQuery } from '../export/run.ts';
import type { IdDifferences, Looking, Subject } from './differences.ts';
import { PAGE_UNITS } from './run.ts';

/** Which way of asking the service took, or that it took none; believed for a day. */
const kept = z.object({ way: z.number(), at: z.number() });
const DAY = 86_400_000;
const NONE = -1;

/** Units that a row which is looked for costs elsewhere, so that a trash of years is not read for a few. */
const ELSEWHERE = 3;

/**
 * Finds what was deleted where the service still shows it: what `trashed` takes is not documented, nor a filter or an order by `deleted_at`
 * (rules 8.36, 18.27), so each way is tried, and a refusal remembered. Only what says of itself when it was deleted is taken for gone;
 * whether that was all is for the count to say.
 *
 * @param since Nothing older is looked for. @param wanted So many rows are looked for.
 */
export async function findInTrash(
  look: Looking,
  { noun, known }: Pick<Subject, 'noun' | 'known'>,
  path: string,
  { since, wanted }: { readonly since: string; readonly wanted: number },
  found: IdDifferences,
): Promise<void> {
  const { mirror, context } = look;
  const name = `trash ${noun}`;
  const now = context.clock.now();
  const before = readKept(await mirror.kept(name));
  const isFresh = before !== undefined && now >= before.at && now - before.at < DAY;
  const ways: readonly Query[] = [[['filter[deleted_at][gte]', since]], [['sort', '-deleted_at']], []];
  const tried = isFresh ? (before.way === NONE ? [] : [before.way]) : ways.map((_, index) => index);
  const open = new Set(known.map(({ id }) => id));
  for (const way of tried) {
    const outcome = await read(look, path, ways[way] ?? [], { since, wanted, open }, found);
    if (outcome === 'refused') continue;
    if (outcome === 'read' && !isFresh) await mirror.keep(name, JSON.stringify({ way, at: now }));
    return;
  }
  if (tried.length > 0) await mirror.keep(name, JSON.stringify({ way: NONE, at: now }));
}

interface Wanted {
  readonly since: string;
  readonly wanted: number;
  /** Ids that the mirror has. */
  readonly open: Set<number>;
}

async function read(
  { client, budget, context }: Looking,
  path: string,
  way: Query,
  { since, wanted, open }: Wanted,
  { gone }: IdDifferences,
): Promise<'read' | 'refused' | 'ended'> {
  const isSorted = way.some(([name]) => name === 'sort');
  const query = [['trashed', 'only'] as const, ...wholeQuery({ view: 'detail' }).filter(([name]) => !isSorted || name !== 'sort'), ...way];
  let left = wanted;
  // Two units a page more than ids alone cost: only the detail view surely says when a record was deleted.
  let units = wanted * ELSEWHERE;
  if (budget.left() < PAGE_UNITS) return 'ended';
  try {
    for await (const { rows } of pages(client, { method: 'GET', path, query, signal: context.signal }, { patient: true })) {
      for (const row of rows) {
        const deleted = row['deleted_at'];
        if (typeof deleted !== 'string' || deleted === '') return 'read';
        const id = integerId(row);
        if (id !== undefined && open.delete(id)) {
          gone.add(id);
          left -= 1;
        }
        if (isSorted && deleted < since) return 'read';
      }
      units -= PAGE_UNITS;
      if (left <= 0 || units < PAGE_UNITS || budget.left() < PAGE_UNITS) return 'read';
    }
    return 'read';
  } catch (error) {
    // Somebody may see rows, and not what was deleted.
    if (error instanceof RefusedError || error instanceof ForbiddenError) return 'refused';
    throw error;
  }
}

function readKept(text: string | undefined) {
  try {
    return kept.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
