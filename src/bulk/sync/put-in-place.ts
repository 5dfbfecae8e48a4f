import type { Applied, Look } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import { pagesName } from './look-at-pages.ts';
import type { SyncRun } from './run.ts';
import type { Spool } from './spool.ts';

export interface Gathered {
  readonly spool: Pick<Spool, 'made' | 'records' | 'clear'>;
  readonly gone: Iterable<number>;
  readonly change: Look;
  readonly keep?: () => Promise<void>;
}

/**
 * Writes the gathered changes to the table in one transaction. svc can be killed before any step. svc therefore deletes the stored state of
 * pages before the transaction. It also stores the ids of changed records, so that this run or the next one reads their children.
 */
export async function putInPlace(run: SyncRun, shape: TableShape, { spool, gone, change, keep }: Gathered): Promise<Applied> {
  const { mirror, hasBelow } = run;
  const { noun } = shape;
  const taken = [...gone];
  if (spool.made.size > 0 || taken.length > 0) {
    await mirror.keep(pagesName(noun), undefined);
    if (hasBelow(noun)) await mirror.touch(noun, [...spool.made.keys(), ...taken]);
  }
  const applied = await mirror.update(shape, spool.records(), taken, change);
  await keep?.();
  await spool.clear();
  return applied;
}
