import type { Applied, TableChange, TableState } from '../../mirror/mirror.ts';
import type { TableShape } from '../../mirror/table-shape.ts';
import { type PageWalk, walkPages } from './compare-pages.ts';
import { putInPlace } from './put-in-place.ts';
import type { SyncRun } from './run.ts';

/** The number of pages that svc writes in one transaction, which is 100,000 rows. */
const PIECE = 1_000;

/**
 * Continues a walk like {@link walkPages}, and writes each thousand pages to the local database to save memory. Pages after the last full
 * thousand stay in the walk.
 *
 * @returns the number of changed rows. Undefined if the service does not list in the order of id.
 */
export async function comparePieces(
  run: SyncRun,
  state: TableState,
  shape: TableShape,
  walk: PageWalk,
  isEnough: () => boolean,
): Promise<Applied | undefined> {
  const { path, as_of, whole_at, known_by } = state;
  const change: TableChange = { path, as_of, whole_at, known_by };
  let applied: Applied = NOTHING;
  for (;;) {
    if (!(await walkPages(run, state, walk, () => walk.pages.length >= PIECE || isEnough()))) return undefined;
    const { spool, gone, pages, isRound } = walk;
    if (isRound || pages.length < PIECE) return applied;
    applied = addApplied(
      applied,
      await putInPlace(run, shape, { spool, gone, change: { ...change, seen_at: seenAt(walk, as_of), pages } }),
    );
    Object.assign(walk, { pages: [], gone: new Set() });
  }
}

/** Returns the time of the walk’s last page by the service’s clock. */
export function seenAt({ pages, at }: PageWalk, otherwise: string): string {
  return pages.at(-1)?.checked_at ?? at ?? otherwise;
}

export function addApplied(one: Applied, other: Applied): Applied {
  return { put: one.put + other.put, gone: one.gone + other.gone };
}

const NOTHING: Applied = { put: 0, gone: 0 };
