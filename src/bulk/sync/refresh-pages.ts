import type { Applied, TableState } from '../../mirror/mirror.ts';
import { beginWalk } from './compare-pages.ts';
import { addApplied, comparePieces, seenAt } from './compare-pieces.ts';
import { putInPlace } from './put-in-place.ts';
import type { SyncRun } from './run.ts';
import { spoolAt } from './spool.ts';

/**
 * Updates a table by comparing every page.
 *
 * @returns undefined if the service does not list the table in the order of id.
 */
export async function refreshByPages(run: SyncRun, state: TableState): Promise<Applied | undefined> {
  const { context, shapeOf, directory } = run;
  const { noun, path, whole_at } = state;
  const shape = await shapeOf(noun);
  const spool = spoolAt(context.files, `${directory}/${noun}.ndjson`);
  const walk = await beginWalk(run, state, spool, 'first');
  const before = await comparePieces(run, state, shape, walk, () => false);
  if (before === undefined) {
    await spool.clear();
    return undefined;
  }
  const { at: as_of = state.as_of, gone, pages } = walk;
  const change = { path, as_of, whole_at, known_by: 'pages' as const, seen_at: seenAt(walk, as_of), pages };
  return addApplied(before, await putInPlace(run, shape, { spool, gone, change }));
}
