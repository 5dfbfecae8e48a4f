import { unitsSpent } from '../../client/cost.ts';
import { bulkLimits } from '../../client/rate-book.ts';
import type { TableState } from '../../database/local-database.ts';
import { startProgress } from '../../session/progress.ts';
import { type CostPart, printDuration } from '../export/estimate.ts';
import { pagesOf } from '../export/run.ts';
import { isShort, PAGE_UNITS, type SyncRun } from './run.ts';

/** The rate-limit units that an update of a long table needs for its changes and row counts. */
const CHANGES_UNITS = 6;

/** The cost of updating existing tables, in rate-limit units. */
export interface SyncCost {
  readonly parts: readonly CostPart[];
  /** The rate-limit units that the sync needs if no page has changed. */
  readonly least: number;
}

export async function estimateSync({ sliceOf, verification, database }: SyncRun, tables: readonly TableState[]): Promise<SyncCost> {
  const rowsOf = (noun: string) => tables.find((each) => each.noun === noun)?.rows ?? 0;
  const costOf = async (state: TableState) => {
    const { noun, rows } = state;
    const [top = noun, child] = noun.split('.');
    if (verification === undefined && (child !== undefined || !isShort(state))) {
      const units = sliceOf(state) + (child === undefined ? CHANGES_UNITS : 0);
      return { part: { noun, rows, units, isBound: false }, least: units };
    }
    const since = verification?.since(noun);
    const done = since === undefined ? 0 : (await database.comparedSince(noun, since)).pages;
    const pages = Math.max(0, (child === undefined ? pagesOf(rows) : rowsOf(top)) - done);
    return { part: { noun, rows, units: pages * PAGE_UNITS, isBound: true }, least: pages };
  };
  const costs = await Promise.all(tables.map(costOf));
  return {
    parts: costs.map(({ part }) => part).filter(({ units }) => units > 0),
    least: costs.reduce((sum, { least }) => sum + least, 0),
  };
}

/**
 * Prints the cost per resource at a terminal, if the sync takes more than a minute. `--quiet` hides the cost. Then shows a progress bar for
 * the whole sync.
 *
 * @returns a function that removes the bar.
 */
export async function showSyncCost({ context, client, budget }: SyncRun, { parts, least }: SyncCost): Promise<() => void> {
  const limits = () => bulkLimits(client.limits(), context.share());
  if (!context.globals.quiet)
    await printDuration(context, limits(), { least, parts, stop: 'Ctrl-C ends the sync, and keeps finished tables.' });
  const before = budget.spent();
  const most = parts.reduce((sum, { units }) => sum + units, 0);
  const progress = startProgress(context, {
    what: 'units',
    total: () => (most === least ? most : undefined),
    limits,
    unitsLeft: () => ({ units: Math.max(0, least - (budget.spent() - before)), isWhole: most === least }),
  });
  let isOver = false;
  client.watch((exchange) => {
    if (!isOver) progress.add(unitsSpent(exchange));
  });
  return () => {
    isOver = true;
    progress.end();
  };
}
