import { z } from 'zod';
import type { Query } from '../../client/cost.ts';
import { pages } from '../../client/pages.ts';
import { ForbiddenError, RefusedError } from '../../errors.ts';
import type { MadeRows } from '../../mirror/made-rows.ts';
import { integerId } from '../../mirror/record-id.ts';
import { wholeQuery } from '../export/run.ts';
import type { IdDifferences, Looking, Subject } from './differences.ts';
import { PAGE_UNITS } from './run.ts';

/** The query that the service took, or that it took none; svc believes it for a day. */
const kept = z.object({ way: z.number(), at: z.number() });
const DAY = 86_400_000;
const NONE = -1;

/** A table, and its rows that were made before a time. */
type Trashed = Pick<Subject, 'noun' | 'path' | 'known'> & { readonly before: string };

/** Units that a wanted row costs elsewhere. With this bound, svc does not read a trash of years for a few rows. */
const ELSEWHERE = 3;

/**
 * Finds deleted records in the trash of the service. The documentation names neither the values of `trashed` nor a filter or an order by
 * `deleted_at` (rules 8.36, 18.27). svc therefore tries each query, and remembers a refusal. Only a record with a deletion date counts as
 * deleted. The count then shows whether svc found all of them.
 *
 * @param since The earliest deletion to find. @param wanted The number of rows to find.
 */
export async function findInTrash(
  look: Looking,
  { noun, path, known, before }: Trashed,
  { since, wanted }: { readonly since: string; readonly wanted: number },
  found: IdDifferences,
): Promise<void> {
  const { mirror, context } = look;
  const name = `trash ${noun}`;
  const now = context.clock.now();
  const last = readKept(await mirror.kept(name));
  const isFresh = last !== undefined && now >= last.at && now - last.at < DAY;
  const ways: readonly Query[] = [[['filter[deleted_at][gte]', since]], [['sort', '-deleted_at']], []];
  const tried = isFresh ? (last.way === NONE ? [] : [last.way]) : ways.map((_, index) => index);
  for (const way of tried) {
    const outcome = await read(look, path, ways[way] ?? [], { since, wanted, known, before }, found);
    if (outcome === 'refused') continue;
    if (outcome === 'read' && !isFresh) await mirror.keep(name, JSON.stringify({ way, at: now }));
    return;
  }
  if (tried.length > 0) await mirror.keep(name, JSON.stringify({ way: NONE, at: now }));
}

interface Wanted {
  readonly since: string;
  readonly wanted: number;
  readonly known: MadeRows;
  readonly before: string;
}

async function read(
  { client, budget, context }: Looking,
  path: string,
  way: Query,
  { since, wanted, known, before }: Wanted,
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
      const deleted = rows.map((row) => row['deleted_at']);
      // The row in place of the end still counts, if it only is too old.
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
      if (other >= 0 || old >= 0) return 'read';
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
